// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/Fourier.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

using namespace invar::kernels;

/// exp(-πi · numerator / denominator), exact where an axis is hit.
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

/// A product without the care for infinities that the library's takes.
template <typename T>
static std::complex<T> multiply(std::complex<T> a, std::complex<T> b) {
  return {a.real() * b.real() - a.imag() * b.imag(),
          a.real() * b.imag() + a.imag() * b.real()};
}

template <typename T>
Fourier<T>::Fourier(int64_t length, bool inverse)
    : length(length), inverse(inverse) {
  auto n = static_cast<uint64_t>(length);
  bool isPower = std::has_single_bit(n);
  padded = static_cast<int64_t>(isPower ? n : std::bit_ceil(2 * n - 1));
  for (int64_t k = 0; k < padded / 2; ++k)
    roots.push_back(turn<T>(2 * uint64_t(k), uint64_t(padded)));
  if (isPower)
    return;
  // k² modulo 2n, without computing the square.
  for (uint64_t k = 0, square = 0; k < n; ++k) {
    chirp.push_back(turn<T>(square, n));
    square = (square + 2 * k + 1) % (2 * n);
  }
  chirpSpectrum.resize(static_cast<size_t>(padded));
  for (size_t k = 0; k < n; ++k) {
    chirpSpectrum[k] = std::conj(chirp[k]);
    if (k != 0)
      chirpSpectrum[chirpSpectrum.size() - k] = std::conj(chirp[k]);
  }
  transformPadded(chirpSpectrum.data(), /*inverse=*/false);
}

template <typename T>
void Fourier<T>::transformPadded(Complex *line, bool inverse) const {
  auto n = static_cast<size_t>(padded);
  // To the order of reversed bits, by counting in both.
  for (size_t i = 1, j = 0; i < n; ++i) {
    size_t bit = n >> 1;
    for (; j & bit; bit >>= 1)
      j ^= bit;
    j ^= bit;
    if (i < j)
      std::swap(line[i], line[j]);
  }
  for (size_t half = 1; half < n; half *= 2) {
    size_t step = n / (2 * half);
    for (size_t begin = 0; begin < n; begin += 2 * half)
      for (size_t k = 0; k < half; ++k) {
        Complex root = roots[k * step];
        Complex odd =
            multiply(line[begin + half + k], inverse ? std::conj(root) : root);
        Complex even = line[begin + k];
        line[begin + k] = even + odd;
        line[begin + half + k] = even - odd;
      }
  }
}

template <typename T>
void Fourier<T>::transform(Complex *line, std::vector<Complex> &scratch) const {
  if (chirp.empty())
    return transformPadded(line, inverse);
  auto n = static_cast<size_t>(length);
  // The inverse is the conjugate of the transform of the conjugate.
  auto flip = [&](Complex x) { return inverse ? std::conj(x) : x; };
  scratch.assign(static_cast<size_t>(padded), Complex());
  for (size_t k = 0; k < n; ++k)
    scratch[k] = multiply(flip(line[k]), chirp[k]);
  transformPadded(scratch.data(), /*inverse=*/false);
  for (size_t k = 0; k < scratch.size(); ++k)
    scratch[k] = multiply(scratch[k], chirpSpectrum[k]);
  transformPadded(scratch.data(), /*inverse=*/true);
  T scale = T(1) / T(padded);
  for (size_t k = 0; k < n; ++k)
    line[k] = flip(multiply(scratch[k], chirp[k]) * scale);
}

template class invar::kernels::Fourier<float>;
template class invar::kernels::Fourier<double>;
