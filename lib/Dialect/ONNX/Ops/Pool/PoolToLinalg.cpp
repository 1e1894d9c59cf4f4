// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Conversion/ONNXToLinalg/Movement.h"
#include "invar/Conversion/ONNXToLinalg/Rows.h"
#include "invar/Conversion/ONNXToLinalg/Window.h"
#include "invar/Dialect/ONNX/Ops/Pool.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- Moving windows --------------------------------------------------------===//

namespace {
/// A pool that is being lowered: its window and its operand.
struct Pool {
  SlidingWindow window;
  Value x;
  Type elementType;
  SmallVector<OpFoldResult> sizes; ///< Of the result.
};
} // namespace

template <typename Op> static FailureOr<Pool> getPool(Op op, Lowering &to) {
  RankedTensorType type = to.getType(op.getX());
  if (!type || type.getRank() < 2)
    return to.decline("expected an operand of a known rank");
  FailureOr<SlidingWindow> window = op.computeWindow(to.getShapeHelper());
  if (failed(window))
    return failure();
  Value x = to.get(op.getX());
  SmallVector<OpFoldResult> own = to.sizesOf(x), sizes = {own[0], own[1]};
  llvm::append_range(sizes, toSizes(to, window->output));
  return Pool{std::move(*window), x, type.getElementType(), std::move(sizes)};
}

/// Reduces the elements under each window, in the type of sums. `border` must be the
/// neutral element.
static Value poolBy(Lowering &to, const Pool &pool, const Reduction &reduction,
                    Value border) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  SlidingWindow window = pool.window;
  DimsExpr image = to.getShapeHelper().getDims(pool.x);
  // A last window that is not full extends beyond the padding.
  for (size_t i = 0; i < window.output.size(); ++i) {
    IndexExpr end = (window.output[i] - 1) * window.strides[i] +
                    (window.kernel[i] - 1) * window.dilations[i] + 1;
    IndexExpr missing = end - image[2 + i] - window.padsBegin[i];
    if (!(window.padsEnd[i] - missing).isAtLeast(0))
      window.padsEnd[i] = IndexExpr::max(window.padsEnd[i], missing);
  }
  unsigned axes = window.output.size(), firstTap = 2 + axes;
  unsigned loops = firstTap + axes;
  SmallVector<AffineExpr> ofX = {builder.getAffineDimExpr(0),
                                 builder.getAffineDimExpr(1)};
  addTaps(to, window, ArrayRef(image).drop_front(2), /*place=*/2, firstTap,
          ofX);
  MLIRContext *context = builder.getContext();
  SmallVector<bool> isReduced(firstTap, false);
  isReduced.resize(loops, true);
  // Only the sizes of this operand are used; no other operand has them.
  Value taps = to.makeEmpty(toSizes(to, window.kernel), pool.elementType);
  return makeReduction(to, {makeBorder(to, pool.x, window, border), taps},
                       {AffineMap::get(loops, 0, ofX, context),
                        getLoops(context, loops, firstTap, axes),
                        getLoops(context, loops, 0, firstTap)},
                       isReduced, pool.sizes, reduction);
}

static Value sumUp(Lowering &to, const Pool &pool, Compute term) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  return poolBy(
      to, pool,
      {builder.getZeroAttr(getSumType(builder, pool.elementType)),
       /*isUnsigned=*/false,
       [&](Number total, ArrayRef<Number> in) { return total + term(in); }},
      makeZero(builder, builder.getLoc(), pool.elementType));
}

/// Computes the result's elements from the reduced values.
static Value finish(Lowering &to, const Pool &pool, Value totals,
                    Compute compute) {
  Rows rows(to, totals, {});
  return rows.ofAll(rows.each(totals), pool.elementType, compute);
}

namespace {
/// The number of elements under a window: of the image, or also of its padding.
class TapCount {
public:
  TapCount(Lowering &to, const Pool &pool, bool countPadding);

  /// In a loop over the result: returns the count as a number of the type of `like`.
  Number get(const Number &like) const;

private:
  /// An axis along which a window may not be full.
  struct Axis {
    unsigned number;
    int64_t stride, dilation;
    OpFoldResult kernel, begin;
    /// The range of counted elements, as positions in the image.
    OpFoldResult low, high;
  };

  /// The product of the counts along all other axes.
  double full = 1;
  SmallVector<Axis> axes;
};
} // namespace

TapCount::TapCount(Lowering &to, const Pool &pool, bool countPadding) {
  const SlidingWindow &window = pool.window;
  DimsExpr image = to.getShapeHelper().getDims(pool.x);
  for (unsigned i = 0; i < window.output.size(); ++i) {
    IndexExpr begin = window.padsBegin[i], kernel = window.kernel[i];
    IndexExpr low = countPadding ? IndexExpr(0) - begin : IndexExpr(0);
    IndexExpr high =
        countPadding ? image[2 + i] + window.padsEnd[i] : image[2 + i];
    IndexExpr last = (window.output[i] - 1) * window.strides[i] - begin +
                     (kernel - 1) * window.dilations[i];
    bool isFull =
        (IndexExpr(0) - begin - low).isAtLeast(0) && (high - last).isAtLeast(1);
    if (isFull && kernel.isLiteral())
      full *= double(kernel.getLiteral());
    else
      axes.push_back({i, window.strides[i].getLiteral(),
                      window.dilations[i].getLiteral(), to.toSize(kernel),
                      to.toSize(begin), to.toSize(low), to.toSize(high)});
  }
}

