// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before a kernel is called, checks the conditions that it relies on, unless they are
// known to hold: the sizes of its operands agree with its loops, and the slices that it
// takes of tensors lie within them. So even if a lowering lacks a check, no kernel
// accesses memory outside of a tensor.
//
// Positions that are computed inside of loops are not checked here: the loops must keep
// them within bounds.
#include "EncodeBounds.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace invar;

//===-- Numbers ---------------------------------------------------------------===//

KernelBounds::Count KernelBounds::get(OpFoldResult number) {
  if (std::optional<int64_t> literal = getConstantIntValue(number))
    return *literal;
  auto argument = dyn_cast<BlockArgument>(cast<Value>(number));
  if (!argument || argument.getOwner() != &kernel.front())
    return giveUp();
  Value operand = call.getOperand(argument.getArgNumber());
  if (std::optional<int64_t> literal = getConstantIntValue(operand))
    return *literal;
  return Count::inRegister(encoder.get(operand));
}

KernelBounds::Count KernelBounds::getSize(Value tensor, int64_t axis) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(axis))
    return type.getDimSize(axis);
  if (auto argument = dyn_cast<BlockArgument>(tensor)) {
    Value operand = call.getOperand(argument.getArgNumber());
    auto given = cast<RankedTensorType>(operand.getType());
    if (!given.isDynamicDim(axis))
      return given.getDimSize(axis);
    return Count::inRegister(encoder.getSize(operand, axis));
  }
  Operation *op = tensor.getDefiningOp();
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    return get(empty.getMixedSizes()[axis]);
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return getSize(cast.getSource(), axis);
  if (auto made = dyn_cast<DestinationStyleOpInterface>(op))
    return getSize(made.getTiedOpOperand(llvm::cast<OpResult>(tensor))->get(),
                   axis);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    for (auto [i, size] : llvm::enumerate(slice.getMixedSizes()))
      if (!dropped[i] && axis-- == 0)
        return get(size);
  }
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return add(
        getSize(pad.getSource(), axis),
        add(get(pad.getMixedLowPad()[axis]), get(pad.getMixedHighPad()[axis])));
  return giveUp();
}

uint32_t KernelBounds::toRegister(Count count) {
  return count.literal ? encoder.getLiteral(*count.literal) : count.at;
}

KernelBounds::Count KernelBounds::compute(InvarOpcode opcode, Count a,
                                          Count b) {
  uint32_t to = encoder.assembler.makeNumber();
  encoder.assembler.emit(opcode, {to, toRegister(a), toRegister(b)});
  return Count::inRegister(to);
}

KernelBounds::Count KernelBounds::add(Count a, Count b) {
  if (a.literal == 0)
    return b;
  if (b.literal == 0)
    return a;
  int64_t sum;
  if (a.literal && b.literal && !llvm::AddOverflow(*a.literal, *b.literal, sum))
    return sum;
  return compute(INVAR_OP_ADD_SATURATED, a, b);
}

KernelBounds::Count KernelBounds::multiply(Count a, Count b) {
  if (a.literal == 1)
    return b;
  if (b.literal == 1)
    return a;
  int64_t product;
  if (a.literal && b.literal &&
      !llvm::MulOverflow(*a.literal, *b.literal, product))
    return product;
  return compute(INVAR_OP_MUL_SATURATED, a, b);
}

//===-- Checks ----------------------------------------------------------------===//

void KernelBounds::check(Count holds, StringRef message) {
  encoder.assembler.emit(
      INVAR_OP_CHECK,
      {toRegister(holds), encoder.assembler.getString(message)});
}

void KernelBounds::expectEqual(Count a, Count b) {
  if (a.literal && b.literal ? a.literal == b.literal : a == b)
    return;
  std::pair<uint32_t, uint32_t> key = std::minmax(toRegister(a), toRegister(b));
  if (encoder.equalSizes.count(key))
    return;
  check(compute(INVAR_OP_EQUAL, a, b), "expected sizes that agree");
  encoder.equalSizes.insert(key, true);
}

void KernelBounds::expectBelow(Count place, Count size, StringRef message,
                               ArrayRef<Count> ranges) {
  if (place.literal && size.literal && *place.literal >= 0 &&
      *place.literal < *size.literal)
    return;
  checkUnlessEmpty(compute(INVAR_OP_LESS_UNSIGNED, place, size), message,
                   ranges);
}

void KernelBounds::checkUnlessEmpty(Count holds, StringRef message,
                                    ArrayRef<Count> ranges) {
  if (Count exempt = isEmpty(ranges); exempt.literal != 0)
    holds = compute(INVAR_OP_OR, holds, exempt);
  check(holds, message);
}

//===-- Parts and borders -----------------------------------------------------===//

constexpr StringLiteral partMessage =
    "expected a part that lies within its tensor";

/// An empty part may begin anywhere: an empty part of a part with steps begins where the
/// next element of the latter would be, which may be beyond the tensor.
void KernelBounds::checkSlice(tensor::ExtractSliceOp slice) {
  SmallVector<Count> sizes = llvm::map_to_vector(
      slice.getMixedSizes(), [&](OpFoldResult size) { return get(size); });
  for (int64_t axis = 0; axis < slice.getSourceType().getRank(); ++axis) {
    Count offset = get(slice.getMixedOffsets()[axis]);
    Count size = sizes[axis];
    Count step = get(slice.getMixedStrides()[axis]);
    Count whole = getSize(slice.getSource(), axis);
    if (!step.literal || *step.literal < 1) {
      giveUp();
      return;
    }
    // Static bounds have been verified with the operation.
    if ((offset.literal && size.literal && whole.literal) ||
        (offset.literal == 0 && step.literal == 1 && size == whole))
      continue;
    if (size.literal == 1) {
      expectBelow(offset, whole, partMessage, sizes);
      continue;
    }
    Count rest = whole;
    if (offset.literal != 0) {
      checkUnlessEmpty(compute(INVAR_OP_LESS_EQUAL_UNSIGNED, offset, whole),
                       partMessage, sizes);
      rest = compute(INVAR_OP_SUB, whole, offset);
    }
    if (step.literal != 1)
      rest = compute(INVAR_OP_CEIL_DIV, rest, step);
    check(compute(INVAR_OP_LESS_EQUAL_UNSIGNED, size, rest), partMessage);
  }
}

