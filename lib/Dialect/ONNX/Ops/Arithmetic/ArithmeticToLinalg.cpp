// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ArithmeticFormulas.h"
#include "invar/Conversion/ONNXToLinalg/Lowerings.h"
#include "invar/Dialect/ONNX/Ops/Arithmetic.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Applies the formula to the first two operands, then to the result and the third, and
/// so on.
template <typename F>
static FailureOr<Value> applyToAll(Operation *op, Lowering &to, F formula) {
  SmallVector<Value> operands = to.getAll(op->getOperands());
  FailureOr<Value> total = operands.front();
  for (Value operand : llvm::drop_begin(operands))
    if (succeeded(total))
      total = to.apply(formula, {*total, operand});
  return total;
}

template <typename F>
static LogicalResult setToAll(Operation *op, Lowering &to, F formula) {
  FailureOr<Value> total = applyToAll(op, to, formula);
  return succeeded(total) ? to.set(op->getResult(0), *total) : failure();
}

static LogicalResult lower(ClipOp op, Lowering &to) {
  for (Value bound : {op.getMin(), op.getMax()})
    if (bound && !to.getType(bound))
      return to.decline("the rank of a bound is not known");
  FailureOr<Value> result = to.get(op.getInput());
  // A bound may have one element and any rank; the result has the input's rank.
  auto limit = [&](auto formula, Value bound) {
    if (bound && succeeded(result))
      result = to.apply(formula, {*result, to.reshape(to.get(bound), {})});
  };
  limit(formula::Max(), op.getMin());
  limit(formula::Min(), op.getMax());
  return succeeded(result) ? to.set(op.getOutput(), *result) : failure();
}

static LogicalResult lower(MaxOp op, Lowering &to) {
  return setToAll(op, to, formula::Max());
}
static LogicalResult lower(MinOp op, Lowering &to) {
  return setToAll(op, to, formula::Min());
}
static LogicalResult lower(SumOp op, Lowering &to) {
  return setToAll(op, to, formula::Add());
}

namespace {
struct DivideBy : Formula<OnFloats> {
  double count;
  template <typename T> T operator()(T x) const { return x / T(count); }
};
} // namespace

static LogicalResult lower(MeanOp op, Lowering &to) {
  FailureOr<Value> sum = applyToAll(op, to, formula::Add());
  if (failed(sum))
    return failure();
  FailureOr<Value> mean =
      to.apply(DivideBy{{}, double(op->getNumOperands())}, *sum);
  return succeeded(mean) ? to.set(op->getResult(0), *mean) : failure();
}

static LogicalResult lower(ModOp op, Lowering &to) {
  return op.getFmod() ? to.apply(formula::TruncMod())
                      : to.apply(formula::FloorMod());
}

/// Whether the exponent is 2 for all elements and does not change the shape.
static bool isSquare(PowOp op, Lowering &to) {
  auto exponent = dyn_cast_or_null<ElementsAttr>(to.getConstant(op.getY()));
  auto x = dyn_cast<RankedTensorType>(op.getX().getType());
  if (!exponent || !x || exponent.getNumElements() != 1 ||
      exponent.getShapedType().getRank() > x.getRank())
    return false;
  if (isa<IntegerType>(exponent.getElementType()))
    return (*exponent.getValues<APInt>().begin()) == 2;
  return (*exponent.getValues<APFloat>().begin()).isExactlyValue(2);
}

/// The operands may differ in type; if one is a float, both are computed as floats.
static LogicalResult lower(PowOp op, Lowering &to) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  Type type = getElementTypeOrSelf(op.getX().getType());
  Type exponent = getElementTypeOrSelf(op.getY().getType());
  Type work = type;
  if (isa<FloatType>(exponent) && !isa<FloatType>(type))
    work = builder.getF64Type();
  else if (!isa<FloatType>(type))
    work = builder.getI64Type();
  if (isSquare(op, to)) {
    Value x = to.get(op.getX());
    FailureOr<Value> square = to.apply(formula::Mul(), {x, x});
    return succeeded(square) ? to.set(op->getResult(0), *square) : failure();
  }
  FailureOr<Value> x = to.cast(to.get(op.getX()), work);
  FailureOr<Value> y = to.cast(to.get(op.getY()), work);
  if (failed(x) || failed(y))
    return failure();
  FailureOr<Value> power = to.apply(formula::Pow(), {*x, *y});
  if (succeeded(power))
    power = to.cast(*power, type);
  return succeeded(power) ? to.set(op->getResult(0), *power) : failure();
}

void invar::onnx::addArithmeticLowerings(LoweringTable &table) {
  table.add<AbsOp>(formula::Abs());
  table.add<AddOp>(formula::Add());
  table.add<CeilOp>(formula::Ceil());
  table.addAnyRank<ClipOp>(lower);
  table.add<DivOp>(formula::Div());
  table.add<ErfOp>(formula::Erf());
  table.add<ExpOp>(formula::Exp());
  table.add<FloorOp>(formula::Floor());
  table.add<LogOp>(formula::Log());
  table.addAnyRank<MaxOp>(lower);
  table.addAnyRank<MeanOp>(lower);
  table.addAnyRank<MinOp>(lower);
  table.addAnyRank<ModOp>(lower);
  table.add<MulOp>(formula::Mul());
  table.add<NegOp>(formula::Neg());
  table.addAnyRank<PowOp>(lower);
  table.add<ReciprocalOp>(formula::Reciprocal());
  table.add<RoundOp>(formula::Round());
  table.add<SignOp>(formula::Sign());
  table.add<SqrtOp>(formula::Sqrt());
  table.add<SubOp>(formula::Sub());
  table.addAnyRank<SumOp>(lower);
}
