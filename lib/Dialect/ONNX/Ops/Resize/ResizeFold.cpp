// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../Quantize/QuantizeFormulas.h"
#include "ResizeAxes.h"
#include "invar/Dialect/ONNX/FoldChain.h"
#include "invar/Dialect/ONNX/KernelInput.h"
#include "invar/Dialect/ONNX/Movement.h"
#include "invar/Kernels/GridSample.h"
#include "invar/Support/Parallel.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;
using namespace invar::kernels;

//===-- Resizing one axis after the other -------------------------------------===//

/// Resizes axes to the nearest elements, for any type. Elements outside the tensor,
/// which cropping may read, are `otherwise`.
static llvm::Expected<Elements> takeNearest(Folding &fold, Elements x,
                                            ArrayRef<AxisChange> changes,
                                            Nearest nearest,
                                            const Elements &otherwise) {
  for (const AxisChange &change : changes) {
    std::vector<int64_t> places = findNearest(change.resized, nearest);
    std::unique_ptr<bool[]> isInside(new bool[places.size()]);
    bool areAllInside = true;
    for (auto [i, place] : llvm::enumerate(places)) {
      areAllInside &= isInside[i] = place >= 0;
      place = std::max<int64_t>(place, 0);
    }
    if (llvm::Error error = pickAlong(fold, x, change.axis, places).moveInto(x))
      return error;
    if (areAllInside)
      continue;
    Shape shape(x.getRank(), 1);
    shape[change.axis] = int64_t(places.size());
    auto mask = fold.getBuilder().fromLanes(DataType::Bool, shape,
                                            isInside.get(), places.size());
    if (!mask)
      return mask;
    if (llvm::Error error = choose(fold, *mask, x, otherwise).moveInto(x))
      return error;
  }
  return x;
}

/// Returns a tensor of doubles with one axis resampled, computed when it is read.
static llvm::Expected<Elements>
resampleAxis(const Folding &fold, const Elements &x, const AxisChange &change,
             const Filter &filter, double otherwise) {
  auto input = KernelInput<double>::get(fold, x);
  if (!input)
    return input.takeError();
  Shape shape(x.getShape());
  shape[change.axis] = change.resized.to;
  if (llvm::Error error = fold.checkWork(shape))
    return error;
  int64_t inner = *countElements(ArrayRef(shape).drop_front(change.axis + 1));
  if (countElements(shape) == 0)
    return fold.getBuilder().splat(DataType::Float64, shape,
                                   WideNum::ofDouble(0));
  auto kernel = [input = *input, resized = change.resized, filter, otherwise,
                 inner, rows = *countElements(shape) / inner](
                    void *lanes, const EvalOptions &options) {
    ElementsArray<double> data = input.read();
    Taps taps = findTaps(resized, filter);
    int64_t rowsAtOnce = std::max<int64_t>(1, 16384 / inner);
    parallelFor(rows, rowsAtOnce, options.threads,
                [&](uint64_t from, uint64_t to) {
                  resample<double>(data.begin(), resized.from, inner, taps,
                                   otherwise, int64_t(from), int64_t(to),
                                   static_cast<double *>(lanes));
                });
  };
  Hasher key;
  key.add("resample")
      .add(uint64_t(change.axis))
      .add(uint64_t(filter.antialias));
  key.add(uint64_t(filter.interpolation)).add(uint64_t(filter.excludeOutside));
  key.add(uint64_t(change.resized.coordinates));
  for (double number :
       {filter.cubicCoefficient, change.resized.scale, change.resized.cropStart,
        change.resized.cropEnd, otherwise})
    key.add(llvm::bit_cast<uint64_t>(number));
  return fold.getBuilder().compute(DataType::Float64, shape, key.finish(), x,
                                   kernel);
}

/// Computes weighted sums of elements of any numeric type. Integers are truncated, as
/// in onnxruntime. With a filter that may overshoot, which onnxruntime lacks, they are
/// rounded and saturated.
static llvm::Expected<Elements> interpolate(Folding &fold, const Elements &x,
                                            ArrayRef<AxisChange> changes,
                                            const Filter &filter,
                                            double otherwise) {
  DataType type = x.getType();
  if (!isNumeric(type))
    return notFolded("it cannot interpolate elements of type " + getName(type));
  FoldChain sums = FoldChain(fold, x).cast(DataType::Float64);
  for (const AxisChange &change : changes)
    std::move(sums).then([&](const Elements &data) {
      return resampleAxis(fold, data, change, filter, otherwise);
    });
  bool isInteger = getKind(type) == NumberKind::Signed ||
                   getKind(type) == NumberKind::Unsigned;
  if (isInteger &&
      (filter.antialias || filter.interpolation == Interpolation::Cubic)) {
    auto zero =
        fold.getBuilder().splat(DataType::Float64, {}, WideNum::ofDouble(0));
    if (!zero)
      return zero;
    return std::move(sums).apply(formula::Saturate::to(type), *zero).cast(type);
  }
  return std::move(sums).cast(type);
}

