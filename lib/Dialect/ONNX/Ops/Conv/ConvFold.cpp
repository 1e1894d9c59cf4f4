// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../Activation/ActivationFormulas.h"
#include "invar/Dialect/ONNX/FoldCall.h"
#include "invar/Dialect/ONNX/FoldChain.h"
#include "invar/Dialect/ONNX/KernelInput.h"
#include "invar/Dialect/ONNX/KernelWindow.h"
#include "invar/Dialect/ONNX/Ops/Conv.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// The window of an operator over the spatial axes of an image N x C x D….
template <typename Op>
static llvm::Expected<KernelWindow> windowOf(Op op, Folding &fold,
                                             ArrayRef<int64_t> image) {
  ShapeHelper shape = fold.getShapeHelper();
  return toKernelWindow(op.computeWindow(shape), image);
}

FoldResult ConvOp::computeValues(Folding &fold) {
  const Elements &x = fold.get(getX());
  auto window = windowOf(*this, fold, x.getShape().drop_front(2));
  if (!window)
    return window.takeError();
  return convolve(fold, *window, getGroup(), /*transposed=*/false, x,
                  fold.get(getW()), fold.getOptional(getB()), x.getType());
}

FoldResult ConvTransposeOp::computeValues(Folding &fold) {
  const Elements &x = fold.get(getX());
  auto window = windowOf(*this, fold, x.getShape().drop_front(2));
  if (!window)
    return window.takeError();
  return convolve(fold, *window, getGroup(), /*transposed=*/true, x,
                  fold.get(getW()), fold.getOptional(getB()), x.getType());
}

FoldResult CausalConvWithStateOp::computeValues(Folding &fold) {
  const ElementsBuilder &builder = fold.getBuilder();
  const Elements &x = fold.get(getInput()), &w = fold.get(getWeight());
  int64_t taps = w.getShape()[2], length = x.getShape()[2];
  int64_t channels = x.getShape()[1];
  if (taps < 1 || channels < 1)
    return notFolded("it has no filters");
  // The past state precedes the input; the end of both together is the next state.
  Shape before(x.getShape());
  before[2] = taps - 1;
  llvm::Expected<Elements> past =
      getPastState() ? fold.get(getPastState())
                     : builder.splat(x.getType(), before, WideNum::ofInt(0));
  if (!past)
    return past;
  llvm::Expected<Elements> all = builder.concat({*past, x}, 2);
  if (!all)
    return all;
  llvm::Expected<Elements> present =
      builder.slice(*all, {0, 0, length}, before, {1, 1, 1});
  if (!present)
    return present;
  KernelWindow window = {{.image = all->getShape()[2],
                          .kernel = taps,
                          .output = length,
                          .stride = 1,
                          .dilation = 1,
                          .padBegin = 0,
                          .padEnd = 0}};
  bool isActivated = getActivation() != "none";
  llvm::Expected<Elements> y =
      convolve(fold, window, /*groups=*/channels, /*transposed=*/false, *all, w,
               fold.getOptional(getBias()),
               isActivated ? DataType::Float64 : x.getType());
  if (isActivated)
    y = FoldChain(fold, std::move(y))
            .apply(formula::Swish{{}, /*alpha=*/1})
            .cast(x.getType());
  if (!y)
    return y;
  return FoldResult::Values{*y, *present};
}

//===-- Calls -----------------------------------------------------------------===//

FoldResult Col2ImOp::computeValues(Folding &fold) {
  llvm::Expected<Shape> to = fold.getShape();
  if (!to)
    return to.takeError();
  auto window = windowOf(*this, fold, ArrayRef(*to).drop_front(2));
  if (!window)
    return window.takeError();
  SmallVector<int64_t> factors = {(*to)[0], (*to)[1]};
  for (const kernels::WindowAxis &axis : *window)
    factors.append({axis.kernel, axis.output});
  if (llvm::Error error = checkSteps(factors))
    return error;
  return foldByCall(*this, fold, Floats::Doubles);
}

FoldResult DeformConvOp::computeValues(Folding &fold) {
  llvm::Expected<Shape> to = fold.getShape();
  if (!to)
    return to.takeError();
  // Each element is a sum over the channels of a group and the taps of the kernel.
  SmallVector<int64_t> factors(fold.get(getW()).getShape().drop_front());
  llvm::append_range(factors, *to);
  factors.push_back(getOffsetGroup());
  if (llvm::Error error = checkSteps(factors))
    return error;
  return foldByCall(*this, fold, Floats::Doubles);
}
