// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../Activation/ActivationFormulas.h"
#include "invar/Dialect/ONNX/FoldChain.h"
#include "invar/Dialect/ONNX/KernelInput.h"
#include "invar/Dialect/ONNX/KernelWindow.h"
#include "invar/Dialect/ONNX/Ops/Conv.h"
#include "invar/Kernels/Col2Im.h"
#include "invar/Kernels/DeformConv.h"
#include "invar/Support/Parallel.h"

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

template <typename T>
static FoldResult addBlocks(Folding &fold, const KernelWindow &window,
                            const Elements &columns, ArrayRef<int64_t> shape) {
  auto input = KernelInput<T>::get(fold, columns);
  if (!input)
    return input.takeError();
  return fold.compute<T>(
      shape,
      [input = *input, window, images = shape[0] * shape[1],
       threads = fold.getOptions().evaluation.threads](MutableArrayRef<T> out) {
        ElementsArray<T> elements = input.read();
        parallelFor(
            uint64_t(images), 16, threads, [&](uint64_t from, uint64_t to) {
              kernels::addBlocks(refer(window), elements.begin(), int64_t(from),
                                 int64_t(to), out.data());
            });
      });
}

FoldResult Col2ImOp::computeValues(Folding &fold) {
  const Elements &columns = fold.get(getInput());
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
  Shape expected = {(*to)[0], (*to)[1], 1};
  for (const kernels::WindowAxis &axis : *window) {
    expected[1] *= axis.kernel;
    expected[2] *= axis.output;
  }
  if (columns.getShape() != ArrayRef(expected))
    return notFolded("expected columns of " + printShape(expected) +
                     ", but got " + printShape(columns.getShape()));
  switch (getKind(columns.getType())) {
  case NumberKind::Float:
    return addBlocks<double>(fold, *window, columns, *to);
  case NumberKind::Signed:
    return addBlocks<int64_t>(fold, *window, columns, *to);
  case NumberKind::Unsigned:
  case NumberKind::Bool:
    return addBlocks<uint64_t>(fold, *window, columns, *to);
  default:
    return notFolded("elements of type " + getName(columns.getType()) +
                     " are not added");
  }
}

FoldResult DeformConvOp::computeValues(Folding &fold) {
  const Elements &x = fold.get(getX()), &w = fold.get(getW());
  llvm::Expected<Shape> to = fold.getShape();
  if (!to)
    return to.takeError();
  if (x.getRank() != 4)
    return notFolded("expected two spatial axes, but got " +
                     Twine(x.getRank() - 2));
  auto window = windowOf(*this, fold, x.getShape().drop_front(2));
  if (!window)
    return window.takeError();
  kernels::Convolution convolution{.window = {},
                                   .batch = (*to)[0],
                                   .groups = getGroup(),
                                   .channels = w.getShape()[1],
                                   .features = w.getShape()[0] / getGroup()};
  int64_t channels = x.getShape()[1];
  int64_t kernelHeight = (*window)[0].kernel, kernelWidth = (*window)[1].kernel;
  if (llvm::Error error =
          checkSteps({*countElements(*to), convolution.channels, kernelHeight,
                      kernelWidth, getOffsetGroup()}))
    return error;
  // Offsets have an entry for each tap, axis and position; masks for each tap and
  // position.
  Shape masks = {(*to)[0], getOffsetGroup() * kernelHeight * kernelWidth,
                 (*to)[2], (*to)[3]};
  Shape offsets = masks;
  offsets[1] *= 2;
  bool isRight =
      fold.get(getOffset()).getShape() == ArrayRef(offsets) &&
      (!getMask() || fold.get(getMask()).getShape() == ArrayRef(masks)) &&
      (!getB() || fold.get(getB()).numElements() == w.getShape()[0]) &&
      w.getShape()[0] % getGroup() == 0 &&
      convolution.channels * getGroup() == channels && channels > 0 &&
      w.getShape().drop_front(2) == ArrayRef({kernelHeight, kernelWidth});
  if (!isRight)
    return notFolded("the sizes of its operands do not agree");
  auto input = KernelInput<double>::get(fold, x);
  auto weights = KernelInput<double>::get(fold, w);
  auto offset = KernelInput<double>::get(fold, fold.get(getOffset()));
  auto mask = KernelInput<double>::getOptional(fold, getMask());
  auto bias = KernelInput<double>::getOptional(fold, getB());
  if (!input || !weights || !offset || !mask || !bias)
    return llvm::joinErrors(
        llvm::joinErrors(input.takeError(), weights.takeError()),
        llvm::joinErrors(offset.takeError(),
                         llvm::joinErrors(mask.takeError(), bias.takeError())));
  return fold.compute<double>(
      *to,
      [=, input = *input, weights = *weights, offset = *offset, mask = *mask,
       bias = *bias, window = *window, offsetGroups = getOffsetGroup(),
       threads =
           fold.getOptions().evaluation.threads](MutableArrayRef<double> out) {
        kernels::Convolution own = convolution;
        own.window = refer(window);
        ElementsArray<double> elements = input.read(), factors = weights.read(),
                              moves = offset.read();
        std::optional<ElementsArray<double>> counts, shifts;
        if (mask)
          counts = mask->read();
        if (bias)
          shifts = bias->read();
        kernels::DeformedTaps<double> taps{offsetGroups, moves.begin(),
                                           counts ? counts->begin() : nullptr};
        parallelFor(uint64_t(kernels::countConvolutionBlocks(own)), 1, threads,
                    [&](uint64_t from, uint64_t to) {
                      kernels::convolveDeformed(
                          own, taps, elements.begin(), factors.begin(),
                          shifts ? shifts->begin() : nullptr, int64_t(from),
                          int64_t(to), out.data());
                    });
      });
}
