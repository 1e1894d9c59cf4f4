// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TrigonometryFormulas.h"
#include "invar/Dialect/ONNX/Ops/Trigonometry.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

FoldResult AcosOp::computeValues(Folding &fold) {
  return fold.apply(formula::Acos());
}
FoldResult AcoshOp::computeValues(Folding &fold) {
  return fold.apply(formula::Acosh());
}
FoldResult AsinOp::computeValues(Folding &fold) {
  return fold.apply(formula::Asin());
}
FoldResult AsinhOp::computeValues(Folding &fold) {
  return fold.apply(formula::Asinh());
}
FoldResult AtanOp::computeValues(Folding &fold) {
  return fold.apply(formula::Atan());
}
FoldResult AtanhOp::computeValues(Folding &fold) {
  return fold.apply(formula::Atanh());
}
FoldResult CosOp::computeValues(Folding &fold) {
  return fold.apply(formula::Cos());
}
FoldResult CoshOp::computeValues(Folding &fold) {
  return fold.apply(formula::Cosh());
}
FoldResult SinOp::computeValues(Folding &fold) {
  return fold.apply(formula::Sin());
}
FoldResult SinhOp::computeValues(Folding &fold) {
  return fold.apply(formula::Sinh());
}
FoldResult TanOp::computeValues(Folding &fold) {
  return fold.apply(formula::Tan());
}
FoldResult TanhOp::computeValues(Folding &fold) {
  return fold.apply(formula::Tanh());
}
