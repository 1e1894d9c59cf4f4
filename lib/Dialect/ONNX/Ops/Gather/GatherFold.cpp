// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/FoldCall.h"
#include "invar/Dialect/ONNX/Movement.h"
#include "invar/Dialect/ONNX/Ops/Gather.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static llvm::Error noSuchAxis(int64_t axis, int64_t rank) {
  return notFolded("expected an axis of " + Twine(rank) + ", but got " +
                   Twine(axis));
}

FoldResult GatherOp::computeValues(Folding &fold) {
  const Elements &data = fold.get(getData());
  llvm::Expected<Shape> to = fold.getShape();
  if (!to)
    return to.takeError();
  std::optional<int64_t> axis = normalizeAxis(getAxis(), data.getRank());
  if (!axis)
    return noSuchAxis(getAxis(), data.getRank());
  auto places = readIndices(fold, getIndices(), data.getShape()[*axis]);
  if (!places)
    return places.takeError();
  auto slices = pickAlong(fold, data, *axis, std::move(*places));
  return slices ? fold.getBuilder().reshape(*slices, *to) : std::move(slices);
}

FoldResult GatherElementsOp::computeValues(Folding &fold) {
  const Elements &data = fold.get(getData());
  std::optional<int64_t> axis = normalizeAxis(getAxis(), data.getRank());
  if (!axis)
    return noSuchAxis(getAxis(), data.getRank());
  auto places = locateElements(fold, getIndices(), data.getShape(), *axis);
  if (!places)
    return places.takeError();
  return pickRows(fold, data, {std::move(*places), 1},
                  fold.get(getIndices()).getShape());
}

FoldResult GatherNDOp::computeValues(Folding &fold) {
  const Elements &data = fold.get(getData());
  llvm::Expected<Shape> to = fold.getShape();
  if (!to)
    return to.takeError();
  auto slices =
      locateSlices(fold, getIndices(), data.getShape(), getBatchDims());
  if (!slices)
    return slices.takeError();
  return pickRows(fold, data, std::move(*slices), *to);
}

FoldResult NonMaxSuppressionOp::computeValues(Folding &fold) {
  ArrayRef<int64_t> sizes = fold.get(getScores()).getShape();
  auto most = fold.readScalar<int64_t>(getMaxOutputBoxesPerClass());
  if (!most)
    return most.takeError();
  // Each box may be compared with all chosen boxes.
  int64_t chosen = std::min(sizes[2], std::max<int64_t>(*most, 0));
  if (llvm::Error error =
          fold.checkWork({sizes[0], sizes[1], sizes[2], chosen}))
    return error;
  // Boxes are compared in float32, as in a run.
  return foldByCall(*this, fold, Floats::AsTheyAre);
}
