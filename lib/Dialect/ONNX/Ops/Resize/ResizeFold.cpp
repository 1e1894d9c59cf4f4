// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ResizeAxes.h"
#include "invar/Dialect/ONNX/FoldCall.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;
using kernels::ResizedAxis;

/// Checks what the function would fail for, so that it can run when the result is read.
static llvm::Error checkAxes(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  for (auto [size, made] : llvm::zip_equal(from, to)) {
    if (size == 0 && made != 0)
      return notFolded("there is nothing to resize");
    if (size != made && made > ResizedAxis::mostPlaces)
      return notFolded("expected an axis of up to " +
                       Twine(ResizedAxis::mostPlaces) + " places, but got " +
                       Twine(made));
  }
  return llvm::Error::success();
}

template <typename Op>
static FoldResult resize(Op op, Folding &fold, int64_t axes) {
  const Elements &x = fold.get(op.getX());
  llvm::Expected<Shape> to = fold.getShape();
  if (!to)
    return to.takeError();
  if (llvm::Error error = fold.checkWork(*to))
    return error;
  if (llvm::Error error = checkAxes(x.getShape(), *to))
    return error;
  auto checkCount = [&](StringRef name, const Elements &list, int64_t count) {
    return list.numElements() == count
               ? llvm::Error::success()
               : notFolded("expected " + Twine(count) + " elements in '" +
                           name + "', but got " + Twine(list.numElements()));
  };
  if (auto scales = fold.getOptional(op.getScales());
      scales && scales->numElements() != 0)
    if (llvm::Error error = checkCount("scales", *scales, axes))
      return error;
  if constexpr (requires { op.getRoi(); })
    if (getCoordinates(op) == kernels::Coordinates::TfCropAndResize) {
      auto roi = fold.getOptional(op.getRoi());
      if (!roi)
        return notFolded("expected a start and an end of each axis in 'roi'");
      if (llvm::Error error = checkCount("roi", *roi, 2 * axes))
        return error;
    }
  if (op.getMode() == "nearest")
    return isNumeric(x.getType())
               ? foldByCallWhenRead(op, fold, Floats::AsTheyAre)
               : foldByCall(op, fold, Floats::AsTheyAre);
  if (!isNumeric(x.getType()))
    return notFolded("it cannot interpolate elements of type " +
                     getName(x.getType()));
  return foldByCallWhenRead(op, fold, Floats::Doubles);
}

FoldResult ResizeOp::computeValues(Folding &fold) {
  int64_t rank = fold.get(getX()).getRank();
  return resize(*this, fold, int64_t(getResizedAxes(rank).size()));
}

FoldResult UpsampleOp::computeValues(Folding &fold) {
  return resize(*this, fold, fold.get(getX()).getRank());
}
