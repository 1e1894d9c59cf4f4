// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SignalFormulas.h"
#include "invar/Dialect/ONNX/FoldChain.h"
#include "invar/Dialect/ONNX/KernelInput.h"
#include "invar/Dialect/ONNX/Movement.h"
#include "invar/Dialect/ONNX/Ops/Signal.h"
#include "invar/Kernels/FourierLines.h"
#include "invar/Kernels/MelBands.h"
#include "invar/Support/Parallel.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;
using kernels::FourierLines;

//===-- Windows ---------------------------------------------------------------===//

template <typename Op>
static FoldResult foldWindow(Op op, Folding &fold, double a, double b,
                             double c) {
  llvm::Expected<Shape> shape = fold.getShape();
  if (!shape)
    return shape.takeError();
  if (llvm::Error error = fold.checkWork(*shape))
    return error;
  formula::CosineWindow window;
  window.a = a;
  window.b = b;
  window.c = c;
  window.period =
      double(op.getPeriodic() ? shape->front() : shape->front() - 1);
  return FoldChain(fold, countUp(fold, shape->front()))
      .cast(DataType::Float64)
      .apply(window)
      .cast(fold.getType());
}

FoldResult BlackmanWindowOp::computeValues(Folding &fold) {
  return foldWindow(*this, fold, 0.42, 0.5, 0.08);
}
FoldResult HammingWindowOp::computeValues(Folding &fold) {
  return foldWindow(*this, fold, 25.0 / 46.0, 21.0 / 46.0, 0);
}
FoldResult HannWindowOp::computeValues(Folding &fold) {
  return foldWindow(*this, fold, 0.5, 0.5, 0);
}

//===-- Transforms ------------------------------------------------------------===//

static llvm::Error checkLength(int64_t length) {
  constexpr int64_t maxLength = FourierLines::maxLength;
  if (length < 1 || length > maxLength)
    return notFolded("expected a length in [1, " + Twine(maxLength) +
                     "], but got " + Twine(length));
  return llvm::Error::success();
}

/// Calls `run(number of the line, memory to work in, …)` for all lines, distributed
/// over threads.
template <typename T, typename Run>
static void forLines(int64_t count, int64_t length, unsigned threads, Run run) {
  constexpr int64_t atOnce = 1 << 14;
  parallelFor(count, std::max<int64_t>(1, atOnce / length), threads,
              [&](uint64_t from, uint64_t to) {
                kernels::LargeVector<std::complex<T>> line, scratch;
                for (uint64_t i = from; i < to; ++i)
                  run(int64_t(i), line, scratch);
              });
}

/// Transforms all lines of a tensor, which are contiguous, in type T.
template <typename T>
static llvm::Expected<Elements> transformLines(Folding &fold, const Elements &x,
                                               const FourierLines &lines,
                                               ArrayRef<int64_t> made) {
  auto input = KernelInput<T>::get(fold, x);
  if (!input)
    return input.takeError();
  auto kernel = [input = *input, lines,
                 threads = fold.getOptions().evaluation.threads](
                    MutableArrayRef<T> out) {
    ElementsArray<T> data = input.read();
    kernels::Fourier<T> fourier(lines.length, lines.inverse);
    int64_t stride = lines.available * lines.parts,
            madeStride = lines.made * lines.madeParts;
    forLines<T>(madeStride ? int64_t(out.size()) / madeStride : 0, lines.length,
                threads, [&](int64_t i, auto &line, auto &scratch) {
                  lines.run<T>(fourier, data.begin() + i * stride, nullptr,
                               out.data() + i * madeStride, line, scratch);
                });
  };
  return fold.compute<T>(made, kernel);
}

