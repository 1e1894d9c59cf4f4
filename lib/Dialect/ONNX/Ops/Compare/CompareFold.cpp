// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CompareFormulas.h"
#include "invar/Dialect/ONNX/Movement.h"
#include "invar/Dialect/ONNX/Ops/Compare.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

FoldResult EqualOp::computeValues(Folding &fold) {
  using enum DataType;
  if (fold.get(getA()).getType() != String)
    return fold.apply(formula::Equal());
  auto equal = ElementwiseFunction::typed<Bool, String, String>(
      "Equal", [](StringRef x, StringRef y) { return x == y; });
  return fold.getBuilder().combine(equal, {fold.get(getA()), fold.get(getB())});
}
FoldResult GreaterOp::computeValues(Folding &fold) {
  return fold.apply(formula::Greater());
}
FoldResult GreaterOrEqualOp::computeValues(Folding &fold) {
  return fold.apply(formula::GreaterOrEqual());
}
FoldResult IsInfOp::computeValues(Folding &fold) {
  formula::IsInf isInf{{}, getDetectNegative() != 0, getDetectPositive() != 0};
  return fold.apply(isInf);
}
FoldResult IsNaNOp::computeValues(Folding &fold) {
  return fold.apply(formula::IsNaN());
}
FoldResult LessOp::computeValues(Folding &fold) {
  return fold.apply(formula::Less());
}
FoldResult LessOrEqualOp::computeValues(Folding &fold) {
  return fold.apply(formula::LessOrEqual());
}

FoldResult WhereOp::computeValues(Folding &fold) {
  return choose(fold, fold.get(getCondition()), fold.get(getX()),
                fold.get(getY()));
}