Number TapCount::get(const Number &like) const {
  ImplicitLocOpBuilder inside(like.getLoc(), like.getBuilder());
  Number total = Number(full).like(like);
  for (const Axis &axis : axes) {
    Number place(inside, inside.getLoc(),
                 linalg::IndexOp::create(inside, 2 + axis.number));
    Number first = place * Number(axis.stride) - toPlace(inside, axis.begin);
    auto countBelow = [&](OpFoldResult limit) {
      Number distance = maximum(toPlace(inside, limit) - first, Number(0));
      if (axis.dilation != 1)
        distance =
            (distance + Number(axis.dilation - 1)) / Number(axis.dilation);
      return minimum(distance, toPlace(inside, axis.kernel));
    };
    Number count = countBelow(axis.high) - countBelow(axis.low);
    Value integer = arith::IndexCastOp::create(inside, inside.getI64Type(),
                                               count.getValue());
    total =
        total * Number(inside, inside.getLoc(), integer).castTo(like.getType());
  }
  return total;
}

static LogicalResult lower(AveragePoolOp op, Lowering &to) {
  FailureOr<Pool> pool = getPool(op, to);
  if (failed(pool))
    return failure();
  Value sums = sumUp(to, *pool, [](ArrayRef<Number> in) { return in[0]; });
  TapCount count(to, *pool, op.getCountIncludePad() != 0);
  return to.set(op.getY(), finish(to, *pool, sums, [&](ArrayRef<Number> in) {
                  return in[0] / count.get(in[0]);
                }));
}

/// The p-th power of a magnitude, and the inverse.
static Number raise(Number x, int64_t p) {
  return p == 1 ? absolute(x) : p == 2 ? x * x : pow(absolute(x), Number(p));
}
static Number takeRoot(Number x, int64_t p) {
  return p == 1 ? x : p == 2 ? sqrt(x) : pow(x, Number(1 / double(p)));
}

static LogicalResult lower(LpPoolOp op, Lowering &to) {
  FailureOr<Pool> pool = getPool(op, to);
  if (failed(pool))
    return failure();
  Value sums = sumUp(
      to, *pool, [&](ArrayRef<Number> in) { return raise(in[0], op.getP()); });
  return to.set(op.getY(), finish(to, *pool, sums, [&](ArrayRef<Number> in) {
                  return takeRoot(in[0], op.getP());
                }));
}

static LogicalResult lower(MaxPoolOp op, Lowering &to) {
  if (op.getIndices()) {
    // No loop computes the positions of the greatest elements.
    FailureOr<RuntimeCall> call = op.describeCall(to.getShapeHelper());
    return succeeded(call) ? to.call(*call) : failure();
  }
  FailureOr<Pool> pool = getPool(op, to);
  if (failed(pool))
    return failure();
  ImplicitLocOpBuilder &builder = to.getBuilder();
  TypedAttr lowest = getLimit(builder, pool->elementType, /*isLowest=*/true);
  Number border(builder, builder.getLoc(),
                arith::ConstantOp::create(builder, lowest));
  Value greatest = poolBy(
      to, *pool,
      {lowest, isUnsigned(pool->elementType),
       [](Number total, ArrayRef<Number> in) { return maximum(total, in[0]); }},
      toElement(border, pool->elementType));
  if (lowest.getType() != pool->elementType)
    greatest =
        finish(to, *pool, greatest, [](ArrayRef<Number> in) { return in[0]; });
  return to.set(op.getY(), greatest);
}

//===-- All of an image -------------------------------------------------------===//

/// Lowers a pool over all spatial axes; `steps` computes an element for each channel.
template <typename Op>
static LogicalResult
poolAll(Op op, Lowering &to,
        function_ref<Value(const Rows &, LoopOperand, Type)> steps) {
  RankedTensorType type = to.getType(op.getX());
  if (!type || type.getRank() < 2)
    return to.decline("expected an operand of a known rank");
  Value x = to.get(op.getX());
  Rows rows(to, x, llvm::to_vector(llvm::seq<int64_t>(2, type.getRank())));
  return to.set(op.getY(), rows.keepAxes(steps(rows, rows.each(x),
                                               type.getElementType())));
}

static LogicalResult lower(GlobalAveragePoolOp op, Lowering &to) {
  return poolAll(op, to, [](const Rows &rows, LoopOperand x, Type element) {
    Value sum = rows.sum(x, [](ArrayRef<Number> in) { return in[0]; });
    return rows.ofRows(sum, element, [&](ArrayRef<Number> in) {
      return in[0] / rows.countFor(in[0]);
    });
  });
}

static LogicalResult lower(GlobalLpPoolOp op, Lowering &to) {
  return poolAll(op, to, [&](const Rows &rows, LoopOperand x, Type element) {
    Value sum = rows.sum(
        x, [&](ArrayRef<Number> in) { return raise(in[0], op.getP()); });
    return rows.ofRows(sum, element, [&](ArrayRef<Number> in) {
      return takeRoot(in[0], op.getP());
    });
  });
}

static LogicalResult lower(GlobalMaxPoolOp op, Lowering &to) {
  return poolAll(op, to, [](const Rows &rows, LoopOperand x, Type element) {
    Value greatest = rows.greatest(x.tensor);
    return element == rows.getWorkType()
               ? greatest
               : rows.ofRows(greatest, element,
                             [](ArrayRef<Number> in) { return in[0]; });
  });
}

void invar::onnx::addPoolLowerings(LoweringTable &table) {
  table.add<AveragePoolOp>(lower);
  table.add<GlobalAveragePoolOp>(lower);
  table.add<GlobalLpPoolOp>(lower);
  table.add<GlobalMaxPoolOp>(lower);
  table.add<LpPoolOp>(lower);
  table.add<MaxPoolOp>(lower);
  table.addCall<MaxRoiPoolOp>();
  table.addCall<MaxUnpoolOp>();
  table.addCall<RoiAlignOp>();
}
