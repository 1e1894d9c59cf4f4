// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Formula.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace invar;

Type Formula::getType(Type element) const {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(element);
  return element;
}

Value Formula::constant(TypedAttr attribute) {
  Type whole = getType(attribute.getType());
  if (auto vector = dyn_cast<VectorType>(whole))
    attribute = SplatElementsAttr::get(vector, Attribute(attribute));
  return arith::ConstantOp::create(b, attribute);
}

Value Formula::number(double value) {
  return constant(b.getF32FloatAttr(value));
}
Value Formula::wideNumber(double value) {
  return constant(b.getF64FloatAttr(value));
}
Value Formula::integer(int32_t value) {
  return constant(b.getI32IntegerAttr(value));
}
Value Formula::wideInteger(int64_t value) {
  return constant(b.getI64IntegerAttr(value));
}

Value Formula::add(Value lhs, Value rhs) {
  return arith::AddFOp::create(b, lhs, rhs);
}
Value Formula::sub(Value lhs, Value rhs) {
  return arith::SubFOp::create(b, lhs, rhs);
}
Value Formula::mul(Value lhs, Value rhs) {
  return arith::MulFOp::create(b, lhs, rhs);
}
Value Formula::div(Value lhs, Value rhs) {
  return arith::DivFOp::create(b, lhs, rhs);
}
Value Formula::fma(Value lhs, Value rhs, Value sum) {
  return math::FmaOp::create(b, lhs, rhs, sum);
}
Value Formula::neg(Value value) { return arith::NegFOp::create(b, value); }
Value Formula::abs(Value value) { return math::AbsFOp::create(b, value); }
Value Formula::copySign(Value value, Value sign) {
  return math::CopySignOp::create(b, value, sign);
}

Value Formula::polynomial(Value x, ArrayRef<double> coefficients) {
  bool isWide = getElementTypeOrSelf(x).isF64();
  auto get = [&](double value) {
    return isWide ? wideNumber(value) : number(value);
  };
  Value sum = get(coefficients.back());
  for (double coefficient : llvm::reverse(coefficients.drop_back()))
    sum = fma(sum, x, get(coefficient));
  return sum;
}

Value Formula::compare(arith::CmpFPredicate predicate, Value lhs, Value rhs) {
  return arith::CmpFOp::create(b, predicate, lhs, rhs);
}
Value Formula::atLeast(Value value, Value bound) {
  return select(compare(arith::CmpFPredicate::OLT, value, bound), bound, value);
}
Value Formula::atMost(Value value, Value bound) {
  return select(compare(arith::CmpFPredicate::OGT, value, bound), bound, value);
}

Value Formula::addInt(Value lhs, Value rhs) {
  return arith::AddIOp::create(b, lhs, rhs);
}
Value Formula::subInt(Value lhs, Value rhs) {
  return arith::SubIOp::create(b, lhs, rhs);
}
Value Formula::shiftLeft(Value value, Value by) {
  return arith::ShLIOp::create(b, value, by);
}
Value Formula::shiftRight(Value value, Value by) {
  return arith::ShRSIOp::create(b, value, by);
}
Value Formula::bitAnd(Value lhs, Value rhs) {
  return arith::AndIOp::create(b, lhs, rhs);
}
Value Formula::bitOr(Value lhs, Value rhs) {
  return arith::OrIOp::create(b, lhs, rhs);
}
Value Formula::compareInt(arith::CmpIPredicate predicate, Value lhs,
                          Value rhs) {
  return arith::CmpIOp::create(b, predicate, lhs, rhs);
}

Value Formula::select(Value condition, Value yes, Value no) {
  return arith::SelectOp::create(b, condition, yes, no);
}
Value Formula::toBits(Value value) {
  Type element =
      getElementTypeOrSelf(value).isF64() ? b.getI64Type() : b.getI32Type();
  return arith::BitcastOp::create(b, getType(element), value);
}
Value Formula::fromBits(Value bits) {
  bool isWide = getElementTypeOrSelf(bits).isInteger(64);
  Type element = isWide ? Type(b.getF64Type()) : Type(b.getF32Type());
  return arith::BitcastOp::create(b, getType(element), bits);
}
Value Formula::toWide(Value value) {
  return arith::ExtFOp::create(b, getType(b.getF64Type()), value);
}
Value Formula::toNarrow(Value value) {
  return arith::TruncFOp::create(b, getType(b.getF32Type()), value);
}
Value Formula::toFloat(Value integer) {
  return arith::SIToFPOp::create(b, getType(b.getF32Type()), integer);
}
