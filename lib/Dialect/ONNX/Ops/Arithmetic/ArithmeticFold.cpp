// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ArithmeticFormulas.h"
#include "invar/Dialect/ONNX/Ops/Arithmetic.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Applies the formula to all operands.
template <typename F> static FoldResult apply(Folding &fold, F formula = {}) {
  return fold.apply(formula, fold.getAll(fold.getOperation()->getOperands()));
}

/// Applies the formula to the first two operands, then to the result and the third, and
/// so on.
template <typename F>
static llvm::Expected<Elements> applyToAll(Folding &fold, F formula) {
  SmallVector<Elements> operands =
      fold.getAll(fold.getOperation()->getOperands());
  Elements total = operands.front();
  for (const Elements &operand : llvm::drop_begin(operands)) {
    llvm::Expected<Elements> next = fold.apply(formula, {total, operand});
    if (!next)
      return next;
    total = std::move(*next);
  }
  return total;
}

/// Integer division by zero is not folded: runtimes differ, or trap.
static llvm::Error checkDivisor(Folding &fold, Value divisor) {
  const Elements &numbers = fold.get(divisor);
  if (getKind(numbers.getType()) == NumberKind::Float)
    return llvm::Error::success();
  auto read = fold.read<int64_t>(numbers);
  if (!read)
    return read.takeError();
  if (llvm::is_contained(*read, 0))
    return notFolded("it divides an integer by zero");
  return llvm::Error::success();
}

FoldResult AbsOp::computeValues(Folding &fold) {
  return fold.apply(formula::Abs());
}
FoldResult AddOp::computeValues(Folding &fold) {
  return fold.apply(formula::Add());
}
FoldResult CeilOp::computeValues(Folding &fold) {
  return fold.apply(formula::Ceil());
}
FoldResult ClipOp::computeValues(Folding &fold) {
  Elements result = fold.get(getInput());
  // A bound may have one element and any rank; the result has the input's rank.
  auto limit = [&](auto formula, Value bound) -> llvm::Error {
    if (!bound)
      return llvm::Error::success();
    llvm::Expected<Elements> scalar =
        fold.getBuilder().reshape(fold.get(bound), {});
    if (!scalar)
      return scalar.takeError();
    return fold.apply(formula, {result, *scalar}).moveInto(result);
  };
  if (llvm::Error error = limit(formula::Max(), getMin()))
    return error;
  if (llvm::Error error = limit(formula::Min(), getMax()))
    return error;
  return result;
}
FoldResult DivOp::computeValues(Folding &fold) {
  if (llvm::Error error = checkDivisor(fold, getB()))
    return error;
  return fold.apply(formula::Div());
}
FoldResult ErfOp::computeValues(Folding &fold) {
  return fold.apply(formula::Erf());
}
FoldResult ExpOp::computeValues(Folding &fold) {
  return fold.apply(formula::Exp());
}
FoldResult FloorOp::computeValues(Folding &fold) {
  return fold.apply(formula::Floor());
}
FoldResult LogOp::computeValues(Folding &fold) {
  return fold.apply(formula::Log());
}
FoldResult MaxOp::computeValues(Folding &fold) {
  return applyToAll(fold, formula::Max());
}
FoldResult MeanOp::computeValues(Folding &fold) {
  llvm::Expected<Elements> sum = applyToAll(fold, formula::Add());
  if (!sum)
    return sum.takeError();
  llvm::Expected<Elements> count = fold.getBuilder().splat(
      sum->getType(), {}, WideNum::ofDouble(getNumOperands()));
  if (!count)
    return count.takeError();
  return fold.apply(formula::Div(), {*sum, *count});
}
FoldResult MinOp::computeValues(Folding &fold) {
  return applyToAll(fold, formula::Min());
}
FoldResult ModOp::computeValues(Folding &fold) {
  if (llvm::Error error = checkDivisor(fold, getB()))
    return error;
  return getFmod() ? fold.apply(formula::TruncMod())
                   : fold.apply(formula::FloorMod());
}
FoldResult MulOp::computeValues(Folding &fold) {
  return fold.apply(formula::Mul());
}
FoldResult NegOp::computeValues(Folding &fold) {
  return fold.apply(formula::Neg());
}
FoldResult PowOp::computeValues(Folding &fold) {
  const ElementsBuilder &builder = fold.getBuilder();
  const Elements &base = fold.get(getX()), &exponent = fold.get(getY());
  bool hasFloat = getKind(base.getType()) == NumberKind::Float ||
                  getKind(exponent.getType()) == NumberKind::Float;
  DataType work = hasFloat ? DataType::Float64 : DataType::Int64;
  llvm::Expected<Elements> x = builder.cast(base, work);
  llvm::Expected<Elements> y = builder.cast(exponent, work);
  if (!x || !y)
    return llvm::joinErrors(x.takeError(), y.takeError());
  llvm::Expected<Elements> power = fold.apply(formula::Pow(), {*x, *y});
  return power ? builder.cast(*power, base.getType()) : std::move(power);
}
FoldResult ReciprocalOp::computeValues(Folding &fold) {
  return fold.apply(formula::Reciprocal());
}
FoldResult RoundOp::computeValues(Folding &fold) {
  return fold.apply(formula::Round());
}
FoldResult SignOp::computeValues(Folding &fold) {
  return fold.apply(formula::Sign());
}
FoldResult SqrtOp::computeValues(Folding &fold) {
  return fold.apply(formula::Sqrt());
}
FoldResult SubOp::computeValues(Folding &fold) {
  return fold.apply(formula::Sub());
}
FoldResult SumOp::computeValues(Folding &fold) {
  return applyToAll(fold, formula::Add());
}