/// Checks that the table of an axis' positions is not too large.
static llvm::Error checkAxis(int64_t from, int64_t to) {
  constexpr int64_t mostPlaces = int64_t(1) << 26;
  if (from == 0 && to != 0)
    return notFolded("there is nothing to resize");
  if (to > mostPlaces)
    return notFolded("expected an axis of up to " + Twine(mostPlaces) +
                     " places, but got " + Twine(to));
  return llvm::Error::success();
}

//===-- Resize ----------------------------------------------------------------===//

/// Returns the requested scale of each axis.
static llvm::Expected<SmallVector<double>> getScales(ResizeOp op, Folding &fold,
                                                     ArrayRef<int64_t> axes) {
  ArrayRef<int64_t> from = fold.get(op.getX()).getShape();
  SmallVector<double> scales;
  // An empty list counts as left out; a scalar has only empty lists.
  if (op.getScales() &&
      (!op.getSizes() || fold.get(op.getScales()).numElements() != 0)) {
    auto given = fold.read<float>(op.getScales());
    if (!given)
      return given.takeError();
    scales.assign(given->begin(), given->end());
  } else {
    auto sizes = fold.read<int64_t>(op.getSizes());
    if (!sizes)
      return sizes.takeError();
    for (auto [axis, size] : llvm::zip(axes, *sizes))
      scales.push_back(double(size) / double(from[axis]));
    keepAspectRatio(op, scales);
  }
  if (scales.size() != axes.size())
    return notFolded("expected " + Twine(axes.size()) + " scales, but got " +
                     Twine(scales.size()));
  return scales;
}

/// The axes that change.
static llvm::Expected<SmallVector<AxisChange>> getChanges(ResizeOp op,
                                                          Folding &fold) {
  const Elements &x = fold.get(op.getX());
  SmallVector<int64_t> axes = op.getResizedAxes(x.getRank());
  llvm::Expected<Shape> to = fold.getShape();
  if (!to)
    return to.takeError();
  auto scales = getScales(op, fold, axes);
  if (!scales)
    return scales.takeError();
  Coordinates coordinates = getCoordinates(op);
  SmallVector<double> crop;
  if (coordinates == Coordinates::TfCropAndResize) {
    if (!op.getRoi() ||
        fold.get(op.getRoi()).numElements() != 2 * int64_t(axes.size()))
      return notFolded("expected a start and an end of each axis in 'roi'");
    auto roi = fold.read<double>(op.getRoi());
    if (!roi)
      return roi.takeError();
    crop.assign(roi->begin(), roi->end());
  }
  SmallVector<AxisChange> changes;
  for (auto [i, axis] : llvm::enumerate(axes)) {
    ResizedAxis resized{x.getShape()[axis], (*to)[axis], (*scales)[i],
                        coordinates,        0,           1};
    if (llvm::Error error = checkAxis(resized.from, resized.to))
      return error;
    if (!crop.empty()) {
      resized.cropStart = crop[i];
      resized.cropEnd = crop[axes.size() + i];
    }
    if (!isUnchanged(resized))
      changes.push_back({axis, resized});
  }
  return changes;
}

FoldResult ResizeOp::computeValues(Folding &fold) {
  const Elements &x = fold.get(getX());
  auto changes = getChanges(*this, fold);
  if (!changes)
    return changes.takeError();
  if (changes->empty())
    return x;
  double outside = getExtrapolationValue();
  if (getMode() == "nearest") {
    // Only numbers can have elements outside the tensor.
    llvm::Expected<Elements> otherwise =
        isNumeric(x.getType())
            ? FoldChain(fold,
                        fold.getBuilder().splat(DataType::Float64, {},
                                                WideNum::ofDouble(outside)))
                  .cast(x.getType())
            : FoldChain(fold, makeZero(fold, x.getType()));
    if (!otherwise)
      return otherwise;
    return takeNearest(fold, x, *changes, getNearest(*this), *otherwise);
  }
  return interpolate(fold, x, *changes, getFilter(*this), outside);
}

FoldResult UpsampleOp::computeValues(Folding &fold) {
  const Elements &x = fold.get(getX());
  llvm::Expected<Shape> to = fold.getShape();
  auto scales = fold.read<float>(getScales());
  if (!to || !scales)
    return llvm::joinErrors(to.takeError(), scales.takeError());
  if (int64_t(scales->get().size()) != x.getRank())
    return notFolded("expected a scale for each of " + Twine(x.getRank()) +
                     " axes, but got " + Twine(scales->get().size()));
  SmallVector<AxisChange> changes;
  for (auto [axis, scale] : llvm::enumerate(*scales)) {
    ResizedAxis resized{x.getShape()[axis],      (*to)[axis], scale,
                        Coordinates::Asymmetric, 0,           1};
    if (llvm::Error error = checkAxis(resized.from, resized.to))
      return error;
    if (scale != 1)
      changes.push_back({int64_t(axis), resized});
  }
  if (getMode() == "nearest")
    return takeNearest(fold, x, changes, Nearest::Floor, x);
  return interpolate(fold, x, changes, getFilter(*this), /*otherwise=*/0);
}
