// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Discrete Fourier transforms of any length n, in n log n steps. A length that is a
// product of 2, 3, 4 and 5 has one pass for each factor. Any other length becomes a
// convolution of such a length (Bluestein): with w = exp(-2πi / n) and jk = (j² + k² -
// (k - j)²) / 2,
//
//   sum of x[j] w^jk  =  w^(k²/2) · sum of (x[j] w^(j²/2)) · w^(-(k - j)²/2)
#ifndef INVAR_KERNELS_FOURIER_H
#define INVAR_KERNELS_FOURIER_H

#include "invar/Kernels/LargePages.h"
#include <complex>
#include <cstdint>
#include <memory>

namespace invar::kernels {

/// Whether a length is a product of 2, 3 and 5.
bool isSmoothLength(int64_t length);
/// The least such product that is not below `length`.
int64_t roundUpToSmooth(int64_t length);

template <typename T> class SmoothFourier;

template <typename T> class Fourier {
public:
  using Complex = std::complex<T>;

  /// For lines of `length` numbers, at least 1. The inverse transform does not divide
  /// by the length. All of it can be stopped (Stop/Scope.h).
  Fourier(int64_t length, bool inverse);

  /// Transforms a line in place. `scratch` is working memory, which may be reused for
  /// the next line; each thread needs its own. If it is stopped, the numbers are
  /// arbitrary.
  void transform(Complex *line, LargeVector<Complex> &scratch) const;

private:
  /// `padded` is the length itself if it has only these factors, otherwise that of the
  /// convolution.
  int64_t length, padded;
  bool inverse;
  /// False if the constructor was stopped.
  bool isComplete = true;
  /// For the padded length.
  std::shared_ptr<const SmoothFourier<T>> passes;
  /// w^(k²/2), and the transform of its inverse; empty if the length has only these
  /// factors.
  LargeVector<Complex> chirp, chirpSpectrum;
};

} // namespace invar::kernels

#endif // INVAR_KERNELS_FOURIER_H
