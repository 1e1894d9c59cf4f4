// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Order.h"

#include "Rules.h"
#include "invar/Dialect/ONNX/Ops/Activation.h"
#include "invar/Dialect/ONNX/Ops/Arithmetic.h"
#include "invar/Dialect/ONNX/Ops/Cast.h"
#include "invar/Dialect/ONNX/Ops/Concat.h"
#include "invar/Dialect/ONNX/Ops/Pad.h"
#include "invar/Dialect/ONNX/Ops/Quantize.h"
#include "invar/Dialect/ONNX/Ops/Reduce.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "invar/Dialect/ONNX/Ops/Slice.h"
#include "invar/Dialect/ONNX/Ops/Softmax.h"
#include "invar/Dialect/ONNX/Ops/Transpose.h"
#include "invar/Dialect/ONNX/Traits.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- Orders ----------------------------------------------------------------===//

bool invar::isInOrder(ArrayRef<int64_t> order) {
  return llvm::equal(order, llvm::seq<int64_t>(order.size()));
}

Order invar::invert(ArrayRef<int64_t> order) {
  Order inverse(order.size());
  for (auto [axis, source] : llvm::enumerate(order))
    inverse[source] = int64_t(axis);
  return inverse;
}

Order invar::compose(ArrayRef<int64_t> first, ArrayRef<int64_t> second) {
  return llvm::map_to_vector(second, [&](int64_t axis) { return first[axis]; });
}

Order invar::getOrderOfMatrices(int64_t rank) {
  Order order = llvm::to_vector(llvm::seq(rank));
  std::swap(order[rank - 2], order[rank - 1]);
  return order;
}

Value invar::makeTranspose(Value value, ArrayRef<int64_t> order,
                           Rewriting &rewriting) {
  if (!value || isInOrder(order))
    return value;
  return rewriting.make<TransposeOp>(
      value, rewriting.getBuilder().getDenseI64ArrayAttr(order));
}

/// Converts axes of a value in this order to axes of the original value.
static SmallVector<int64_t> withoutOrder(ArrayRef<int64_t> axes,
                                         ArrayRef<int64_t> order) {
  return compose(order, axes);
}

/// The order of the remaining axes when `axes` are removed.
static Order removeAxes(ArrayRef<int64_t> order, ArrayRef<int64_t> axes) {
  SmallVector<int64_t> taken = withoutOrder(axes, order);
  Order left;
  for (int64_t source : order)
    if (!llvm::is_contained(taken, source))
      left.push_back(source - llvm::count_if(taken, [&](int64_t axis) {
                       return axis < source;
                     }));
  return left;
}

/// The order with `axes` inserted, which are at the same places in the original value.
static Order insertAxes(ArrayRef<int64_t> order, ArrayRef<int64_t> axes) {
  size_t rank = order.size() + axes.size();
  SmallVector<int64_t> others;
  for (int64_t axis : llvm::seq<int64_t>(rank))
    if (!llvm::is_contained(axes, axis))
      others.push_back(axis);
  Order all = llvm::to_vector(llvm::seq<int64_t>(rank));
  for (auto [axis, source] : llvm::zip_equal(others, order))
    all[axis] = others[source];
  return all;
}

//===-- Operators that orders pass --------------------------------------------===//

/// Whether an operator treats its first operand element by element.
static bool isUnary(Operation *op) {
  return isElementwise(op) || isa<CastLikeOp, ClipOp>(op);
}

/// Whether an operator broadcasts all its operands and treats them element by element.
static bool isBroadcasting(Operation *op) {
  return op->hasTrait<Broadcasting>();
}

static bool isQuantizing(Operation *op) {
  return isa<QuantizeLinearOp, DequantizeLinearOp>(op);
}

