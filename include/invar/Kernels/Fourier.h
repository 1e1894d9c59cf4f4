// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Discrete Fourier transforms of any length n, in n log n steps. A power of two is halved
// again and again; any other length becomes a convolution of a power of two (Bluestein):
// with w = exp(-2πi / n) and jk = (j² + k² - (k - j)²) / 2,
//
//   sum of x[j] w^jk  =  w^(k²/2) · sum of (x[j] w^(j²/2)) · w^(-(k - j)²/2)
#ifndef INVAR_KERNELS_FOURIER_H
#define INVAR_KERNELS_FOURIER_H

#include <complex>
#include <cstdint>
#include <vector>

namespace invar::kernels {

template <typename T> class Fourier {
public:
  using Complex = std::complex<T>;

  /// For lines of `length` numbers, at least 1. The inverse is not divided by the length.
  Fourier(int64_t length, bool inverse);

  /// Transforms a line in place. `scratch` is memory that may be used again for the next
  /// line; each thread has its own.
  void transform(Complex *line, std::vector<Complex> &scratch) const;

private:
  /// Of the padded length, a power of two, in place.
  void transformPadded(Complex *line, bool inverse) const;

  int64_t length, padded;
  bool inverse;
  /// exp(-2πi k / padded) for the first half of all k.
  std::vector<Complex> roots;
  /// w^(k²/2), and the transform of its inverse; none if the length is a power of two.
  std::vector<Complex> chirp, chirpSpectrum;
};

} // namespace invar::kernels

#endif // INVAR_KERNELS_FOURIER_H
