// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Quantize.h"

#include "invar/Dialect/ONNX/Shapes.h"
#include "invar/Dialect/ONNX/SlidingWindow.h"
#include "invar/Elements/IR/DataTypes.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

LogicalResult ConvIntegerOp::verify() {
  return verifyConvolution(*this, getX(), getW(), /*b=*/nullptr, getAutoPad(),
                           getGroup(),
                           {getKernelShape(), getStrides(), getDilations(),
                            getPads(), std::nullopt});
}

LogicalResult QLinearConvOp::verify() {
  return verifyConvolution(*this, getX(), getW(), getB(), getAutoPad(),
                           getGroup(),
                           {getKernelShape(), getStrides(), getDilations(),
                            getPads(), std::nullopt});
}

LogicalResult MatMulIntegerOp::verify() {
  return Check(*this).contraction("(C1)", getA(), getB());
}

LogicalResult QLinearMatMulOp::verify() {
  return Check(*this).contraction("(C1)", getA(), getB());
}

/// Whether there is certainly more than one element: a vector of one element counts as
/// a scalar.
static bool hasSeveral(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && llvm::any_of(type.getShape(), [](int64_t size) {
           return size != 1 && !ShapedType::isDynamic(size);
         });
}

/// Checks that there is a scale for each block of `axis`, and for each index of the others.
static void checkBlocks(Check &check, Value x, Value scale, int64_t axis,
                        int64_t blockSize) {
  int64_t rank = rankOf(x).value_or(0);
  // The default axis 1 means the only axis of a vector.
  int64_t blocked = rank == 1 ? 0 : normalizeAxis(axis, rank).value_or(rank);
  for (int64_t i = 0; i < rank; ++i) {
    std::optional<int64_t> size = dimOf(x, i);
    if (i == blocked && size)
      size = int64_t(llvm::divideCeil(uint64_t(*size), uint64_t(blockSize)));
    check.dim("(C3)", "scale", scale, i, size);
  }
}

/// Checks (C1) to (C5) of both directions; the operators name their operands differently.
template <typename Op>
static Check verifyQuantization(Op op, Value x, Value scale, Value zeroPoint) {
  int64_t axis = op.getAxis(), blockSize = op.getBlockSize();
  bool several = hasSeveral(scale);
  Check check(op);
  check.atLeast("(C2)", "block_size", blockSize, 0);
  // The standard defines no axis for vectors: the default 1 must pass there.
  if (several && rankOf(x).value_or(0) > 1)
    check.axis("(C1)", "axis", axis, x);
  if (blockSize > 0) {
    check.sameRank("(C2)", "scale", scale, "x", x);
    if (succeeded(check))
      checkBlocks(check, x, scale, axis, blockSize);
  } else if (several && rankOf(x) != 1 && succeeded(check)) {
    check.vector("(C3)", "scale", scale, dimOf(x, axis));
  }
  if (zeroPoint && (several || hasSeveral(zeroPoint))) {
    check.sameRank("(C4)", "zero_point", zeroPoint, "scale", scale);
    for (int64_t i = 0, rank = rankOf(scale).value_or(0); i < rank; ++i)
      check.dim("(C4)", "zero_point", zeroPoint, i, dimOf(scale, i));
  }
  if (op.getOutputDtype() != 0)
    check.dataType("(C5)", "output_dtype", op.getOutputDtype(), op.getY());
  return check;
}

LogicalResult DequantizeLinearOp::verify() {
  return verifyQuantization(*this, getX(), getXScale(), getXZeroPoint());
}

LogicalResult QuantizeLinearOp::verify() {
  Check check = verifyQuantization(*this, getX(), getYScale(), getYZeroPoint());
  if (getPrecision() != 0)
    check.floatType("(C6)", "precision", getPrecision());
  return check.flag("(C7)", "saturate", getSaturate());
}

//===-- Shapes ----------------------------------------------------------------===//

/// Checks that there is one scale or zero point of weights, or one for each feature.
static LogicalResult expectFeatures(ShapeHelper &shape, Value w,
                                    ValueRange parameters) {
  for (Value parameter : parameters) {
    if (!parameter || shape.getRank(parameter) != 1 || !shape.hasShape(w))
      continue;
    IndexExpr count = shape.getDim(parameter, 0);
    if (count.isLiteral() && !count.isLiteral(1) &&
        failed(shape.expectEqual(
            count, shape.getDim(w, 0),
            "the features of weights and of their scales or zero points")))
      return failure();
  }
  return success();
}

FailureOr<SlidingWindow> ConvIntegerOp::computeWindow(ShapeHelper &shape) {
  return onnx::computeWindow(shape, "(C6)", convolutionOf(*this, shape));
}

LogicalResult ConvIntegerOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  if (failed(expectFeatures(shape, in.getW(), in.getWZeroPoint())))
    return failure();
  return onnx::computeShape(shape, "(C6)", convolutionOf(*this, shape));
}

FailureOr<SlidingWindow> QLinearConvOp::computeWindow(ShapeHelper &shape) {
  return onnx::computeWindow(shape, "(C6)", convolutionOf(*this, shape));
}

LogicalResult QLinearConvOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  if (failed(expectFeatures(shape, in.getW(),
                            {in.getWScale(), in.getWZeroPoint()})))
    return failure();
  return onnx::computeShape(shape, "(C6)", convolutionOf(*this, shape));
}

LogicalResult MatMulIntegerOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  return shape::matMul(shape, in.getA(), in.getB());
}

LogicalResult QLinearMatMulOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  return shape::matMul(shape, in.getA(), in.getB());
}

/// Returns the type of `output_dtype`, null if it is not given. The verifier has
/// checked it.
template <typename Op> static Type getGivenType(Op op) {
  if (op.getOutputDtype() == 0)
    return nullptr;
  return elements::toType(op.getContext(),
                          *dataTypeFromNumber(op.getOutputDtype()));
}

LogicalResult DequantizeLinearOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  Type type = getGivenType(*this), scaleType = elementTypeOf(in.getXScale());
  // A scale type that has only an exponent does not determine the result's type.
  if (!type && !isa_and_nonnull<Float8E8M0FNUType>(scaleType))
    type = scaleType;
  shape.setElementType(type);
  return shape::sameAsFirst(shape);
}

LogicalResult DynamicQuantizeLinearOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  if (shape.hasShape(in.getX()))
    shape.setDimsOf(getY(), shape.getDims(in.getX()));
  shape.setDimsOf(getYScale(), {});
  shape.setDimsOf(getYZeroPoint(), {});
  return success();
}

LogicalResult QuantizeLinearOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  Type type = getGivenType(*this);
  if (!type && !in.getYZeroPoint())
    type = elements::toType(getContext(), DataType::UInt8);
  shape.setElementType(type);
  return shape::sameAsFirst(shape);
}
