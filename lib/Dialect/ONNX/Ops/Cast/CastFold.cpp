// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/FoldCall.h"
#include "invar/Dialect/ONNX/Ops/Cast.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

template <typename Op> static FoldResult foldCast(Op op, Folding &fold) {
  const Elements &x = fold.get(op.getInput());
  DataType to = fold.getType();
  // A text may not be a number.
  if (to == DataType::String || x.getType() == DataType::String)
    return foldByCall(op, fold, Floats::AsTheyAre);
  CastOptions options;
  options.saturate = op.getSaturate() != 0;
  options.scaleRounding = op.getRoundMode() == "down" ? ScaleRounding::Down
                          : op.getRoundMode() == "nearest"
                              ? ScaleRounding::Nearest
                              : ScaleRounding::Up;
  return fold.getBuilder().cast(x, to, options);
}

FoldResult CastOp::computeValues(Folding &fold) {
  return foldCast(*this, fold);
}

FoldResult CastLikeOp::computeValues(Folding &fold) {
  return foldCast(*this, fold);
}

FoldResult BitCastOp::computeValues(Folding &fold) {
  return foldByCallWhenRead(*this, fold, Floats::AsTheyAre);
}
