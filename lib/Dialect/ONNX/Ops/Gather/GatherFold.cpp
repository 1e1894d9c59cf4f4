// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Movement.h"
#include "invar/Dialect/ONNX/Ops/Gather.h"
#include "invar/Kernels/NonMaxSuppression.h"
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

/// Reads the parameters of the choice. Runtimes refuse an 'iou_threshold' outside [0, 1].
static llvm::Expected<kernels::BoxChoice<float>>
readChoice(NonMaxSuppressionOp op, Folding &fold) {
  kernels::BoxChoice<float> choice;
  choice.isCentered = op.getCenterPointBox() != 0;
  auto most = fold.readScalar<int64_t>(op.getMaxOutputBoxesPerClass());
  auto overlap = fold.readScalar<float>(op.getIouThreshold());
  auto score = fold.readScalar<float>(op.getScoreThreshold());
  if (!most || !overlap || !score)
    return llvm::joinErrors(
        most.takeError(),
        llvm::joinErrors(overlap.takeError(), score.takeError()));
  if (!(*overlap >= 0 && *overlap <= 1))
    return notFolded("expected 'iou_threshold' to be in [0, 1], but got " +
                     llvm::to_string(*overlap));
  choice.most = std::max<int64_t>(*most, 0);
  choice.overlap = *overlap;
  if (op.getScoreThreshold())
    choice.score = *score;
  return choice;
}

FoldResult NonMaxSuppressionOp::computeValues(Folding &fold) {
  ArrayRef<int64_t> sizes = fold.get(getScores()).getShape();
  int64_t batches = sizes[0], classes = sizes[1], count = sizes[2];
  Shape expected = {batches, count, 4};
  if (fold.get(getBoxes()).getShape() != ArrayRef<int64_t>(expected))
    return notFolded("expected boxes of " + printShape(expected) +
                     ", but got " +
                     printShape(fold.get(getBoxes()).getShape()));
  auto choice = readChoice(*this, fold);
  if (!choice)
    return choice.takeError();
  // Each box may be compared with all chosen boxes.
  if (llvm::Error error = fold.checkWork(
          {batches, classes, count, std::min(count, choice->most)}))
    return error;
  auto boxes = fold.read<float>(getBoxes()),
       scores = fold.read<float>(getScores());
  if (!boxes || !scores)
    return llvm::joinErrors(boxes.takeError(), scores.takeError());
  std::vector<int64_t> chosen(size_t(count), 0), rows;
  for (int64_t batch = 0; batch < batches; ++batch)
    for (int64_t kind = 0; kind < classes; ++kind) {
      // Compare boxes in float32, as runtimes do.
      int64_t found = kernels::chooseBoxes(boxes->begin() + batch * count * 4,
                                           scores->begin() +
                                               (batch * classes + kind) * count,
                                           *choice, std::span<int64_t>(chosen));
      for (int64_t box : ArrayRef(chosen).take_front(size_t(found)))
        rows.insert(rows.end(), {batch, kind, box});
    }
  return fold.make<int64_t>({int64_t(rows.size() / 3), 3}, rows);
}
