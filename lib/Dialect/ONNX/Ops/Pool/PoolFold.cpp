// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/FoldChain.h"
#include "invar/Dialect/ONNX/KernelInput.h"
#include "invar/Dialect/ONNX/KernelWindow.h"
#include "invar/Dialect/ONNX/Ops/Pool.h"
#include "invar/Dialect/ONNX/Statistics.h"
#include "invar/Kernels/Pool.h"
#include "invar/Kernels/RegionPool.h"
#include "invar/Support/Parallel.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- Moving windows --------------------------------------------------------===//

/// Fails if a window does not overlap the image: runtimes return different results then.
static llvm::Error checkTaps(const KernelWindow &window) {
  for (const kernels::WindowAxis &axis : window)
    for (int64_t place = 0; place < axis.output; ++place)
      if (axis.getTaps(place).count() == 0)
        return notFolded("a window stands in the padding only");
  return llvm::Error::success();
}

/// Computes a pool; `kernel(window, x, from, to, out)` computes a range of planes.
template <typename Result, typename Op, typename Kernel>
static llvm::Expected<Elements> pool(Op op, Folding &fold, Kernel kernel,
                                     unsigned result = 0) {
  const Elements &x = fold.get(op.getX());
  llvm::Expected<Shape> to = fold.getShape(result);
  if (!to)
    return to.takeError();
  ShapeHelper shape = fold.getShapeHelper();
  auto window =
      toKernelWindow(op.computeWindow(shape), x.getShape().drop_front(2));
  if (!window)
    return window.takeError();
  if (llvm::Error error = fold.checkWork(*to))
    return error;
  if (countElements(*to) != 0)
    if (llvm::Error error = checkTaps(*window))
      return error;
  SmallVector<int64_t> factors = {*countElements(*to)};
  for (const kernels::WindowAxis &axis : *window)
    factors.push_back(std::min(axis.kernel, axis.image));
  if (llvm::Error error = checkSteps(factors))
    return error;
  auto input = KernelInput<double>::get(fold, x);
  if (!input)
    return input.takeError();
  return fold.compute<Result>(
      *to,
      [kernel, input = *input, window = *window, planes = (*to)[0] * (*to)[1],
       threads =
           fold.getOptions().evaluation.threads](MutableArrayRef<Result> out) {
        ElementsArray<double> elements = input.read();
        parallelFor(uint64_t(planes), 1, threads,
                    [&](uint64_t from, uint64_t to) {
                      kernel(refer(window), elements.begin(), int64_t(from),
                             int64_t(to), out.data());
                    });
      },
      result);
}

FoldResult AveragePoolOp::computeValues(Folding &fold) {
  bool countPadding = getCountIncludePad() != 0;
  return pool<double>(*this, fold,
                      [countPadding](kernels::Window window, const double *x,
                                     int64_t from, int64_t to, double *y) {
                        kernels::averagePool(window, countPadding, x, from, to,
                                             y);
                      });
}

FoldResult LpPoolOp::computeValues(Folding &fold) {
  return pool<double>(*this, fold,
                      [p = getP()](kernels::Window window, const double *x,
                                   int64_t from, int64_t to, double *y) {
                        kernels::normPool(window, p, x, from, to, y);
                      });
}

FoldResult MaxPoolOp::computeValues(Folding &fold) {
  auto greatest = pool<double>(
      *this, fold,
      [](kernels::Window window, const double *x, int64_t from, int64_t to,
         double *y) { kernels::maxPool(window, x, from, to, y); });
  if (!greatest || !getIndices())
    return greatest;
  bool byColumns = getStorageOrder() != 0;
  auto places = pool<int64_t>(
      *this, fold,
      [byColumns](kernels::Window window, const double *x, int64_t from,
                  int64_t to, int64_t *out) {
        kernels::locateMax(window, byColumns, x, from, to, out);
      },
      /*result=*/1);
  if (!places)
    return places;
  return FoldResult::Values{*greatest, *places};
}

//===-- All of an image -------------------------------------------------------===//

/// Returns the first number of a statistic over all spatial axes.
template <typename State>
static FoldResult poolAll(Folding &fold, const Elements &x, State state) {
  SmallVector<int64_t> axes;
  for (int64_t axis = 2; axis < x.getRank(); ++axis)
    axes.push_back(axis);
  llvm::Expected<Shape> to = fold.getShape();
  if (!to)
    return to.takeError();
  if (x.numElements() == 0 && countElements(*to) != 0)
    return notFolded("there are no elements to pool");
  auto numbers = computeStatistics(fold, x, axes, state);
  if (!numbers)
    return numbers.takeError();
  return fold.getBuilder().cast(numbers->front(), fold.getType());
}

FoldResult GlobalAveragePoolOp::computeValues(Folding &fold) {
  return poolAll(fold, fold.get(getX()), statistics::Moments());
}

FoldResult GlobalLpPoolOp::computeValues(Folding &fold) {
  return poolAll(fold, fold.get(getX()), statistics::Norm{double(getP())});
}

FoldResult GlobalMaxPoolOp::computeValues(Folding &fold) {
  return poolAll(fold, fold.get(getX()), statistics::Greatest());
}

//===-- Back to where elements were -------------------------------------------===//

/// Appends zeros to `x` along each axis, up to `shape`.
static llvm::Expected<Elements> extend(const ElementsBuilder &builder,
                                       Elements x, ArrayRef<int64_t> shape) {
  for (auto [axis, size] : llvm::enumerate(shape)) {
    Shape rest(x.getShape());
    rest[axis] = size - rest[axis];
    if (rest[axis] < 0)
      return notFolded("expected an 'output_shape' of at least " +
                       printShape(x.getShape()) + ", but got " +
                       printShape(shape));
    if (rest[axis] == 0)
      continue;
    auto zeros = builder.splat(x.getType(), rest, WideNum::ofInt(0));
    if (!zeros)
      return zeros;
    auto longer = builder.concat({x, *zeros}, int64_t(axis));
    if (!longer)
      return longer;
    x = std::move(*longer);
  }
  return x;
}

