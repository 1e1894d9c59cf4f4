// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/KernelWindow.h"

#include "invar/Dialect/ONNX/KernelInput.h"
#include "invar/Support/Parallel.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

llvm::Expected<KernelWindow>
onnx::toKernelWindow(const FailureOr<SlidingWindow> &window,
                     ArrayRef<int64_t> image) {
  if (failed(window))
    return notFolded("its window does not fit");
  KernelWindow axes;
  for (auto [i, size] : llvm::enumerate(image)) {
    for (const DimsExpr *list :
         {&window->kernel, &window->strides, &window->dilations,
          &window->padsBegin, &window->padsEnd, &window->output})
      if (!(*list)[i].isLiteral())
        return notFolded("its window is not known");
    auto literal = [&, i = i](const DimsExpr &list) {
      return list[i].getLiteral();
    };
    axes.push_back({size, literal(window->kernel), literal(window->output),
                    literal(window->strides), literal(window->dilations),
                    literal(window->padsBegin), literal(window->padsEnd)});
    if (!axes.back().isCountable())
      return notFolded("its window is too big");
  }
  return axes;
}

template <typename T, typename Result>
static llvm::Expected<Elements>
convolveAs(const Folding &fold, KernelWindow window,
           kernels::Convolution convolution, ArrayRef<int64_t> shape,
           const Elements &x, const Elements &w,
           const std::optional<Elements> &bias, DataType to) {
  auto input = KernelInput<T>::get(fold, x);
  auto weights = KernelInput<T>::get(fold, w);
  if (!input || !weights)
    return llvm::joinErrors(input.takeError(), weights.takeError());
  SmallVector<Elements> operands = {input->getElements(),
                                    weights->getElements()};
  std::optional<KernelInput<T>> shifts;
  if (bias) {
    auto own = KernelInput<T>::get(fold, *bias);
    if (!own)
      return own.takeError();
    shifts = *own;
    operands.push_back(own->getElements());
  }
  Hasher hasher;
  hasher.add("convolution")
      .add(uint64_t(convolution.groups))
      .add(uint64_t(convolution.transposed));
  for (const kernels::WindowAxis &axis : window)
    hasher.add(ArrayRef<int64_t>{axis.kernel, axis.output, axis.stride,
                                 axis.dilation, axis.padBegin, axis.padEnd});
  auto kernel = [=, input = *input,
                 weights = *weights](void *lanes, const EvalOptions &options) {
    kernels::Convolution own = convolution;
    own.window = refer(window);
    ElementsArray<T> elements = input.read(), factors = weights.read();
    std::optional<ElementsArray<T>> added;
    if (shifts)
      added = shifts->read();
    parallelFor(uint64_t(kernels::countConvolutionBlocks(own)), 1,
                options.threads, [&](uint64_t from, uint64_t to) {
                  kernels::convolve(own, elements.begin(), factors.begin(),
                                    added ? added->begin() : nullptr,
                                    int64_t(from), int64_t(to),
                                    static_cast<Result *>(lanes));
                });
  };
  auto result = fold.getBuilder().compute(dataTypeOf<Result>, shape,
                                          hasher.finish(), operands, kernel);
  return result ? fold.getBuilder().cast(*result, to) : std::move(result);
}

/// Whether the weights and the bias have the sizes that kernels expect.
static bool areSizesRight(const KernelWindow &window, int64_t groups,
                          int64_t channels, int64_t features, bool transposed,
                          const Elements &x, const Elements &w,
                          const std::optional<Elements> &bias) {
  Shape weights = transposed ? Shape{channels * groups, features}
                             : Shape{features * groups, channels};
  for (const kernels::WindowAxis &axis : window)
    weights.push_back(axis.kernel);
  return channels * groups == x.getShape()[1] &&
         w.getShape() == ArrayRef(weights) &&
         (!bias || bias->numElements() == features * groups);
}

llvm::Expected<Elements>
onnx::convolve(const Folding &fold, KernelWindow window, int64_t groups,
               bool transposed, const Elements &x, const Elements &w,
               const std::optional<Elements> &bias, DataType to) {
  int64_t features = transposed ? w.getShape()[1] : w.getShape()[0] / groups;
  int64_t channels = x.getShape()[1] / groups;
  if (!areSizesRight(window, groups, channels, features, transposed, x, w,
                     bias))
    return notFolded("the sizes of its operands do not agree");
  Shape shape = {x.getShape()[0], features * groups};
  SmallVector<int64_t> factors = {channels};
  for (const kernels::WindowAxis &axis : window) {
    shape.push_back(axis.output);
    factors.push_back(axis.kernel);
  }
  if (llvm::Error error = fold.checkWork(shape))
    return error;
  factors.push_back(*countElements(shape));
  if (llvm::Error error = checkSteps(factors, maxBlockedSteps))
    return error;
  kernels::Convolution convolution{.window = {},
                                   .batch = shape[0],
                                   .groups = groups,
                                   .channels = channels,
                                   .features = features,
                                   .transposed = transposed};
  auto run = [&]<typename T, typename Result>(T, Result) {
    return convolveAs<T, Result>(fold, window, convolution, shape, x, w, bias,
                                 to);
  };
  switch (x.getType()) {
  case DataType::Float64:
    return run(double(), double());
  case DataType::Int32:
    return run(int32_t(), int32_t());
  case DataType::Int64:
    return run(int64_t(), int64_t());
  default:
    // Products of float32 and smaller floats are exact in double.
    return to == DataType::Float32 ? run(float(), float())
                                   : run(float(), double());
  }
}