/// The axes that an operator removes, inserts or reduces; none if they are unknown.
static std::optional<SmallVector<int64_t>>
getListedAxes(Operation *op, const Rewriting &rewriting) {
  Value list = op->getNumOperands() > 1 ? op->getOperand(1) : Value();
  int64_t rank =
      *getRank(isa<UnsqueezeOp>(op) ? op->getResult(0) : op->getOperand(0));
  std::optional<SmallVector<int64_t>> axes;
  if (list) {
    axes = getAxes(list, rank, rewriting);
    // A repeated axis is an error or counts once; such lists are not handled.
    if (!axes ||
        llvm::SmallDenseSet<int64_t>(axes->begin(), axes->end()).size() !=
            axes->size())
      return std::nullopt;
  }
  if (auto reduction = dyn_cast<ReductionOpInterface>(op);
      reduction && (!list || axes->empty()))
    return reduction.getNoopWithEmptyAxes() ? SmallVector<int64_t>()
                                            : llvm::to_vector(llvm::seq(rank));
  return axes;
}

/// The attribute `axis`, counted from the front.
static std::optional<int64_t> getAxis(Operation *op) {
  auto axis = op->getAttrOfType<IntegerAttr>("axis");
  // Each operator has its own default.
  int64_t number = axis                                          ? axis.getInt()
                   : isQuantizing(op)                            ? 1
                   : isa<SoftmaxOp, LogSoftmaxOp, HardmaxOp>(op) ? -1
                                                                 : 0;
  return normalizeAxis(number, *getRank(op->getOperand(0)));
}

/// The axes of a Slice or a Pad; none if they are unknown.
static std::optional<SmallVector<int64_t>>
getCutAxes(Operation *op, Value list, const Rewriting &rewriting) {
  int64_t rank = *getRank(op->getOperand(0));
  if (list)
    return getAxes(list, rank, rewriting);
  auto type = dyn_cast<RankedTensorType>(op->getOperand(1).getType());
  if (!type || type.getRank() != 1 || type.isDynamicDim(0))
    return std::nullopt;
  int64_t count = type.getDimSize(0) / (isa<PadOp>(op) ? 2 : 1);
  if (count > rank)
    return std::nullopt;
  return llvm::to_vector(llvm::seq(count));
}

static bool keepsReducedAxes(Operation *op) {
  if (auto reduction = dyn_cast<ReductionOpInterface>(op))
    return reduction.getKeepdims();
  if (auto extreme = dyn_cast<ArgMaxOp>(op))
    return extreme.getKeepdims();
  if (auto extreme = dyn_cast<ArgMinOp>(op))
    return extreme.getKeepdims();
  return true;
}

/// Whether a reduction has the same result in any order of elements.
static bool isExactReduction(Operation *op) {
  bool isInteger =
      isa<IntegerType>(getElementTypeOrSelf(op->getResult(0).getType()));
  return isa<ReduceMaxOp, ReduceMinOp>(op) ||
         (isInteger && isa<ReduceSumOp, ReduceProdOp>(op));
}

bool invar::passesOrder(Operation *op, bool mayRound,
                        const Rewriting &rewriting) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0 ||
      !getRank(op->getResult(0)) || !getRank(op->getOperand(0)))
    return false;
  if (isUnary(op) || isBroadcasting(op))
    return true;
  if (isa<ReductionOpInterface>(op))
    return (mayRound || isExactReduction(op)) && getListedAxes(op, rewriting);
  if (isa<SqueezeOp, UnsqueezeOp>(op))
    return getListedAxes(op, rewriting).has_value();
  // Before opset 13, Softmax sums over all axes from `axis` on.
  if (isa<SoftmaxOp, LogSoftmaxOp, HardmaxOp>(op) &&
      (rewriting.getOpset() < 13 || !(mayRound || isa<HardmaxOp>(op))))
    return false;
  if (isa<ConcatOp, ArgMaxOp, ArgMinOp, SoftmaxOp, LogSoftmaxOp, HardmaxOp>(op))
    return getAxis(op).has_value();
  if (auto slice = dyn_cast<SliceOp>(op))
    return getCutAxes(op, slice.getAxes(), rewriting).has_value();
  if (auto pad = dyn_cast<PadOp>(op))
    return (pad.getAxes() || rewriting.getInts(pad.getPads())) &&
           getCutAxes(op, pad.getAxes(), rewriting);
  if (isQuantizing(op)) {
    auto block = op->getAttrOfType<IntegerAttr>("block_size");
    std::optional<int64_t> scale = getRank(op->getOperand(1));
    return (!block || block.getInt() == 0) &&
           (scale == 0 || (scale == 1 && getAxis(op)));
  }
  return false;
}

