// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Generate.h"

#include "invar/Dialect/ONNX/Ops/Cast.h"
#include "invar/Dialect/ONNX/Shapes.h"
#include "invar/Dialect/ONNX/Verify.h"
#include <cmath>

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

LogicalResult ConstantOfShapeOp::verify() {
  Check check(*this);
  check.vector("(C1)", "input", getInput());
  Type element = Float32Type::get(getContext());
  if (ElementsAttr value = getValueAttr()) {
    element = value.getElementType();
    check.that("(C2)", value.getNumElements() == 1,
               "'value' to have one element", Twine(value.getNumElements()));
  }
  return check.agrees("(C3)", "output", elementTypeOf(getOutput()), element);
}

LogicalResult EyeLikeOp::verify() {
  Check check(*this);
  check.rank("(C1)", "input", getInput(), 2);
  if (getDtype())
    check.dataType("(C2)", "dtype", *getDtype(), getOutput());
  return check;
}

LogicalResult OneHotOp::verify() {
  Check check(*this);
  // There is one position more than there are axes: the new axis may come last.
  if (std::optional<int64_t> rank = rankOf(getIndices()))
    check.that("(C1)", getAxis() >= -*rank - 1 && getAxis() <= *rank,
               "'axis' to be in [" + Twine(-*rank - 1) + ", " + Twine(*rank) +
                   "]",
               Twine(getAxis()));
  return check.oneElement("(C2)", "depth", getDepth())
      .vector("(C3)", "values", getValues(), 2);
}

LogicalResult RangeOp::verify() {
  return Check(*this)
      .oneElement("(C1)", "start", getStart())
      .oneElement("(C1)", "limit", getLimit())
      .oneElement("(C1)", "delta", getDelta())
      .floatType("(C2)", "stash_type", getStashType());
}

//===-- Shapes ----------------------------------------------------------------===//

LogicalResult ConstantOfShapeOp::computeShape(ShapeHelper &shape) {
  shape.setElementType(getValueAttr() ? getValueAttr().getElementType()
                                      : Float32Type::get(getContext()));
  auto dims = shape.getBuilder().getIntsFromArrayAsSymbols(
      shape.operandsOf(*this).getInput());
  if (!dims)
    return success();
  shape.setOutputDims(*dims);
  return shape::checkSizes(shape, "input", *dims, "(C4)");
}

std::optional<DimsExpr> ConstantOfShapeOp::computeEntries(ShapeHelper &shape,
                                                          unsigned) {
  auto count = shape.getBuilder().getArraySize(getOutput());
  std::optional<int64_t> value =
      getValueAttr() ? readInt(getValueAttr(), 0) : std::nullopt;
  if (!count || !value)
    return std::nullopt;
  return DimsExpr(*count, *value);
}

LogicalResult EyeLikeOp::computeShape(ShapeHelper &shape) {
  shape.setElementType(shape::typeOr(getDtype(), getInput()));
  return shape::sameAsFirst(shape);
}

LogicalResult OneHotOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  if (!shape.hasShape(in.getIndices()))
    return success();
  Type type = elementTypeOf(in.getDepth());
  // A depth that is not an integer is rounded down.
  IndexExpr depth = !type ? shape.getQuestionmark()
                    : isa<FloatType>(type)
                        ? shape.getBuilder().getScaled(1, in.getDepth(), 0)
                        : shape.getBuilder().getIntAsSymbol(in.getDepth());
  DimsExpr dims = shape.getDims(in.getIndices());
  size_t place = getAxis() < 0 ? getAxis() + dims.size() + 1 : getAxis();
  dims.insert(dims.begin() + place, depth);
  shape.setOutputDims(std::move(dims));
  return shape::checkSizes(shape, "depth", depth, "(C4)");
}

/// Returns a float that is known to be an integer: a number, or a size that was cast.
/// Undefined otherwise.
static IndexExpr getWhole(ShapeHelper &shape, Value value) {
  if (auto number = shape.getBuilder().getFloatFromArrayAsLiteral(value, 0))
    return std::trunc(*number) == *number && std::abs(*number) < 0x1p53
               ? IndexExpr(int64_t(*number))
               : IndexExpr();
  auto cast = value.getDefiningOp<CastOp>();
  if (!cast || !isa_and_present<IntegerType>(elementTypeOf(cast.getInput())))
    return IndexExpr();
  return shape.getBuilder().getIntAsSymbol(cast.getInput());
}

static IndexExpr countSteps(IndexExpr start, IndexExpr limit, IndexExpr delta) {
  return IndexExpr::max((limit - start).ceilDiv(delta), 0);
}

/// Returns the number of floats from `start` to `limit`.
static IndexExpr countFloats(ShapeHelper &shape, RangeOp::Adaptor in) {
  // An expression over names is more informative than a step count; emitted code does
  // not need it.
  if (!shape.getScope().canEmit())
    if (IndexExpr count = countSteps(getWhole(shape, in.getStart()),
                                     getWhole(shape, in.getLimit()),
                                     getWhole(shape, in.getDelta()));
        count.isDefined())
      return count;
  return shape.getBuilder().getStepCount(in.getStart(), in.getLimit(),
                                         in.getDelta());
}

LogicalResult RangeOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  IndexExprBuilder &builder = shape.getBuilder();
  Type type = elementTypeOf(in.getStart());
  if (!type || isa<FloatType>(type)) {
    shape.setOutputDims(
        {type ? countFloats(shape, in) : shape.getQuestionmark()});
    return Check(*this).that(
        "(C3)", builder.getFloatFromArrayAsLiteral(in.getDelta(), 0) != 0.0,
        "'delta' not to be 0", "0");
  }
  IndexExpr delta = builder.getIntAsSymbol(in.getDelta());
  if (failed(Check(*this).that("(C3)", !delta.isLiteral(0),
                               "'delta' not to be 0", "0")))
    return failure();
  // At run time delta may be 0, and the division must not trap.
  if (shape.getScope().canEmit())
    delta = IndexExpr::select(delta == 0, 1, delta);
  shape.setOutputDims(
      {countSteps(builder.getIntAsSymbol(in.getStart()),
                  builder.getIntAsSymbol(in.getLimit()), delta)});
  return success();
}

std::optional<DimsExpr> RangeOp::computeEntries(ShapeHelper &shape, unsigned) {
  IndexExprBuilder &builder = shape.getBuilder();
  IndexExpr start = builder.getIntAsSymbol(getStart());
  IndexExpr delta = builder.getIntAsSymbol(getDelta());
  auto count = builder.getArraySize(getOutput());
  if (!count)
    return std::nullopt;
  DimsExpr entries;
  for (int64_t i = 0; i < *count; ++i)
    entries.push_back(start + delta * i);
  return entries;
}
