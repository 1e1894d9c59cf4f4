// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/Fourier.h"

#include "SmoothFourier.h"
#include "invar/Stop/Scope.h"
#include <bit>
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

template <typename T> struct Fourier<T>::Passes {
  SmoothFourier<T> forward, backward;
};

template <typename T>
Fourier<T>::Fourier(int64_t length, bool inverse)
    : length(length), inverse(inverse) {
  auto n = static_cast<uint64_t>(length);
  auto makePasses = [](int64_t count) {
    return std::make_shared<const Passes>(
        Passes{{count, false}, {count, true}});
  };
  passes = makePasses(length);
  padded = length;
  if (length == 1 || passes->forward)
    return;
  padded = static_cast<int64_t>(std::bit_ceil(2 * n - 1));
  passes = makePasses(padded);
  // k² modulo 2n, computed without the square.
  StopPoll poll(4096);
  for (uint64_t k = 0, square = 0; k < n; ++k) {
    if (poll.isDue())
      break;
    chirp.push_back(turn<T>(square, n));
    square = (square + 2 * k + 1) % (2 * n);
  }
  chirp.resize(n); // If it was stopped.
  chirpSpectrum.resize(static_cast<size_t>(padded));
  for (size_t k = 0; k < n; ++k) {
    chirpSpectrum[k] = std::conj(chirp[k]);
    if (k != 0)
      chirpSpectrum[chirpSpectrum.size() - k] = std::conj(chirp[k]);
  }
  std::vector<Complex> scratch(chirpSpectrum.size());
  passes->forward.transform(chirpSpectrum.data(), scratch.data());
}

template <typename T>
void Fourier<T>::transform(Complex *line, std::vector<Complex> &scratch) const {
  // The transform of one number is the number itself.
  if (length == 1)
    return;
  auto n = static_cast<size_t>(length), whole = static_cast<size_t>(padded);
  if (chirp.empty()) {
    scratch.resize(n);
    const SmoothFourier<T> &way = inverse ? passes->backward : passes->forward;
    return way.transform(line, scratch.data());
  }
  // The inverse is the conjugate of the transform of the conjugate.
  auto flip = [&](Complex x) { return inverse ? std::conj(x) : x; };
  scratch.assign(2 * whole, Complex());
  Complex *work = scratch.data() + whole;
  for (size_t k = 0; k < n; ++k)
    scratch[k] = multiply(flip(line[k]), chirp[k]);
  passes->forward.transform(scratch.data(), work);
  for (size_t k = 0; k < whole; ++k)
    scratch[k] = multiply(scratch[k], chirpSpectrum[k]);
  passes->backward.transform(scratch.data(), work);
  T scale = T(1) / T(padded);
  for (size_t k = 0; k < n; ++k)
    line[k] = flip(multiply(scratch[k], chirp[k]) * scale);
}

template class invar::kernels::Fourier<float>;
template class invar::kernels::Fourier<double>;
