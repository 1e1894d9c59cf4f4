// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LogicFormulas.h"
#include "invar/Dialect/ONNX/Ops/Logic.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

FoldResult AndOp::computeValues(Folding &fold) {
  return fold.apply(formula::And());
}
FoldResult BitwiseAndOp::computeValues(Folding &fold) {
  return fold.apply(formula::And());
}
FoldResult BitwiseNotOp::computeValues(Folding &fold) {
  return fold.apply(formula::BitwiseNot());
}
FoldResult BitwiseOrOp::computeValues(Folding &fold) {
  return fold.apply(formula::Or());
}
FoldResult BitwiseXorOp::computeValues(Folding &fold) {
  return fold.apply(formula::Xor());
}
FoldResult NotOp::computeValues(Folding &fold) {
  return fold.apply(formula::Not());
}
FoldResult OrOp::computeValues(Folding &fold) {
  return fold.apply(formula::Or());
}
FoldResult XorOp::computeValues(Folding &fold) {
  return fold.apply(formula::Xor());
}
FoldResult BitShiftOp::computeValues(Folding &fold) {
  return getDirection() == "LEFT" ? fold.apply(formula::ShiftLeft())
                                  : fold.apply(formula::ShiftRight());
}
