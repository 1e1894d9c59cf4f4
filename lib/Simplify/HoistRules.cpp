// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes loop-invariant values once, before the loop.
//
// A loop may run zero times. Then hoisted operators run for nothing, and must not fail.
// So unless a loop is known to run, only operators that have a result for all operands
// of their types are hoisted.
#include "EqualOperations.h"
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/Arithmetic.h"
#include "invar/Dialect/ONNX/Ops/Concat.h"
#include "invar/Dialect/ONNX/Ops/Constant.h"
#include "invar/Dialect/ONNX/Ops/Control.h"
#include "invar/Dialect/ONNX/Ops/Expand.h"
#include "invar/Dialect/ONNX/Ops/Gather.h"
#include "invar/Dialect/ONNX/Ops/Logic.h"
#include "invar/Dialect/ONNX/Ops/MatMul.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "invar/Dialect/ONNX/Ops/Slice.h"
#include "invar/Dialect/ONNX/Ops/Softmax.h"
#include "invar/Dialect/ONNX/Ops/Transpose.h"
#include "invar/Dialect/ONNX/Traits.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- What cannot fail ------------------------------------------------------===//

static bool isOfNumbers(Value value) {
  return getElementTypeOrSelf(value.getType()).isIntOrFloat();
}

static bool isStatic(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape();
}

/// Whether values have shapes that are known to broadcast.
static bool doBroadcast(ValueRange values) {
  int64_t rank = 0;
  for (Value value : values) {
    if (!getRank(value))
      return false;
    rank = std::max(rank, *getRank(value));
  }
  auto sizeOf = [](Value value, int64_t axis) {
    return cast<RankedTensorType>(value.getType()).getDimSize(axis);
  };
  // Axes count from the back.
  for (int64_t back = 1; back <= rank; ++back) {
    Value first;
    for (Value value : values) {
      int64_t axis = *getRank(value) - back;
      if (axis < 0 || sizeOf(value, axis) == 1)
        continue;
      if (first && !haveSameSize(first, *getRank(first) - back, value, axis))
        return false;
      first = value;
    }
  }
  return true;
}

/// Whether all indices are known to be in range.
static bool isInRange(GatherOp op, Rewriting &rewriting) {
  auto type = dyn_cast<RankedTensorType>(op.getData().getType());
  std::optional<SmallVector<int64_t>> indices =
      rewriting.getInts(op.getIndices());
  std::optional<int64_t> axis =
      type ? normalizeAxis(op.getAxis(), type.getRank()) : std::nullopt;
  if (!indices || !axis || type.isDynamicDim(*axis))
    return false;
  int64_t size = type.getDimSize(*axis);
  return llvm::all_of(
      *indices, [&](int64_t index) { return index >= -size && index < size; });
}

/// Whether an operator has a result for all operands of their types. Inference has
/// checked the types themselves.
static bool cannotFail(Operation *op, Rewriting &rewriting) {
  if (!llvm::all_of(op->getOperands(), isOfNumbers) ||
      !llvm::all_of(op->getResults(), isOfNumbers))
    return false;
  // Elementwise operators have a result for every element.
  if (isElementwise(op) || isa<IdentityOp, ShapeOp, SizeOp>(op))
    return true;
  Value x = op->getNumOperands() ? op->getOperand(0) : Value();
  auto haveConstantArguments = [&] {
    return llvm::all_of(op->getOperands().drop_front(), [&](Value argument) {
      return rewriting.isConstant(argument);
    });
  };
  // The rank is known, so inference has checked the axes.
  if (isa<FlattenOp, LogSoftmaxOp, SoftmaxOp, TransposeOp>(op))
    return getRank(x).has_value();
  if (isa<SliceOp, UnsqueezeOp>(op))
    return getRank(x) && haveConstantArguments();
  // Integer division by zero and the like may trap.
  bool isOfFloats = llvm::all_of(op->getOperands(), [](Value operand) {
    return isa<FloatType>(getElementTypeOrSelf(operand.getType()));
  });
  if (isa<BitShiftOp, ModOp>(op) || (isa<DivOp, PowOp>(op) && !isOfFloats))
    return false;
  if (op->hasTrait<Broadcasting>())
    return doBroadcast(op->getOperands());
  // With static shapes, inference has checked that the sizes fit.
  bool isOfStatic = llvm::all_of(op->getOperands(), isStatic) &&
                    llvm::all_of(op->getResults(), isStatic);
  if (!isOfStatic)
    return false;
  if (isa<ExpandOp, ReshapeOp, SqueezeOp>(op))
    return haveConstantArguments();
  if (auto gather = dyn_cast<GatherOp>(op))
    return isInRange(gather, rewriting);
  return isa<ConcatOp, GemmOp, MatMulOp>(op);
}

