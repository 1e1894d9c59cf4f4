// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/FourierLines.h"

#include "invar/Stop/Pieces.h"

#include <algorithm>

using namespace invar::kernels;

template <typename T>
void FourierLines::run(const Fourier<T> &fourier, const T *from,
                       const T *window, T *to,
                       LargeVector<std::complex<T>> &line,
                       LargeVector<std::complex<T>> &scratch) const {
  using Complex = std::complex<T>;
  line.clear(); // What is not given is zero.
  if (!resizeUnlessStopped(line, size_t(length)))
    return;
  int64_t given = std::min(available, mirrored ? length / 2 + 1 : length);
  forPieces(size_t(given), [&](size_t first, size_t last) {
    for (auto i = int64_t(first); i < int64_t(last); ++i) {
      Complex number(from[i * parts], parts == 2 ? from[i * parts + 1] : 0);
      line[size_t(i)] = window ? number * window[i] : number;
    }
  });
  // For numbers that mirror themselves, only the real part counts.
  if (mirrored)
    forPieces(size_t(length / 2 + 1), [&](size_t first, size_t last) {
      for (size_t i = first; i < last; ++i)
        if (i == 0 || 2 * i == size_t(length))
          line[i] = line[i].real();
        else
          line[size_t(length) - i] = std::conj(line[i]);
    });
  fourier.transform(line.data(), scratch);
  T scale = inverse ? 1 / T(length) : T(1);
  forPieces(size_t(made), [&](size_t first, size_t last) {
    for (auto i = int64_t(first); i < int64_t(last); ++i) {
      to[i * madeParts] = line[size_t(i)].real() * scale;
      if (madeParts == 2)
        to[i * madeParts + 1] = line[size_t(i)].imag() * scale;
    }
  });
}

template void FourierLines::run(const Fourier<float> &, const float *,
                                const float *, float *,
                                LargeVector<std::complex<float>> &,
                                LargeVector<std::complex<float>> &) const;
template void FourierLines::run(const Fourier<double> &, const double *,
                                const double *, double *,
                                LargeVector<std::complex<double>> &,
                                LargeVector<std::complex<double>> &) const;
