// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Cast.h"

#include "invar/Dialect/ONNX/RuntimeCall.h"
#include "invar/Dialect/ONNX/Shapes.h"
#include "invar/Dialect/ONNX/Verify.h"
#include "invar/Elements/IR/DataTypes.h"
#include <cmath>

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// In the order of ScaleRounding.
static constexpr StringRef roundModes[] = {"up", "down", "nearest"};

LogicalResult BitCastOp::verify() {
  Check check(*this);
  check.dataType("(C1)", "to", getTo(), getOutput());
  std::optional<DataType> to = dataTypeFromNumber(getTo());
  Type element = elementTypeOf(getInput());
  std::optional<DataType> from =
      element ? elements::toDataType(element) : std::nullopt;
  if (to && from)
    check.that("(C2)", getBitWidth(*to) == getBitWidth(*from),
               "a type of " + Twine(getBitWidth(*from)) + " bits",
               getName(*to) + " of " + Twine(getBitWidth(*to)));
  return check;
}

LogicalResult CastOp::verify() {
  return Check(*this)
      .dataType("(C1)", "to", getTo(), getOutput())
      .oneOf("(C2)", "round_mode", getRoundMode(), roundModes)
      .flag("(C3)", "saturate", getSaturate());
}

LogicalResult CastLikeOp::verify() {
  return Check(*this)
      .oneOf("(C1)", "round_mode", getRoundMode(), roundModes)
      .flag("(C2)", "saturate", getSaturate());
}

//===-- Shapes ----------------------------------------------------------------===//

LogicalResult BitCastOp::computeShape(ShapeHelper &shape) {
  shape.setElementType(shape::typeOr(getTo(), getInput()));
  return shape::sameAsFirst(shape);
}

LogicalResult CastOp::computeShape(ShapeHelper &shape) {
  shape.setElementType(shape::typeOr(getTo(), getInput()));
  return shape::sameAsFirst(shape);
}

/// The range of an integer type, limited to 64 bits.
static Bounds rangeOf(IntegerType type) {
  unsigned bits = type.getWidth() - !type.isUnsigned();
  int64_t most = bits < 63 ? (int64_t(1) << bits) - 1 : INT64_MAX;
  return {type.isUnsigned() ? 0 : -most - 1, most};
}

/// Truncates a number to an integer, if it fits 64 bits.
static IndexExpr truncated(std::optional<double> number) {
  if (!number || !(std::abs(*number) < 0x1p63))
    return IndexExpr();
  return int64_t(*number);
}

/// Converts numbers to integers of another type. Numbers that wrap around cannot be
/// sizes and become unknown.
static std::optional<DimsExpr> convert(ShapeHelper &shape, Value from,
                                       Value to) {
  auto type = dyn_cast_or_null<IntegerType>(elementTypeOf(to));
  std::optional<int64_t> count = shape.getBuilder().getArraySize(from);
  Type element = elementTypeOf(from);
  if (!type || !element || !count)
    return std::nullopt;
  DimsExpr entries;
  for (int64_t i = 0; i < *count; ++i) {
    IndexExpr entry;
    if (isa<IntegerType>(element))
      entry = shape.getBuilder().getIntFromArrayAsSymbol(from, i);
    else if (isa<FloatType>(element))
      entry = truncated(shape.getBuilder().getFloatFromArrayAsLiteral(from, i));
    if (type.getWidth() == 1) {
      entries.push_back(entry != 0);
      continue;
    }
    // An unknown size is assumed to fit 32 bits.
    Bounds range = rangeOf(type), known = entry.getBounds();
    bool fits = known.least >= range.least &&
                (known.most <= range.most ||
                 (!entry.isLiteral() && type.getWidth() >= 32));
    entries.push_back(fits ? entry : IndexExpr());
  }
  return entries;
}

std::optional<DimsExpr> CastLikeOp::computeEntries(ShapeHelper &shape,
                                                   unsigned) {
  return convert(shape, getInput(), getOutput());
}

std::optional<DimsExpr> CastOp::computeEntries(ShapeHelper &shape, unsigned) {
  return convert(shape, getInput(), getOutput());
}

//===-- Calls -----------------------------------------------------------------===//

RuntimeCall BitCastOp::describeCall() {
  return RuntimeCall(*this, "BitCast").add(getInput());
}

template <typename Op> static RuntimeCall describeCast(Op op) {
  RuntimeCall call(op, "Cast");
  call.add(op.getInput()).set("wraps", op.getSaturate() == 0);
  auto rounding = llvm::find(roundModes, op.getRoundMode()) - roundModes;
  return call.set("scale_rounding", int64_t(rounding));
}

RuntimeCall CastOp::describeCall() { return describeCast(*this); }
RuntimeCall CastLikeOp::describeCall() { return describeCast(*this); }
