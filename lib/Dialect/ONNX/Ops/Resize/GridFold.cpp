// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/FoldCall.h"
#include "invar/Dialect/ONNX/KernelInput.h"
#include "invar/Dialect/ONNX/Ops/Resize.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

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

FoldResult GridSampleOp::computeValues(Folding &fold) {
  llvm::Expected<Shape> to = fold.getShape();
  if (!to)
    return to.takeError();
  const Elements &x = fold.get(getX()), &grid = fold.get(getGrid());
  if (llvm::Error error = fold.checkWork(*to))
    return error;
  auto positions = fold.read<double>(grid);
  if (!positions)
    return positions.takeError();
  // Farther out runtimes differ, and some overflow.
  constexpr double farthest = 1e6;
  if (llvm::any_of(*positions, [](double position) {
        return !(std::abs(position) <= farthest);
      }))
    return notFolded("expected positions near the image");
  bool takesNearest = getMode() == "nearest";
  if (!takesNearest && !isNumeric(x.getType()))
    return notFolded("it cannot interpolate elements of type " +
                     getName(x.getType()));
  // The type of the grid decides halfway between two pixels.
  return foldByCall(*this, fold,
                    takesNearest ? Floats::AsTheyAre : Floats::Doubles);
}