ValueRange invar::getOrderedOperands(Operation *op) {
  ValueRange operands = op->getOperands();
  return isBroadcasting(op) || isa<ConcatOp>(op) ? operands
                                                 : operands.take_front(1);
}

bool invar::keepsAxes(Operation *op) {
  return !isa<SqueezeOp, UnsqueezeOp>(op) && keepsReducedAxes(op);
}

std::optional<Order> invar::getResultOrder(Operation *op,
                                           ArrayRef<int64_t> order,
                                           const Rewriting &rewriting) {
  if (keepsAxes(op))
    return getRank(op->getResult(0)) == int64_t(order.size())
               ? std::optional(Order(order))
               : std::nullopt;
  if (isa<ArgMaxOp, ArgMinOp>(op))
    return removeAxes(order, *getAxis(op));
  std::optional<SmallVector<int64_t>> axes = getListedAxes(op, rewriting);
  if (!axes)
    return std::nullopt;
  return isa<UnsqueezeOp>(op) ? insertAxes(order, *axes)
                              : removeAxes(order, *axes);
}

//===-- Operators without an order --------------------------------------------===//

/// A Pad of all axes lists its pads in the order of the axes, so they are reordered.
static Value makePad(PadOp op, ValueRange operands, ArrayRef<int64_t> order,
                     Rewriting &rewriting) {
  SmallVector<int64_t> pads = *rewriting.getInts(op.getPads());
  SmallVector<int64_t> moved(pads.size());
  size_t rank = order.size();
  if (pads.size() != 2 * rank)
    return {};
  for (auto [axis, source] : llvm::enumerate(order))
    for (size_t end : {size_t(0), rank})
      moved[end + source] = pads[end + axis];
  SmallVector<Value> all(operands);
  all[1] = rewriting.makeInts(moved);
  return rewriting.makeLike(op, all);
}

Value invar::makeInOrder(Operation *op, ValueRange operands,
                         ArrayRef<int64_t> order, Rewriting &rewriting) {
  Builder &builder = rewriting.getBuilder();
  SmallVector<Value> all(operands);
  bool isPerAxis = isQuantizing(op) && getRank(op->getOperand(1)) == 1;
  if (isPerAxis ||
      isa<ConcatOp, ArgMaxOp, ArgMinOp, SoftmaxOp, LogSoftmaxOp, HardmaxOp>(op))
    return rewriting.makeLike(
        op, all,
        builder.getNamedAttr("axis",
                             builder.getI64IntegerAttr(order[*getAxis(op)])));
  if (isa<SliceOp, PadOp>(op)) {
    auto slice = dyn_cast<SliceOp>(op);
    auto pad = dyn_cast<PadOp>(op);
    Value list = slice ? slice.getAxes() : pad.getAxes();
    if (pad && !list)
      return makePad(pad, all, order, rewriting);
    std::optional<SmallVector<int64_t>> axes = getCutAxes(op, list, rewriting);
    Value moved = rewriting.makeInts(withoutOrder(*axes, order));
    // All lists of a Slice must have one type.
    if (slice && getElementTypeOrSelf(slice.getStarts().getType()) !=
                     getElementTypeOrSelf(moved.getType()))
      moved = rewriting.make<CastLikeOp>(moved, slice.getStarts(), StringAttr(),
                                         IntegerAttr());
    if (slice)
      return rewriting.make<SliceOp>(all[0], slice.getStarts(), slice.getEnds(),
                                     moved, slice.getSteps());
    return rewriting.make<PadOp>(all[0], pad.getPads(), pad.getConstantValue(),
                                 moved, pad.getModeAttr());
  }
  if (isa<SqueezeOp, ReductionOpInterface>(op) && all.size() > 1)
    all[1] =
        rewriting.makeInts(withoutOrder(*getListedAxes(op, rewriting), order));
  return rewriting.makeLike(op, all);
}
