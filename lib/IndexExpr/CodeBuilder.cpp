// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builders that emit code.
#include "invar/IndexExpr/Builder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace invar;

Value IndexExprBuilderForCode::emitElement(Value array, uint64_t i) {
  // A tensor of one element may have any rank.
  auto rank = size_t(cast<ShapedType>(array.getType()).getRank());
  SmallVector<Value, 1> indices;
  for (size_t axis = 0; axis < rank; ++axis)
    indices.push_back(arith::ConstantIndexOp::create(
        scope.getBuilder(), scope.getLoc(), axis + 1 == rank ? i : 0));
  return emitElement(array, indices);
}

Symbolic IndexExprBuilderForCode::getShape(Value value, uint64_t axis) {
  Symbolic &size = sizes[{value, axis}];
  if (!size)
    size = scope.getDim(emitSize(value, axis)).getSymbolic(scope.getContext());
  return size;
}

Symbolic IndexExprBuilderForCode::getValue(Value array, uint64_t i) {
  Symbolic &entry = entries[{array, i}];
  if (!entry) {
    OpBuilder &builder = scope.getBuilder();
    Value element = emitElement(array, i);
    auto type = cast<IntegerType>(element.getType());
    if (type.isUnsigned())
      element = UnrealizedConversionCastOp::create(
                    builder, scope.getLoc(),
                    builder.getIntegerType(type.getWidth()), element)
                    .getResult(0);
    Value index;
    if (type.isUnsigned() || type.getWidth() == 1)
      index = arith::IndexCastUIOp::create(builder, scope.getLoc(),
                                           builder.getIndexType(), element);
    else
      index = arith::IndexCastOp::create(builder, scope.getLoc(),
                                         builder.getIndexType(), element);
    entry = scope.getSymbol(index).getSymbolic(scope.getContext());
  }
  return entry;
}

Value IndexExprBuilderForCode::emitFloat(Value array, uint64_t i) {
  OpBuilder &builder = scope.getBuilder();
  if (std::optional<double> number = getFloatFromArrayAsLiteral(array, i))
    return arith::ConstantOp::create(builder, scope.getLoc(),
                                     builder.getF64FloatAttr(*number));
  Value element = emitElement(array, i);
  if (element.getType().isF64())
    return element;
  return arith::ExtFOp::create(builder, scope.getLoc(), builder.getF64Type(),
                               element);
}

IndexExpr IndexExprBuilderForCode::getScaled(IndexExpr size, Value scales,
                                             uint64_t i) {
  OpBuilder &builder = scope.getBuilder();
  Location loc = scope.getLoc();
  Value number = arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                            size.getValue(scope));
  // Round the product like a product of floats: size and scale are exact as doubles.
  Value product = arith::MulFOp::create(
      builder, loc,
      arith::SIToFPOp::create(builder, loc, builder.getF64Type(), number),
      emitFloat(scales, i));
  Value rounded =
      arith::TruncFOp::create(builder, loc, builder.getF32Type(), product);
  // Sizes are not negative, so rounding towards zero is rounding down.
  Value scaled =
      arith::FPToSIOp::create(builder, loc, builder.getI64Type(), rounded);
  return scope.getSymbol(
      arith::IndexCastOp::create(builder, loc, builder.getIndexType(), scaled));
}

IndexExpr IndexExprBuilderForCode::getStepCount(Value start, Value limit,
                                                Value delta) {
  OpBuilder &builder = scope.getBuilder();
  Location loc = scope.getLoc();
  Value span = arith::SubFOp::create(builder, loc, emitFloat(limit, 0),
                                     emitFloat(start, 0));
  Value steps = arith::DivFOp::create(builder, loc, span, emitFloat(delta, 0));
  // ceil(x) is the integer part, plus one if there is a remainder.
  Value whole =
      arith::FPToSIOp::create(builder, loc, builder.getI64Type(), steps);
  Value back =
      arith::SIToFPOp::create(builder, loc, builder.getF64Type(), whole);
  Value isMore = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT,
                                       steps, back);
  Value one =
      arith::ExtUIOp::create(builder, loc, builder.getI64Type(), isMore);
  Value count = arith::AddIOp::create(builder, loc, whole, one);
  IndexExpr index = scope.getSymbol(
      arith::IndexCastOp::create(builder, loc, builder.getIndexType(), count));
  return IndexExpr::max(index, 0);
}

Value IndexExprBuilderForLinalg::emitElement(Value array, ValueRange indices) {
  return tensor::ExtractOp::create(scope.getBuilder(), scope.getLoc(), array,
                                   indices);
}

Value IndexExprBuilderForLinalg::emitSize(Value value, int64_t axis) {
  return tensor::DimOp::create(scope.getBuilder(), scope.getLoc(), value, axis);
}

Value IndexExprBuilderForMemRef::emitElement(Value array, ValueRange indices) {
  return memref::LoadOp::create(scope.getBuilder(), scope.getLoc(), array,
                                indices);
}

Value IndexExprBuilderForMemRef::emitSize(Value value, int64_t axis) {
  return memref::DimOp::create(scope.getBuilder(), scope.getLoc(), value, axis);
}
