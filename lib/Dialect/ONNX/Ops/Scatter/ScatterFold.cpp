// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/FoldCall.h"
#include "invar/Dialect/ONNX/Movement.h"
#include "invar/Dialect/ONNX/Ops/Scatter.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;
using llvm::Expected;

//===-- Updates by index ------------------------------------------------------===//

template <typename Op> static FoldResult scatter(Op op, Folding &fold) {
  if (fold.get(op.getUpdates()).numElements() == 0)
    return fold.get(op.getData());
  // Each combination of two elements is rounded, as in a run.
  return foldByCall(op, fold, Floats::AsTheyAre);
}

FoldResult ScatterOp::computeValues(Folding &fold) {
  return scatter(*this, fold);
}
FoldResult ScatterElementsOp::computeValues(Folding &fold) {
  return scatter(*this, fold);
}
FoldResult ScatterNDOp::computeValues(Folding &fold) {
  return scatter(*this, fold);
}

//===-- Caches ----------------------------------------------------------------===//

/// Returns `cache` with `update` written from index `at` of an axis on; the part beyond
/// the end continues at the beginning.
static Expected<Elements> write(Folding &fold, const Elements &cache,
                                const Elements &update, int64_t axis,
                                int64_t at) {
  int64_t size = cache.getShape()[axis], count = update.getShape()[axis];
  int64_t here = std::min(count, size - at), over = count - here;
  SmallVector<Elements> parts;
  auto add = [&](const Elements &from, int64_t start, int64_t end) {
    auto part = sliceAlong(fold, from, axis, start, end - start);
    if (part)
      parts.push_back(std::move(*part));
    return part.takeError();
  };
  if (llvm::Error error = add(update, here, count))
    return error;
  if (llvm::Error error = add(cache, over, at))
    return error;
  if (llvm::Error error = add(update, 0, here))
    return error;
  if (llvm::Error error = add(cache, at + here, size))
    return error;
  return fold.getBuilder().concat(parts, axis);
}

/// Reads the position in the cache at which each batch is written; by default the
/// beginning.
static Expected<std::vector<int64_t>> readStarts(TensorScatterOp op,
                                                 Folding &fold, int64_t batches,
                                                 int64_t size, int64_t count) {
  if (!op.getWriteIndices()) {
    if (llvm::Error error = fold.checkWork(batches))
      return error;
    return std::vector<int64_t>(size_t(batches), 0);
  }
  auto given = fold.read<int64_t>(op.getWriteIndices());
  if (!given)
    return given.takeError();
  if (int64_t(given->get().size()) != batches)
    return notFolded("expected " + Twine(batches) + " indices, but got " +
                     Twine(given->get().size()));
  std::vector<int64_t> starts(given->begin(), given->end());
  for (int64_t &start : starts) {
    if (op.getMode() == "circular")
      start = (start % size + size) % size;
    else if (start < 0 || start > size - count)
      return notFolded("expected indices up to " + Twine(size - count) +
                       ", but got " + Twine(start));
  }
  return starts;
}

FoldResult TensorScatterOp::computeValues(Folding &fold) {
  const Elements &cache = fold.get(getPastCache());
  const Elements &update = fold.get(getUpdate());
  std::optional<int64_t> axis = normalizeAxis(getAxis(), cache.getRank());
  Shape fitting(cache.getShape());
  if (axis)
    fitting[*axis] = std::min(fitting[*axis], update.getShape()[*axis]);
  if (!axis || update.getShape() != ArrayRef<int64_t>(fitting))
    return notFolded("expected an update that fits into " +
                     printShape(cache.getShape()) + ", but got " +
                     printShape(update.getShape()));
  if (update.numElements() == 0)
    return cache;
  int64_t batches = fitting.front();
  auto starts = readStarts(*this, fold, batches, cache.getShape()[*axis],
                           update.getShape()[*axis]);
  if (!starts)
    return starts.takeError();
  if (llvm::all_equal(*starts))
    return write(fold, cache, update, *axis, starts->front());
  SmallVector<Elements> written;
  for (auto [i, start] : llvm::enumerate(*starts)) {
    auto before = sliceAlong(fold, cache, 0, int64_t(i), 1);
    auto change = sliceAlong(fold, update, 0, int64_t(i), 1);
    if (!before || !change)
      return llvm::joinErrors(before.takeError(), change.takeError());
    auto after = write(fold, *before, *change, *axis, start);
    if (!after)
      return after;
    written.push_back(std::move(*after));
  }
  return fold.getBuilder().concat(written, 0);
}
