// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/Fourier.h"

#include "SmoothFourier.h"
#include "invar/Stop/Pieces.h"
#include <cmath>
#include <numbers>

using namespace invar::kernels;

/// exp(-πi · numerator / denominator), exact on the axes.
template <typename T>
static std::complex<T> turn(uint64_t numerator, uint64_t denominator) {
  numerator %= 2 * denominator;
  if (2 * numerator == denominator)
    return {0, -1};
  if (numerator == denominator)
    return {-1, 0};
  if (2 * numerator == 3 * denominator)
    return {0, 1};
  double angle = std::numbers::pi * double(numerator) / double(denominator);
  return {T(std::cos(angle)), T(-std::sin(angle))};
}

/// A product without the library's handling of infinities.
template <typename T>
static std::complex<T> multiply(std::complex<T> a, std::complex<T> b) {
  return {a.real() * b.real() - a.imag() * b.imag(),
          a.real() * b.imag() + a.imag() * b.real()};
}

template <typename T>
Fourier<T>::Fourier(int64_t length, bool inverse)
    : length(length), inverse(inverse) {
  auto n = static_cast<uint64_t>(length);
  padded = isSmoothLength(length) ? length : roundUpToSmooth(2 * length - 1);
  passes = std::make_shared<const SmoothFourier<T>>(padded);
  if (padded == length)
    return;
  auto whole = static_cast<size_t>(padded);
  LargeVector<Complex> scratch;
  chirp.reserve(n);
  uint64_t square = 0; // k² modulo 2n, computed without the square.
  isComplete = forPieces(n,
                         [&](size_t k, size_t last) {
                           for (; k < last; ++k) {
                             chirp.push_back(turn<T>(square, n));
                             square = (square + 2 * k + 1) % (2 * n);
                           }
                         }) &&
               resizeUnlessStopped(chirpSpectrum, whole) &&
               forPieces(n,
                         [&](size_t k, size_t last) {
                           for (; k < last; ++k) {
                             chirpSpectrum[k] = std::conj(chirp[k]);
                             if (k != 0)
                               chirpSpectrum[whole - k] = std::conj(chirp[k]);
                           }
                         }) &&
               resizeUnlessStopped(scratch, whole);
  if (isComplete)
    passes->transform(chirpSpectrum.data(), scratch.data(), /*inverse=*/false);
}

template <typename T>
void Fourier<T>::transform(Complex *line, LargeVector<Complex> &scratch) const {
  // The transform of one number is the number itself.
  if (length == 1 || !isComplete)
    return;
  auto n = static_cast<size_t>(length), whole = static_cast<size_t>(padded);
  if (padded == length) {
    if (resizeUnlessStopped(scratch, n))
      passes->transform(line, scratch.data(), inverse);
    return;
  }
  // The inverse is the conjugate of the transform of the conjugate.
  auto flip = [&](Complex x) { return inverse ? std::conj(x) : x; };
  scratch.clear(); // The numbers behind the line must be zero.
  if (!resizeUnlessStopped(scratch, 2 * whole))
    return;
  Complex *work = scratch.data() + whole;
  forPieces(n, [&](size_t k, size_t last) {
    for (; k < last; ++k)
      scratch[k] = multiply(flip(line[k]), chirp[k]);
  });
  passes->transform(scratch.data(), work, /*inverse=*/false);
  forPieces(whole, [&](size_t k, size_t last) {
    for (; k < last; ++k)
      scratch[k] = multiply(scratch[k], chirpSpectrum[k]);
  });
  passes->transform(scratch.data(), work, /*inverse=*/true);
  T scale = T(1) / T(padded);
  forPieces(n, [&](size_t k, size_t last) {
    for (; k < last; ++k)
      line[k] = flip(multiply(scratch[k], chirp[k]) * scale);
  });
}

template class invar::kernels::Fourier<float>;
template class invar::kernels::Fourier<double>;
