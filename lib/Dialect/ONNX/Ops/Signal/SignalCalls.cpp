// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/FourierLines.h"
#include "invar/Kernels/MelBands.h"
#include "invar/Stop/Pieces.h"
#include "runtime/Calls/BoxCopy.h"
#include "runtime/Calls/Calls.h"
#include "runtime/Calls/Numbers.h"

#include <algorithm>
#include <array>

using namespace invar;
using namespace invar::runtime;
using kernels::Fourier;
using kernels::FourierLines;

static Status checkLength(CallContext &call, int64_t length) {
  if (length < 1 || length > FourierLines::maxLength)
    return call.fail("expected a length from 1 to ", FourierLines::maxLength,
                     ", but got ", length);
  return Status::success();
}

/// The numbers of a spectrum that determine all of it, if the signal is real.
static int64_t oneSided(int64_t length) { return length / 2 + 1; }

/// Calls `run(line number, scratch memory, …)` for all lines.
template <typename T, typename Run>
static Status forLines(CallContext &call, int64_t count, int64_t length,
                       Run run) {
  constexpr int64_t atOnce = 1 << 12;
  return call.parallelFor(count, std::max<int64_t>(1, atOnce / length),
                          [&](int64_t from, int64_t to) {
                            kernels::LargeVector<std::complex<T>> line, scratch;
                            for (int64_t i = from; i < to; ++i)
                              run(i, line, scratch);
                          });
}

// DFT

/// Consecutive elements of a line are `inner` numbers apart.
template <typename T>
static Status transform(CallContext &call, const FourierLines &lines,
                        const AxisView &view, Sizes made) {
  const Tensor &x = call.getTensor(0);
  std::span<const T> from;
  if (Status status = readNumbers(call, 0, from))
    return status;
  NumberResult<T> result;
  if (Status status = result.allocate(call, 0, x.getType(), made))
    return status;
  if (!result.size())
    return Status::success();
  Fourier<T> fourier(lines.length, lines.inverse);
  // Copies `count` numbers of `parts` parts each, which are that many numbers apart.
  auto copy = [](const T *source, int64_t apart, T *target, int64_t targetApart,
                 int64_t count, int64_t parts) {
    forPieces(size_t(count), [&](size_t first, size_t last) {
      for (auto i = int64_t(first); i < int64_t(last); ++i)
        for (int64_t part = 0; part < parts; ++part)
          target[i * targetApart * parts + part] =
              source[i * apart * parts + part];
    });
  };
  if (Status status = forLines<T>(
          call, view.outer * view.inner, lines.length,
          [&](int64_t i, auto &line, auto &scratch) {
            int64_t outer = i / view.inner, inner = i % view.inner;
            const T *source =
                from.data() +
                (outer * lines.available * view.inner + inner) * lines.parts;
            T *target =
                result.data() +
                (outer * lines.made * view.inner + inner) * lines.madeParts;
            if (view.inner == 1)
              return lines.run<T>(fourier, source, nullptr, target, line,
                                  scratch);
            kernels::LargeVector<T> given, found;
            if (!resizeUnlessStopped(given,
                                     size_t(lines.available * lines.parts)) ||
                !resizeUnlessStopped(found,
                                     size_t(lines.made * lines.madeParts)))
              return;
            copy(source, view.inner, given.data(), 1, lines.available,
                 lines.parts);
            lines.run<T>(fourier, given.data(), nullptr, found.data(), line,
                         scratch);
            copy(found.data(), 1, target, view.inner, lines.made,
                 lines.madeParts);
          }))
    return status;
  return result.finish(call);
}

