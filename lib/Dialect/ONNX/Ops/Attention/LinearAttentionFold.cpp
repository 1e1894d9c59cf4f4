// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/FoldCall.h"
#include "invar/Dialect/ONNX/KernelInput.h"
#include "invar/Dialect/ONNX/Ops/Attention.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

FoldResult LinearAttentionOp::computeValues(Folding &fold) {
  // Each query reads a state.
  llvm::Expected<Shape> state = fold.getShape(1);
  if (!state)
    return state.takeError();
  if (llvm::Error error =
          checkSteps({fold.get(getQuery()).numElements(), state->back()}))
    return error;
  return foldByCall(*this, fold, Floats::Doubles);
}