void KernelBounds::checkPad(tensor::PadOp pad) {
  for (auto borders : {pad.getMixedLowPad(), pad.getMixedHighPad()})
    for (OpFoldResult border : borders) {
      Count count = get(border);
      if (!count.literal || *count.literal < 0)
        check(compute(INVAR_OP_LESS_EQUAL, 0, count),
              "expected a border of at least 0");
    }
}

//===-- Loops -----------------------------------------------------------------===//

/// The greatest value of an expression of loops, when each loop is at its last iteration.
KernelBounds::Count KernelBounds::getLast(AffineExpr expr,
                                          ArrayRef<Count> ranges) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return add(ranges[dim.getPosition()], -1);
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  auto both = dyn_cast<AffineBinaryOpExpr>(expr);
  auto factor = both ? dyn_cast<AffineConstantExpr>(both.getRHS()) : nullptr;
  if (!both)
    return giveUp();
  if (both.getKind() == AffineExprKind::Add)
    return add(getLast(both.getLHS(), ranges), getLast(both.getRHS(), ranges));
  if (!factor || factor.getValue() < 1)
    return giveUp();
  if (both.getKind() == AffineExprKind::Mul)
    return multiply(getLast(both.getLHS(), ranges), factor.getValue());
  if (both.getKind() == AffineExprKind::Mod)
    return factor.getValue() - 1;
  if (both.getKind() == AffineExprKind::FloorDiv)
    return compute(INVAR_OP_FLOOR_DIV, getLast(both.getLHS(), ranges),
                   factor.getValue());
  return giveUp();
}

/// Whether one of the loops is empty, so that nothing is read.
KernelBounds::Count KernelBounds::isEmpty(ArrayRef<Count> ranges) {
  Count isEmpty = 0;
  for (Count range : ranges) {
    if (range.literal == 0)
      return 1;
    if (range.literal)
      continue;
    Count isZero = compute(INVAR_OP_EQUAL, range, 0);
    isEmpty = isEmpty.literal ? isZero : compute(INVAR_OP_OR, isEmpty, isZero);
  }
  return isEmpty;
}

SmallVector<KernelBounds::Count> KernelBounds::getRanges(linalg::LinalgOp op) {
  SmallVector<std::optional<Count>> ranges(op.getNumLoops());
  // All sizes of each loop; a literal takes precedence over others.
  SmallVector<std::pair<unsigned, Count>> sizes;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [axis, expr] : llvm::enumerate(map.getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
        Count size = getSize(operand.get(), int64_t(axis));
        sizes.push_back({dim.getPosition(), size});
        std::optional<Count> &range = ranges[dim.getPosition()];
        if (!range || (!range->literal && size.literal))
          range = size;
      }
  }
  for (auto [loop, size] : sizes)
    expectEqual(*ranges[loop], size);
  return llvm::map_to_vector(ranges, [&](std::optional<Count> range) {
    return range ? *range : giveUp();
  });
}

void KernelBounds::checkLoops(linalg::LinalgOp op) {
  SmallVector<Count> ranges = getRanges(op);
  auto isLiteral = [](Count count) { return count.literal.has_value(); };
  bool areLiteral = llvm::all_of(ranges, isLiteral);
  constexpr StringLiteral message = "expected sizes that cover all places";
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [axis, expr] : llvm::enumerate(map.getResults())) {
      Count size = getSize(operand.get(), int64_t(axis));
      // Static bounds have been verified with the operation.
      if (!isa<AffineDimExpr>(expr) && !(areLiteral && size.literal))
        expectBelow(getLast(expr, ranges), size, message, ranges);
    }
  }
  op->walk([&](tensor::ExtractOp extract) {
    for (auto [axis, index] : llvm::enumerate(extract.getIndices())) {
      auto loop = index.getDefiningOp<linalg::IndexOp>();
      std::optional<int64_t> literal = getConstantIntValue(index);
      if (!loop && !literal)
        continue;
      Count size = getSize(extract.getTensor(), int64_t(axis));
      if (literal) {
        expectBelow(*literal, size, message, ranges);
        continue;
      }
      Count range = ranges[loop.getDim()];
      bool isKnown = range == size || (range.literal && size.literal &&
                                       *range.literal <= *size.literal);
      if (!isKnown)
        check(compute(INVAR_OP_LESS_EQUAL, range, size), message);
    }
  });
}

LogicalResult KernelBounds::emit() {
  if (kernel.isExternal())
    return success();
  for (Operation &op : kernel.front()) {
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
      checkSlice(slice);
    else if (auto pad = dyn_cast<tensor::PadOp>(op))
      checkPad(pad);
    else if (auto loops = dyn_cast<linalg::LinalgOp>(op))
      checkLoops(loops);
    if (isLost)
      return call.emitError("expected a kernel whose bounds can be checked, "
                            "but got '")
             << op.getName() << "' in '" << kernel.getName() << "'";
  }
  return success();
}