//===-- What is the same in each run ------------------------------------------===//

/// A value that a graph yields must be computed in it, if only by an Identity.
static bool isYielded(Operation *op) {
  return llvm::is_contained(op->getUsers(), op->getBlock()->getTerminator());
}

namespace {
/// The body of a loop, whose invariant operators are hoisted.
class Body {
public:
  Body(Operation *loop, Rewriting &rewriting)
      : graph(loop->getRegion(0)), rewriting(rewriting),
        runs(runsAtLeastOnce(loop, rewriting)) {}

  bool hoistAll();

private:
  bool isInside(Value value) const {
    return graph.isAncestor(value.getParentRegion());
  }
  bool isInvariant(Operation *op);
  bool addConstants(Value value);
  bool copyBefore(Operation *op, ArrayRef<Operation *> hoisted);

  Region &graph;
  Rewriting &rewriting;
  bool runs;
  /// The operators that compute constants which the current operator needs.
  SetVector<Operation *> constants;
};
} // namespace

/// Collects the operators in the body that compute a constant; false if one of them
/// must stay.
bool Body::addConstants(Value value) {
  SmallVector<Value> left = {value};
  while (!left.empty()) {
    Value next = left.pop_back_val();
    if (!isInside(next))
      continue;
    Operation *op = next.getDefiningOp();
    if (!op || op->getBlock() != &graph.front() ||
        !rewriting.isConstant(next) || !isFunction(op) || isYielded(op))
      return false;
    if (constants.insert(op))
      llvm::append_range(left, op->getOperands());
  }
  return true;
}

bool Body::isInvariant(Operation *op) {
  if (isa<ConstantOp>(op) || !isFunction(op) || isYielded(op) ||
      llvm::all_of(op->getResults(),
                   [&](Value result) { return rewriting.isConstant(result); }))
    return false;
  constants.clear();
  return (runs || cannotFail(op, rewriting)) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return !isInside(operand) || addConstants(operand);
         });
}

/// If a constant must stay in the body (EqualOperations.h) and has other users there,
/// gives the hoisted operators a copy.
bool Body::copyBefore(Operation *op, ArrayRef<Operation *> hoisted) {
  const Elements *content =
      isa<ConstantOp>(op) ? rewriting.getConstant(op->getResult(0)) : nullptr;
  auto isHoisted = [&](Operation *user) {
    return llvm::is_contained(hoisted, user);
  };
  if (!content || !isFewIntegers(*content) ||
      llvm::all_of(op->getUsers(), isHoisted))
    return false;
  Value copy = rewriting.makeConstant(*content);
  for (Operation *user : hoisted)
    for (auto [i, operand] : llvm::enumerate(user->getOperands()))
      if (operand == op->getResult(0))
        rewriting.setOperand(user, i, copy);
  return true;
}

bool Body::hoistAll() {
  bool isAny = false;
  for (Operation &op :
       llvm::make_early_inc_range(graph.front().without_terminator())) {
    if (!isInvariant(&op))
      continue;
    isAny = true;
    SmallVector<Operation *> needed(constants.begin(), constants.end());
    llvm::sort(needed, [](Operation *a, Operation *b) {
      return a->isBeforeInBlock(b);
    });
    needed.push_back(&op);
    for (Operation *hoisted : needed)
      if (!copyBefore(hoisted, needed))
        rewriting.hoist(hoisted);
  }
  return isAny;
}

static constexpr StringLiteral hoistInvariantPattern =
    "Loop(s) {a(f(x), s)} -> f(x), Loop(s) {a(f(x), s)} [x from outside; an "
    "operator less in a loop]";
static LogicalResult hoistInvariant(Operation *op, Rewriting &rewriting) {
  return success(!hasBatch(op, rewriting) && Body(op, rewriting).hoistAll());
}

void invar::addHoistRules(std::vector<Rule> &rules) {
  rules.push_back(
      makeRuleFor<LoopOp, ScanOp>("hoist-invariant", RuleGroup::Exact,
                                  hoistInvariantPattern, hoistInvariant));
}
