// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SignalFormulas.h"
#include "invar/Dialect/ONNX/FoldCall.h"
#include "invar/Dialect/ONNX/FoldChain.h"
#include "invar/Dialect/ONNX/Movement.h"
#include "invar/Dialect/ONNX/Ops/Signal.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- Windows ---------------------------------------------------------------===//

template <typename Op>
static FoldResult foldWindow(Op op, Folding &fold, double a, double b,
                             double c) {
  llvm::Expected<Shape> shape = fold.getShape();
  if (!shape)
    return shape.takeError();
  if (llvm::Error error = fold.checkWork(*shape))
    return error;
  formula::CosineWindow window;
  window.a = a;
  window.b = b;
  window.c = c;
  window.period =
      double(op.getPeriodic() ? shape->front() : shape->front() - 1);
  return FoldChain(fold, countUp(fold, shape->front()))
      .cast(DataType::Float64)
      .apply(window)
      .cast(fold.getType());
}

FoldResult BlackmanWindowOp::computeValues(Folding &fold) {
  return foldWindow(*this, fold, 0.42, 0.5, 0.08);
}
FoldResult HammingWindowOp::computeValues(Folding &fold) {
  return foldWindow(*this, fold, 25.0 / 46.0, 21.0 / 46.0, 0);
}
FoldResult HannWindowOp::computeValues(Folding &fold) {
  return foldWindow(*this, fold, 0.5, 0.5, 0);
}

//===-- Calls -----------------------------------------------------------------===//

FoldResult DFTOp::computeValues(Folding &fold) {
  // Engines round differently, also where the function rounds to the type of the signal
  // by itself. It decides in which type it computes.
  fold.noteRounding();
  return foldByCall(fold, describePlainCall(*this), Floats::AsTheyAre);
}

FoldResult MelWeightMatrixOp::computeValues(Folding &fold) {
  return foldByCall(fold, describePlainCall(*this), Floats::AsTheyAre);
}

FoldResult STFTOp::computeValues(Folding &fold) {
  fold.noteRounding();
  return foldByCall(*this, fold, Floats::AsTheyAre);
}
