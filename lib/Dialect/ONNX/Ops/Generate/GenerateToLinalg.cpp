// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "GenerateFormulas.h"
#include "invar/Conversion/ONNXToLinalg/Movement.h"
#include "invar/Conversion/ONNXToLinalg/Variants.h"
#include "invar/Dialect/ONNX/Ops/Generate.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static LogicalResult lower(ConstantOfShapeOp op, Lowering &to) {
  auto sizes = to.getSizes(op.getOutput());
  if (failed(sizes))
    return failure();
  ImplicitLocOpBuilder &builder = to.getBuilder();
  Type type = to.getType(op.getOutput()).getElementType();
  ElementsAttr value = op.getValueAttr();
  Value element = value ? makeElement(builder, value)
                        : makeZero(builder, builder.getLoc(), type);
  return to.set(op.getOutput(), to.makeFilled(*sizes, element));
}

static LogicalResult lower(EyeLikeOp op, Lowering &to) {
  auto sizes = to.getSizes(op.getOutput());
  if (failed(sizes))
    return failure();
  Type type = to.getType(op.getOutput()).getElementType();
  Value eye = to.generate(
      *sizes, type, [&](ImplicitLocOpBuilder &b, ValueRange places) {
        scalar::Truth isOn = formula::IsOnDiagonal{{}, op.getK()}(
            toPlace(b, places[0]), toPlace(b, places[1]));
        return toElement(Number(isOn), type);
      });
  return to.set(op.getOutput(), eye);
}

/// Returns the type in which indices of a type are compared exactly.
static Type getIndexType(OpBuilder &builder, Type type) {
  return isa<FloatType>(type) ? Type(builder.getF64Type())
                              : builder.getI64Type();
}

/// Returns a position as a number of type int64 or double.
static Number placeAs(ImplicitLocOpBuilder &b, Value place, Type type) {
  Value number = arith::IndexCastOp::create(b, b.getI64Type(), place);
  return Number(b, b.getLoc(), number).castTo(type);
}

static LogicalResult lower(OneHotOp op, Lowering &to) {
  auto sizes = to.getSizes(op.getOutput());
  if (failed(sizes))
    return failure();
  std::optional<int64_t> axis = normalizeAxis(op.getAxis(), sizes->size());
  if (!axis)
    return to.decline("its axis is not one of its result");
  Value indices = to.get(op.getIndices()),
        values = to.getVector(op.getValues());
  to.checkEqual(to.sizesOf(values)[0], to.getBuilder().getIndexAttr(2),
                "expected a value for off and one for on");
  SmallVector<OpFoldResult> aligned = to.sizesOf(indices);
  aligned.insert(aligned.begin() + *axis, to.getBuilder().getIndexAttr(1));
  FailureOr<Value> made =
      to.combine(to.reshape(indices, aligned), *sizes,
                 to.getType(op.getValues()).getElementType(),
                 [&](ImplicitLocOpBuilder &b, ArrayRef<Value> in) -> Value {
                   Type work = getIndexType(b, in[0].getType());
                   Value depth = toPlace(b, (*sizes)[*axis]).getValue();
                   scalar::Truth isThere = formula::IsIndexOf()(
                       toNumber(b, b.getLoc(), in[0]).castTo(work),
                       placeAs(b, linalg::IndexOp::create(b, *axis), work),
                       placeAs(b, depth, work));
                   Value which = arith::IndexCastUIOp::create(
                       b, b.getIndexType(), isThere.getValue());
                   return tensor::ExtractOp::create(b, values, which);
                 });
  return succeeded(made) ? to.set(op.getOutput(), *made) : failure();
}

/// A distance beyond 64 bits saturates; divided by a large step it would look like a
/// valid size.
static void checkDistance(RangeOp op, Lowering &to) {
  if (!to.getType(op.getStart()).getElementType().isInteger(64))
    return;
  IndexExprBuilder &builder = to.getShapeHelper().getBuilder();
  IndexExpr start = builder.getIntAsSymbol(to.get(op.getStart())),
            limit = builder.getIntAsSymbol(to.get(op.getLimit()));
  // From 0 every distance fits; inference has checked a distance between literals.
  if (start.isLiteral(0) || (start.isLiteral() && limit.isLiteral()))
    return;
  ImplicitLocOpBuilder &b = to.getBuilder();
  Value from = to.toValue(to.toSize(start)), end = to.toValue(to.toSize(limit)),
        zero = to.makeIndex(0);
  // The greatest and least limits whose distance from `start` fits 64 bits. Limits of
  // the same sign as `start` always fit.
  Value last = arith::AddIOp::create(b, arith::MinSIOp::create(b, from, zero),
                                     to.makeIndex(INT64_MAX));
  Value first = arith::AddIOp::create(b, arith::MaxSIOp::create(b, from, zero),
                                      to.makeIndex(INT64_MIN));
  auto isAtMost = [&](Value lower, Value upper) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::sle, lower, upper);
  };
  // Against the direction of the step the range is empty, for any distance.
  Value step =
      to.toValue(to.toSize(builder.getIntAsSymbol(to.get(op.getDelta()))));
  Value isFine[] = {
      arith::OrIOp::create(b, isAtMost(end, last), isAtMost(step, zero)),
      arith::OrIOp::create(b, isAtMost(first, end), isAtMost(zero, step))};
  for (Value condition : isFine)
    to.check(condition,
             "expected a distance from 'start' to 'limit' within 64 bits");
}

static LogicalResult lower(RangeOp op, Lowering &to) {
  // The operands are scalars, even if their ranks are unknown.
  for (Value operand : op->getOperands())
    if (!to.getType(operand))
      return lowerWithOperand(to, operand, toScalar(to, to.get(operand)));
  checkDistance(op, to);
  auto sizes = to.getSizes(op.getOutput());
  if (failed(sizes))
    return failure();
  Type type = to.getType(op.getOutput()).getElementType();
  FailureOr<Value> made = to.combine(
      {toScalar(to, to.get(op.getStart())),
       toScalar(to, to.get(op.getDelta()))},
      *sizes, type, [&](ImplicitLocOpBuilder &b, ArrayRef<Value> in) {
        Type work = getIndexType(b, type);
        auto number = [&](Value element) {
          return toNumber(b, b.getLoc(), element).castTo(work);
        };
        return toElement(formula::Progression()(
                             number(in[0]), number(in[1]),
                             placeAs(b, linalg::IndexOp::create(b, 0), work)),
                         type);
      });
  return succeeded(made) ? to.set(op.getOutput(), *made) : failure();
}

void invar::onnx::addGenerateLowerings(LoweringTable &table) {
  table.add<ConstantOfShapeOp>(lower);
  table.add<EyeLikeOp>(lower);
  table.addMovement<OneHotOp>(lower);
  table.addAnyRank<RangeOp>(lower);
}