FoldResult MaxUnpoolOp::computeValues(Folding &fold) {
  const Elements &x = fold.get(getX());
  llvm::Expected<Shape> to = fold.getShape();
  if (!to)
    return to.takeError();
  ShapeHelper shape = fold.getShapeHelper();
  auto window =
      toKernelWindow(computeWindow(shape), x.getShape().drop_front(2));
  if (!window)
    return window.takeError();
  // Positions are counted in the original image of the pool; a given shape may be larger.
  Shape pooled(x.getShape().take_front(2));
  for (const kernels::WindowAxis &axis : *window)
    pooled.push_back(axis.output);
  if (llvm::Error error = fold.checkWork(pooled))
    return error;
  int64_t count = *countElements(pooled);
  auto places = fold.read<int64_t>(getI());
  if (!places)
    return places.takeError();
  if (fold.get(getI()).getShape() != x.getShape())
    return notFolded("expected as many places as elements");
  for (int64_t place : *places)
    if (place < 0 || place >= count)
      return notFolded("expected places below " + Twine(count) + ", but got " +
                       Twine(place));
  auto input = KernelInput<double>::get(fold, x);
  if (!input)
    return input.takeError();
  auto spread = fold.compute<double>(
      pooled, [input = *input,
               places = std::vector<int64_t>(places->begin(), places->end())](
                  MutableArrayRef<double> out) {
        llvm::fill(out, 0);
        for (auto [place, element] : llvm::zip_equal(places, input.read()))
          out[place] = element;
      });
  return spread ? extend(fold.getBuilder(), *spread, *to) : std::move(spread);
}

//===-- Boxes -----------------------------------------------------------------===//

/// Pools boxes of images: `boxes` are the numbers that describe them, `images` the
/// image of each.
template <typename Kernel>
static FoldResult poolRegions(Folding &fold, const Elements &x,
                              ElementsArray<double> boxes,
                              std::vector<int64_t> images, Kernel kernel) {
  llvm::Expected<Shape> to = fold.getShape();
  auto input = KernelInput<double>::get(fold, x);
  if (!to || !input)
    return llvm::joinErrors(to.takeError(), input.takeError());
  for (int64_t image : images)
    if (image < 0 || image >= x.getShape()[0])
      return notFolded("expected images below " + Twine(x.getShape()[0]) +
                       ", but got " + Twine(image));
  return fold.compute<double>(
      *to, [kernel, input = *input, images = std::move(images),
            boxes = std::vector<double>(boxes.begin(), boxes.end()),
            threads = fold.getOptions().evaluation.threads](
               MutableArrayRef<double> out) {
        ElementsArray<double> elements = input.read();
        parallelFor(images.size(), 1, threads, [&](uint64_t from, uint64_t to) {
          kernel(input.refer(elements), boxes.data(), images.data(),
                 int64_t(from), int64_t(to), out.data());
        });
      });
}

FoldResult MaxRoiPoolOp::computeValues(Folding &fold) {
  auto boxes = fold.read<double>(getRois());
  if (!boxes)
    return boxes.takeError();
  ArrayRef<int64_t> image = fold.get(getX()).getShape();
  std::vector<int64_t> images;
  for (size_t at = 0; at < boxes->get().size(); at += 5)
    images.push_back(truncateToInt64((*boxes)[at]));
  if (llvm::Error error =
          checkSteps({int64_t(images.size()), image[1], image[2], image[3]}))
    return error;
  kernels::RegionGrid grid{getPooledShape()[0], getPooledShape()[1],
                           getSpatialScale()};
  return poolRegions(
      fold, fold.get(getX()), std::move(*boxes), std::move(images),
      [grid](kernels::TensorRef<const double> x, const double *boxes,
             const int64_t *, int64_t from, int64_t to, double *y) {
        kernels::maxRegionPool(grid, x, boxes, from, to, y);
      });
}

FoldResult RoiAlignOp::computeValues(Folding &fold) {
  auto boxes = fold.read<double>(getRois());
  auto images = fold.read<int64_t>(getBatchIndices());
  if (!boxes || !images)
    return llvm::joinErrors(boxes.takeError(), images.takeError());
  const Elements &x = fold.get(getX());
  kernels::RegionGrid grid{getOutputHeight(), getOutputWidth(),
                           getSpatialScale()};
  kernels::RegionSampling sampling{
      getSamplingRatio(), getCoordinateTransformationMode() == "half_pixel",
      getMode() == "max"};
  if (x.getShape()[2] == 0 || x.getShape()[3] == 0)
    return notFolded("there are no elements to pool");
  int64_t samples = 0;
  for (size_t at = 0; at < boxes->get().size(); at += 4) {
    int64_t own = kernels::countSamples(grid, sampling, boxes->begin() + at);
    if (llvm::AddOverflow(samples, own, samples))
      return notFolded("it takes too many steps");
  }
  if (llvm::Error error = checkSteps({samples, x.getShape()[1]}))
    return error;
  return poolRegions(
      fold, x, std::move(*boxes),
      std::vector<int64_t>(images->begin(), images->end()),
      [grid, sampling](kernels::TensorRef<const double> x, const double *boxes,
                       const int64_t *images, int64_t from, int64_t to,
                       double *y) {
        kernels::alignRegions(grid, sampling, x, boxes, images, from, to, y);
      });
}
