// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/FoldCall.h"
#include "invar/Dialect/ONNX/FoldChain.h"
#include "invar/Dialect/ONNX/KernelInput.h"
#include "invar/Dialect/ONNX/KernelWindow.h"
#include "invar/Dialect/ONNX/Ops/Pool.h"
#include "invar/Dialect/ONNX/Statistics.h"
#include "invar/Kernels/Pool.h"
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

/// Returns the window of a pool. Fails if the pool is not to be folded.
template <typename Op>
static llvm::Expected<KernelWindow> checkPool(Op op, Folding &fold) {
  const Elements &x = fold.get(op.getX());
  llvm::Expected<Shape> to = fold.getShape();
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
  return window;
}

/// Computes a pool; `kernel(window, x, from, to, out)` computes a range of planes.
template <typename Op, typename Kernel>
static llvm::Expected<Elements> pool(Op op, Folding &fold, Kernel kernel) {
  llvm::Expected<KernelWindow> window = checkPool(op, fold);
  llvm::Expected<Shape> to = fold.getShape();
  auto input = KernelInput<double>::get(fold, fold.get(op.getX()));
  if (!window || !to || !input)
    return llvm::joinErrors(
        window.takeError(),
        llvm::joinErrors(to.takeError(), input.takeError()));
  return fold.compute<double>(*to, [kernel, input = *input, window = *window,
                                    planes = (*to)[0] * (*to)[1],
                                    threads =
                                        fold.getOptions().evaluation.threads](
                                       MutableArrayRef<double> out) {
    ElementsArray<double> elements = input.read();
    parallelFor(uint64_t(planes), 1, threads, [&](uint64_t from, uint64_t to) {
      kernel(refer(window), elements.begin(), int64_t(from), int64_t(to),
             out.data());
    });
  });
}

FoldResult AveragePoolOp::computeValues(Folding &fold) {
  bool countPadding = getCountIncludePad() != 0;
  return pool(*this, fold,
              [countPadding](kernels::Window window, const double *x,
                             int64_t from, int64_t to, double *y) {
                kernels::averagePool(window, countPadding, x, from, to, y);
              });
}

FoldResult LpPoolOp::computeValues(Folding &fold) {
  return pool(*this, fold,
              [p = getP()](kernels::Window window, const double *x,
                           int64_t from, int64_t to, double *y) {
                kernels::normPool(window, p, x, from, to, y);
              });
}

FoldResult MaxPoolOp::computeValues(Folding &fold) {
  if (llvm::Error error = checkPool(*this, fold).takeError())
    return error;
  return foldByCallWhenRead(*this, fold, Floats::AsTheyAre);
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

//===-- Calls -----------------------------------------------------------------===//

FoldResult MaxUnpoolOp::computeValues(Folding &fold) {
  llvm::Expected<Shape> to = fold.getShape();
  if (!to)
    return to.takeError();
  if (llvm::Error error = fold.checkWork(*to))
    return error;
  return foldByCall(*this, fold, Floats::AsTheyAre);
}

FoldResult MaxRoiPoolOp::computeValues(Folding &fold) {
  ArrayRef<int64_t> image = fold.get(getX()).getShape();
  int64_t boxes = fold.get(getRois()).getShape()[0];
  if (llvm::Error error = checkSteps({boxes, image[1], image[2], image[3]}))
    return error;
  return foldByCall(*this, fold, Floats::Doubles);
}

FoldResult RoiAlignOp::computeValues(Folding &fold) {
  llvm::Expected<Shape> to = fold.getShape();
  if (!to)
    return to.takeError();
  if (llvm::Error error = fold.checkWork(*to))
    return error;
  return foldByCall(*this, fold, Floats::Doubles);
}
