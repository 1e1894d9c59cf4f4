// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Contraction.h"
#include "Border.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace invar;

using Values = KernelBuilder::Values;

linalg::GenericOp invar::findRoot(func::FuncOp kernel) {
  linalg::GenericOp root;
  for (auto op : kernel.front().getOps<linalg::GenericOp>()) {
    if (!op.getNumReductionLoops())
      continue;
    if (root)
      return nullptr;
    root = op;
  }
  return root;
}

Values invar::getLoopSizes(KernelBuilder &builder, linalg::GenericOp root) {
  Values sizes(root.getNumLoops());
  for (OpOperand &operand : root->getOpOperands())
    for (auto [axis, expr] :
         llvm::enumerate(root.getMatchingIndexingMap(&operand).getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(expr);
          dim && !sizes[dim.getPosition()])
        sizes[dim.getPosition()] = builder.getSize(operand.get(), axis);
  return sizes;
}

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

/// Adds the arguments of the root's body that `value` is computed from. Fails if the
/// computation is not pure arithmetic.
static LogicalResult findArguments(Value value, Block *body,
                                   llvm::SetVector<BlockArgument> &found) {
  if (value.getParentBlock() != body)
    return success();
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    found.insert(argument);
    return success();
  }
  Operation *op = value.getDefiningOp();
  if (isa<linalg::IndexOp, tensor::ExtractOp>(op) || op->getNumRegions())
    return failure();
  for (Value operand : op->getOperands())
    if (failed(findArguments(operand, body, found)))
      return failure();
  return success();
}

/// An upper bound of the absolute value of a number in the root's body. Returns more
/// than 16 bits can hold if no bound is known.
static int64_t getBound(Value value) {
  constexpr int64_t unknown = int64_t(1) << 32;
  auto isByte = [](Value number) { return number.getType().isInteger(8); };
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSignificantBits() <= 16
               ? std::abs(constant.getSExtValue())
               : unknown;
  Operation *op = value.getDefiningOp();
  if (isa_and_present<arith::ExtUIOp>(op) && isByte(op->getOperand(0)))
    return 255;
  if (isa_and_present<arith::ExtSIOp>(op) && isByte(op->getOperand(0)))
    return 128;
  if (isa_and_present<arith::SubIOp>(op))
    return getBound(op->getOperand(0)) + getBound(op->getOperand(1));
  return unknown;
}

Value Factor::emit(KernelBuilder &builder, Value loaded,
                   ValueRange parameterValues) const {
  IRMapping mapping;
  mapping.map(element, loaded);
  for (auto [parameter, given] : llvm::zip_equal(parameters, parameterValues))
    mapping.map(parameter.argument, given);
  auto clone = [&](auto &self, Value wanted) -> Value {
    if (Value known = mapping.lookupOrNull(wanted))
      return known;
    if (wanted.getParentBlock() != element.getOwner())
      return builder.getScalar(wanted);
    Operation *op = wanted.getDefiningOp();
    Values operands = llvm::map_to_vector(
        op->getOperands(), [&](Value operand) { return self(self, operand); });
    unsigned lanes = 0;
    for (Value operand : operands)
      lanes = std::max(lanes, getLanes(operand));
    Operation *copy = builder.clone(*op);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(copy);
    for (auto [index, operand] : llvm::enumerate(operands))
      copy->setOperand(index, builder.splat(operand, lanes));
    Value result = copy->getResult(0);
    result.setType(getRegisterType(wanted.getType(), lanes));
    mapping.map(wanted, result);
    return result;
  };
  return clone(clone, value);
}

namespace {
/// The term that a body adds to its accumulator: lhs * rhs, or (lhs - rhs)².
struct Term {
  Value lhs, rhs;
  bool isSquare;
};
} // namespace

static FailureOr<Term> matchBody(Block *body) {
  Value sum = body->getArguments().back();
  Value yielded = body->getTerminator()->getOperand(0);
  Operation *add = yielded.getDefiningOp();
  if (!add || add->getBlock() != body ||
      !isa<arith::AddFOp, arith::AddIOp>(add))
    return failure();
  Value term = add->getOperand(0) == sum   ? add->getOperand(1)
               : add->getOperand(1) == sum ? add->getOperand(0)
                                           : Value();
  Operation *multiply = term ? term.getDefiningOp() : nullptr;
  if (!multiply || multiply->getBlock() != body ||
      !isa<arith::MulFOp, arith::MulIOp>(multiply))
    return failure();
  Value lhs = multiply->getOperand(0), rhs = multiply->getOperand(1);
  if (auto difference = lhs.getDefiningOp<arith::SubFOp>();
      difference && lhs == rhs && difference->getBlock() == body)
    return Term{difference.getLhs(), difference.getRhs(), /*isSquare=*/true};
  return Term{lhs, rhs, /*isSquare=*/false};
}