FoldResult DFTOp::computeValues(Folding &fold) {
  const Elements &x = fold.get(getInput());
  llvm::Expected<Shape> to = fold.getShape();
  auto given = fold.readScalar<int64_t>(getAxis(), -2);
  if (!to || !given)
    return llvm::joinErrors(to.takeError(), given.takeError());
  int64_t rank = x.getRank();
  std::optional<int64_t> axis = normalizeAxis(*given, rank);
  if (!axis || *axis == rank - 1)
    return notFolded("expected an axis before the last, but got " +
                     Twine(*given));
  bool toReal = getInverse() && getOnesided();
  int64_t available = x.getShape()[*axis];
  int64_t otherwise =
      toReal ? 2 * std::max<int64_t>(available - 1, 0) : available;
  auto length = fold.readScalar<int64_t>(getDftLength(), otherwise);
  if (!length)
    return length.takeError();
  if (llvm::Error error = checkLength(*length))
    return error;
  // Move the axis before the last, so that each line is contiguous.
  SmallVector<int64_t> order;
  for (int64_t i = 0; i < rank - 1; ++i)
    if (i != *axis)
      order.push_back(i);
  order.append({*axis, rank - 1});
  Shape made;
  SmallVector<int64_t> inverse(rank);
  for (auto [to_, from] : llvm::enumerate(order)) {
    made.push_back((*to)[from]);
    inverse[from] = int64_t(to_);
  }
  llvm::Expected<Elements> moved = fold.getBuilder().transpose(x, order);
  if (!moved)
    return moved;
  FourierLines lines{*length,           available, x.getShape().back(),
                     getInverse() != 0, toReal,    (*to)[*axis],
                     to->back()};
  // The reference implementation transforms complex floats in float and real ones in
  // double. With the same type, results that should be zero have the same small errors.
  // Float is used only for lengths that need few roundings.
  bool inFloat = x.getType() == DataType::Float32 && lines.parts == 2 &&
                 kernels::isSmoothLength(*length);
  llvm::Expected<Elements> result =
      inFloat ? transformLines<float>(fold, *moved, lines, made)
              : transformLines<double>(fold, *moved, lines, made);
  return FoldChain(fold, std::move(result)).transpose(inverse);
}

FoldResult STFTOp::computeValues(Folding &fold) {
  const Elements &signal = fold.get(getSignal());
  llvm::Expected<Shape> to = fold.getShape();
  auto step = fold.readScalar<int64_t>(getFrameStep());
  if (!to || !step)
    return llvm::joinErrors(to.takeError(), step.takeError());
  int64_t length = signal.getShape()[1];
  int64_t otherwise =
      getWindow() ? fold.get(getWindow()).numElements() : length;
  auto frame = fold.readScalar<int64_t>(getFrameLength(), otherwise);
  if (!frame)
    return frame.takeError();
  if (llvm::Error error = checkLength(*frame))
    return error;
  if (*frame > length || *step < 1 ||
      (getWindow() && fold.get(getWindow()).numElements() != *frame))
    return notFolded("expected frames within the signal, but got some of " +
                     Twine(*frame));
  auto input = KernelInput<double>::get(fold, signal);
  if (!input)
    return input.takeError();
  auto window = KernelInput<double>::getOptional(fold, getWindow());
  if (!window)
    return window.takeError();
  int64_t parts = signal.getRank() == 3 ? signal.getShape()[2] : 1;
  if (parts != 1 && parts != 2)
    return notFolded("expected real or complex numbers, but got " +
                     Twine(parts) + " parts");
  FourierLines lines{
      *frame,   *frame, parts, /*inverse=*/false, /*mirrored=*/false,
      (*to)[2], 2};
  auto kernel = [input = *input, window = *window, lines, length, step = *step,
                 frames = (*to)[1],
                 threads = fold.getOptions().evaluation.threads](
                    MutableArrayRef<double> out) {
    ElementsArray<double> data = input.read();
    std::optional<ElementsArray<double>> weights;
    if (window)
      weights.emplace(window->read());
    kernels::Fourier<double> fourier(lines.length, /*inverse=*/false);
    int64_t madeStride = lines.made * lines.madeParts;
    forLines<double>(int64_t(out.size()) / madeStride, lines.length, threads,
                     [&](int64_t i, auto &line, auto &scratch) {
                       int64_t begin = i / frames * length + i % frames * step;
                       lines.run<double>(
                           fourier, data.begin() + begin * lines.parts,
                           weights ? weights->begin() : nullptr,
                           out.data() + i * madeStride, line, scratch);
                     });
  };
  return fold.compute<double>(*to, kernel);
}

//===-- Mel bands -------------------------------------------------------------===//

FoldResult MelWeightMatrixOp::computeValues(Folding &fold) {
  llvm::Expected<Shape> to = fold.getShape();
  if (!to)
    return to.takeError();
  auto length = fold.readScalar<int64_t>(getDftLength());
  auto rate = fold.readScalar<int64_t>(getSampleRate());
  if (!length || !rate)
    return llvm::joinErrors(length.takeError(), rate.takeError());
  auto low = fold.readScalar<double>(getLowerEdgeHertz());
  auto high = fold.readScalar<double>(getUpperEdgeHertz());
  if (!low || !high)
    return llvm::joinErrors(low.takeError(), high.takeError());
  if (llvm::Error error = fold.checkWork(*to))
    return error;
  int64_t bins = (*to)[0], bands = (*to)[1];
  kernels::MelBands mel{bands, *length, *rate, *low, *high};
  std::vector<double> weights(size_t(bins) * size_t(bands));
  if (!mel.computeWeights(bins, weights))
    return notFolded("expected edges that ascend within the spectrum");
  return fold.make<double>(*to, weights);
}