Status runtime::callDFT(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  int64_t parts = x.rank ? x.getSizes().back() : 0, axis = -2;
  if (x.rank < 2 || (parts != 1 && parts != 2))
    return call.fail("expected real or complex numbers, but got ",
                     describe(&x));
  if (Status status = readNumber(call, 2, axis))
    return status;
  if (Status status = call.normalizeAxis(axis, x.rank))
    return status;
  if (axis == x.rank - 1)
    return call.fail("expected an axis before the last, but got ", axis);
  bool isInverse = call.getInt("inverse") != 0,
       isOnesided = call.getInt("onesided") != 0,
       toReal = isInverse && isOnesided;
  int64_t available = x.getSize(size_t(axis));
  int64_t length = toReal ? 2 * std::max<int64_t>(available - 1, 0) : available;
  if (Status status = readNumber(call, 1, length))
    return status;
  if (Status status = checkLength(call, length))
    return status;
  std::vector<int64_t> made = copySizes(x);
  made[size_t(axis)] = isOnesided && !toReal ? oneSided(length) : length;
  made.back() = toReal ? 1 : 2;
  FourierLines lines = {length, available,          parts,      isInverse,
                        toReal, made[size_t(axis)], made.back()};
  AxisView view(x.getSizes().first(x.rank - 1u), size_t(axis));
  // The reference implementation transforms complex floats in float and real ones in
  // double. With the same type, results that should be zero have the same small errors.
  // Float is used only for lengths that need few roundings.
  bool inFloat = x.getType() == INVAR_FLOAT32 && parts == 2 &&
                 kernels::isSmoothLength(length);
  return inFloat ? transform<float>(call, lines, view, made)
                 : transform<double>(call, lines, view, made);
}

// STFT

Status runtime::callSTFT(CallContext &call) {
  const Tensor &signal = call.getTensor(0);
  int64_t parts = signal.rank == 3 ? signal.getSize(2) : 1;
  if (signal.rank < 2 || signal.rank > 3 || (parts != 1 && parts != 2))
    return call.fail("expected real or complex numbers, but got ",
                     describe(&signal));
  int64_t length = signal.getSize(1), step = 0;
  const Tensor *window = call.getOptionalTensor(2);
  if (window && window->rank > 1)
    return call.expectRank(2, 1);
  int64_t frame = window ? window->getCount() : length;
  if (Status status = readNumber(call, 1, step))
    return status;
  if (Status status = readNumber(call, 3, frame))
    return status;
  if (Status status = checkLength(call, frame))
    return status;
  if (frame > length || step < 1 || (window && window->getCount() != frame))
    return call.fail("expected frames within the signal, but got some of ",
                     frame, " elements, ", step, " apart, of ",
                     describe(&signal));
  int64_t frames = (length - frame) / step + 1;
  int64_t bins = call.getInt("onesided") ? oneSided(frame) : frame;
  std::span<const double> from, weights;
  if (Status status = readNumbers(call, 0, from))
    return status;
  if (window)
    if (Status status = readNumbers(call, 2, weights))
      return status;
  NumberResult<double> result;
  if (Status status = result.allocate(
          call, 0, signal.getType(),
          std::array{signal.getSize(0), frames, bins, int64_t(2)}))
    return status;
  FourierLines lines = {.length = frame,
                        .available = frame,
                        .parts = parts,
                        .inverse = false,
                        .mirrored = false,
                        .made = bins,
                        .madeParts = 2};
  Fourier<double> fourier(frame, /*inverse=*/false);
  if (Status status = forLines<double>(
          call, signal.getSize(0) * frames, frame,
          [&](int64_t i, auto &line, auto &scratch) {
            int64_t begin = i / frames * length + i % frames * step;
            lines.run<double>(fourier, from.data() + begin * parts,
                              window ? weights.data() : nullptr,
                              result.data() + i * bins * 2, line, scratch);
          }))
    return status;
  return result.finish(call);
}

// MelWeightMatrix

Status runtime::callMelWeightMatrix(CallContext &call) {
  kernels::MelBands mel = {};
  int64_t *counts[] = {&mel.bands, &mel.dftLength, &mel.sampleRate};
  double *edges[] = {&mel.lowest, &mel.highest};
  for (size_t i = 0; i < 3; ++i)
    if (Status status = readNumber(call, i, *counts[i]))
      return status;
  for (size_t i = 0; i < 2; ++i)
    if (Status status = readNumber(call, 3 + i, *edges[i]))
      return status;
  if (mel.dftLength < 1)
    return checkLength(call, mel.dftLength);
  int64_t bins = oneSided(mel.dftLength);
  NumberResult<double> result;
  if (Status status = result.allocate(call, 0, call.getResultType(0).dataType,
                                      std::array{bins, mel.bands}))
    return status;
  if (!mel.computeWeights(bins, {result.data(), size_t(result.size())}))
    return call.fail("expected edges that ascend within the spectrum, but got ",
                     std::to_string(mel.lowest), " and ",
                     std::to_string(mel.highest), " hertz");
  return result.finish(call);
}