static FailureOr<Factor> makeFactor(linalg::GenericOp root, Value value) {
  llvm::SetVector<BlockArgument> arguments;
  if (failed(findArguments(value, root.getBody(), arguments)))
    return failure();
  SmallVector<unsigned> reduced;
  root.getReductionDims(reduced);
  std::optional<Factor> factor;
  SmallVector<Factor::Parameter, 1> parameters;
  for (BlockArgument argument : arguments) {
    if (argument.getArgNumber() >= unsigned(root.getNumDpsInputs()))
      return failure();
    OpOperand *operand = root.getDpsInputOperand(argument.getArgNumber());
    AffineMap map = root.getMatchingIndexingMap(operand);
    FailureOr<Access> access =
        Access::get(operand->get(), map, root.getStaticLoopRanges());
    if (failed(access))
      return failure();
    // An argument that no reduced loop moves is a parameter. But one argument must be
    // the element.
    bool isElement = llvm::any_of(
        reduced, [&](unsigned loop) { return map.isFunctionOfDim(loop); });
    if (!isElement && arguments.size() > 1)
      parameters.push_back({argument, *access});
    else if (factor)
      return failure();
    else
      factor = Factor{*access, argument, value, {}};
  }
  if (!factor)
    return failure();
  factor->parameters = parameters;
  factor->isNarrow = getBound(value) < (1 << 15);
  return *factor;
}

//===----------------------------------------------------------------------===//
// The roles of loops
//===----------------------------------------------------------------------===//

/// Groups loops of one role: loops that are dense in all accesses share a group.
static SmallVector<LoopGroup> group(ArrayRef<unsigned> loops,
                                    ArrayRef<const Access *> accesses,
                                    bool isInside = false) {
  SmallVector<LoopGroup> groups;
  for (unsigned loop : loops) {
    bool isDense =
        !groups.empty() && llvm::all_of(accesses, [&](const Access *access) {
          return access->isDense(groups.back().back(), loop, isInside);
        });
    if (isDense)
      groups.back().push_back(loop);
    else
      groups.push_back({loop});
  }
  return groups;
}

/// Whether all reduced loops move a factor.
static bool isReduced(linalg::GenericOp root, const Factor &factor) {
  SmallVector<unsigned> reduced;
  root.getReductionDims(reduced);
  return llvm::all_of(reduced,
                      [&](unsigned loop) { return factor.access.moves(loop); });
}

FailureOr<Contraction> Contraction::get(func::FuncOp kernel) {
  auto root = findRoot(kernel);
  if (!root)
    return failure();
  FailureOr<Term> term = matchBody(root.getBody());
  if (failed(term))
    return failure();
  FailureOr<Factor> left = makeFactor(root, term->lhs);
  FailureOr<Factor> right = makeFactor(root, term->rhs);
  FailureOr<Epilogue> epilogue = Epilogue::get(root);
  if (failed(left) || failed(right) || failed(epilogue) ||
      left->element == right->element)
    return failure();

  // Vectors lie along the last axis of the result. The operand that this axis' loop
  // moves becomes the right one.
  auto order = llvm::map_to_vector(
      root.getMatchingIndexingMap(root.getDpsInitOperand(0)).getResults(),
      [](AffineExpr expr) { return cast<AffineDimExpr>(expr).getPosition(); });
  SmallVector<int64_t> sizes = root.getStaticLoopRanges();
  std::optional<unsigned> column = epilogue->findVectorLoop();
  if (!column)
    return failure();
  if (left->access.moves(*column))
    std::swap(*left, *right);
  if (left->access.moves(*column) || !right->access.moves(*column) ||
      left->access.isTiled() || right->access.getBorder())
    return failure();
  // A border is handled as a factor that may be 0, which does not apply to differences.
  // If one side of a difference is the same for the whole sum, another emitter's loops
  // are better.
  if (term->isSquare && (left->access.getBorder() || !isReduced(root, *left) ||
                         !isReduced(root, *right)))
    return failure();

  Contraction found{root, *left, *right, term->isSquare, *epilogue};
  SmallVector<unsigned> batch, rows, columns, taps, inner;
  for (unsigned loop : order) {
    if (sizes[loop] == 1)
      continue;
    bool movesLeft = found.left.access.moves(loop);
    bool movesRight = found.right.access.moves(loop);
    (!movesRight ? rows : movesLeft ? batch : columns).push_back(loop);
  }
  for (unsigned loop = 0; loop < sizes.size(); ++loop)
    if (root.getIteratorTypesArray()[loop] == utils::IteratorType::reduction &&
        sizes[loop] != 1)
      (found.left.access.movesAlongBorder(loop) ? taps : inner).push_back(loop);

  SmallVector<const Access *> accesses = found.epilogue.getAccesses();
  accesses.append({&found.left.access, &found.right.access});
  // Only the columns that are dense with the last one stay columns; the rest joins the
  // batch.
  SmallVector<LoopGroup> groups = group(columns, accesses);
  if (groups.empty() || groups.back().back() != *column)
    return failure();
  found.columns = groups.pop_back_val();
  for (const LoopGroup &loops : groups)
    batch.append(loops.begin(), loops.end());
  found.batch = group(batch, accesses);
  found.rows = group(rows, accesses);
  found.reduced = group(taps, accesses);
  found.taps = found.reduced.size();
  llvm::append_range(found.reduced, group(inner, accesses));
  if (Value border = found.left.access.getBorder()) {
    found.hasNeutralBorder = isNeutral(border, found.left.element);
    taps.append(inner);
    found.reducedInside = group(taps, accesses, /*isInside=*/true);
  }
  // The reduced loop that is contiguous in the right operand becomes the innermost.
  for (unsigned level = found.taps; level + 1 < found.reduced.size(); ++level)
    if (found.right.access.isContiguous(found.reduced[level].back()))
      std::swap(found.reduced[level], found.reduced.back());
  return found;
}
