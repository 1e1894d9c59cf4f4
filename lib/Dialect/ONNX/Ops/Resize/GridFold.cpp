// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/FoldChain.h"
#include "invar/Dialect/ONNX/KernelInput.h"
#include "invar/Dialect/ONNX/Movement.h"
#include "invar/Dialect/ONNX/Ops/Resize.h"
#include "invar/Kernels/GridSample.h"
#include "invar/Support/Parallel.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;
using namespace invar::kernels;

//===-- AffineGrid ------------------------------------------------------------===//

/// Returns the positions of the pixels of an axis, from -1 to 1.
static std::vector<double> spread(int64_t size, bool alignCorners) {
  std::vector<double> positions;
  for (int64_t i = 0; i < size; ++i)
    positions.push_back(alignCorners
                            ? double(2 * i - (size - 1)) / double(size - 1)
                            : double(2 * i + 1 - size) / double(size));
  return positions;
}

FoldResult AffineGridOp::computeValues(Folding &fold) {
  llvm::Expected<Shape> to = fold.getShape();
  auto theta = KernelInput<double>::get(fold, fold.get(getTheta()));
  if (!to || !theta)
    return llvm::joinErrors(to.takeError(), theta.takeError());
  int64_t rank = to->back();
  if (theta->getShape() != ArrayRef<int64_t>{to->front(), rank, rank + 1})
    return notFolded("expected matrices of " + Twine(rank) + " x " +
                     Twine(rank + 1) + ", but got " +
                     printShape(theta->getShape()));
  bool alignCorners = getAlignCorners() != 0;
  Shape image(ArrayRef(*to).drop_front().drop_back());
  if (alignCorners && llvm::is_contained(image, 1))
    return notFolded("runtimes differ in where a single pixel is");
  auto kernel = [theta = *theta, image, rank,
                 alignCorners](MutableArrayRef<double> out) {
    ElementsArray<double> matrices = theta.read();
    SmallVector<std::vector<double>> positions;
    for (int64_t size : image)
      positions.push_back(spread(size, alignCorners));
    size_t pixels = size_t(*countElements(image));
    SmallVector<double> point(rank + 1, 1);
    for (size_t i = 0; i < out.size() / rank; ++i) {
      // The coordinates of a point begin with the last axis and end with a 1.
      size_t index = i % pixels;
      for (int64_t axis = rank - 1; axis >= 0; --axis) {
        point[rank - 1 - axis] = positions[axis][index % image[axis]];
        index /= image[axis];
      }
      const double *row = matrices.begin() + i / pixels * rank * (rank + 1);
      for (int64_t k = 0; k < rank; ++k, row += rank + 1)
        out[i * rank + k] =
            std::inner_product(point.begin(), point.end(), row, 0.0);
    }
  };
  return fold.compute<double>(*to, kernel);
}

//===-- GridSample ------------------------------------------------------------===//

/// Takes pixels of any type at the nearest positions. T is the grid's type.
template <typename T>
static FoldResult takePixels(GridSampleOp op, Folding &fold,
                             const GridSampling &sampling,
                             ArrayRef<int64_t> to) {
  const Elements &x = fold.get(op.getX());
  auto grid = fold.read<T>(op.getGrid());
  if (!grid)
    return grid.takeError();
  ArrayRef<int64_t> image = x.getShape().drop_front(2);
  int64_t batch = to[0], channels = to[1], pixels = *countElements(image);
  int64_t places = *countElements(to.drop_front(2));
  Slices slices{{}, channels};
  for (int64_t i = 0; i < batch * places; ++i) {
    int64_t pixel =
        findNearestPixel<T>(sampling, {image.data(), image.size()},
                            grid->begin() + i * int64_t(image.size()));
    // A row of zeros follows all rows of pixels.
    slices.rows.push_back(pixel < 0 ? batch * pixels
                                    : i / places * pixels + pixel);
  }
  llvm::Expected<Elements> zeros =
      FoldChain(fold, makeZero(fold, x.getType()))
          .then([&](const Elements &zero) {
            return fold.getBuilder().expand(zero, {1, channels});
          });
  if (!zeros)
    return zeros;
  return FoldChain(fold, x)
      .reshape({batch, channels, pixels})
      .transpose({0, 2, 1})
      .reshape({batch * pixels, channels})
      .then([&](const Elements &rows) {
        return fold.getBuilder().concat({rows, *zeros}, 0);
      })
      .then([&](const Elements &rows) {
        return pickRows(fold, rows, std::move(slices),
                        {batch, places, channels});
      })
      .transpose({0, 2, 1})
      .reshape(to);
}

/// Each result needs 2 or 4 pixels along each axis; with many axes the product is too
/// large to compute.
static llvm::Error checkStencil(const GridSampling &sampling, int64_t rank,
                                ArrayRef<int64_t> to) {
  int64_t bits = rank * (sampling.isCubic ? 2 : 1);
  if (rank > maxImageRank || *countElements(to) >> (40 - bits) != 0)
    return notFolded("it takes too many products");
  return llvm::Error::success();
}

static FoldResult interpolate(GridSampleOp op, Folding &fold,
                              const GridSampling &sampling,
                              ArrayRef<int64_t> to) {
  using Input = KernelInput<double>;
  if (!isNumeric(fold.getType()))
    return notFolded("it cannot interpolate elements of type " +
                     getName(fold.getType()));
  auto x = Input::get(fold, fold.get(op.getX()));
  auto grid = Input::get(fold, fold.get(op.getGrid()));
  if (!x || !grid)
    return llvm::joinErrors(x.takeError(), grid.takeError());
  if (llvm::Error error = checkStencil(sampling, int64_t(to.size()) - 2, to))
    return error;
  auto kernel = [x = *x, grid = *grid, sampling, to = Shape(to),
                 threads = fold.getOptions().evaluation.threads](
                    MutableArrayRef<double> out) {
    ElementsArray<double> data = x.read(), positions = grid.read();
    ArrayRef<int64_t> image = x.getShape().drop_front(2);
    int64_t channels = to[1], pixels = *countElements(image);
    int64_t places = *countElements(ArrayRef(to).drop_front(2));
    int64_t rank = int64_t(image.size());
    constexpr int64_t atOnce = 256;
    int64_t pieces = llvm::divideCeil(places, atOnce);
    parallelFor(to[0] * pieces, 1, threads, [&](uint64_t from, uint64_t end) {
      for (int64_t i = int64_t(from); i < int64_t(end); ++i) {
        int64_t n = i / pieces, first = i % pieces * atOnce;
        sampleGrid<double>(sampling, {image.data(), image.size()}, channels,
                           data.begin() + n * channels * pixels,
                           positions.begin() + (n * places + first) * rank,
                           std::min(atOnce, places - first), places,
                           out.data() + n * channels * places + first);
      }
    });
  };
  return fold.compute<double>(to, kernel);
}

FoldResult GridSampleOp::computeValues(Folding &fold) {
  llvm::Expected<Shape> to = fold.getShape();
  if (!to)
    return to.takeError();
  const Elements &x = fold.get(getX()), &grid = fold.get(getGrid());
  if (countElements(*to) == 0)
    return FoldChain(fold, makeZero(fold, x.getType()))
        .then([&](const Elements &zero) {
          return fold.getBuilder().expand(zero, *to);
        });
  if (x.numElements() == 0)
    return notFolded("there is nothing to sample");
  auto positions = fold.read<double>(grid);
  if (!positions)
    return positions.takeError();
  // Farther out runtimes differ, and some overflow.
  constexpr double farthest = 1e6;
  if (llvm::any_of(*positions, [](double position) {
        return !(std::abs(position) <= farthest);
      }))
    return notFolded("expected positions near the image");
  GridSampling sampling;
  sampling.alignCorners = getAlignCorners() != 0;
  sampling.outside = llvm::StringSwitch<Outside>(getPaddingMode())
                         .Case("border", Outside::Border)
                         .Case("reflection", Outside::Reflection)
                         .Default(Outside::Zeros);
  sampling.isCubic = getMode() == "cubic";
  if (getMode() != "nearest")
    return interpolate(*this, fold, sampling, *to);
  return grid.getType() == DataType::Float64
             ? takePixels<double>(*this, fold, sampling, *to)
             : takePixels<float>(*this, fold, sampling, *to);
}
