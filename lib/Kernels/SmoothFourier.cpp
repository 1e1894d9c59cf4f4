// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SmoothFourier.h"

#include "invar/Kernels/Fourier.h"
#include "invar/Stop/Pieces.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

using namespace invar::kernels;

/// The factors in this order: at most one two, fours, threes, fives; empty if there are
/// others.
static std::vector<int64_t> factorize(int64_t length) {
  std::vector<int64_t> factors;
  for (; length % 4 == 0; length /= 4)
    factors.push_back(4);
  if (length % 2 == 0) {
    length /= 2;
    factors.push_back(2);
    std::swap(factors.front(), factors.back());
  }
  for (int64_t factor : {3, 5})
    for (; length % factor == 0; length /= factor)
      factors.push_back(factor);
  return length == 1 ? factors : std::vector<int64_t>();
}

bool invar::kernels::isSmoothLength(int64_t length) {
  return length == 1 || !factorize(length).empty();
}

int64_t invar::kernels::roundUpToSmooth(int64_t length) {
  auto least = static_cast<uint64_t>(length);
  uint64_t best = std::bit_ceil(least);
  for (uint64_t fives = 1; fives < best; fives *= 5)
    for (uint64_t odd = fives; odd < best; odd *= 3)
      best = std::min(best, odd * std::bit_ceil((least + odd - 1) / odd));
  return static_cast<int64_t>(best);
}

template <typename T>
SmoothFourier<T>::SmoothFourier(int64_t length) : length(length) {
  int64_t outer = 1;
  StopPoll poll(4096);
  for (int64_t radix : factorize(length)) {
    Pass pass{radix, length / (outer * radix), outer, {}};
    pass.roots.reserve(size_t((radix - 1) * (pass.inner - 1)));
    for (int64_t j = 1; j < radix; ++j)
      for (int64_t i = 1; i < pass.inner; ++i) {
        if (poll.isDue()) {
          passes.clear(); // A pass without all of its roots must not run.
          return;
        }
        double angle =
            2 * std::numbers::pi * double(j * outer * i) / double(length);
        pass.roots.emplace_back(T(std::cos(angle)), T(-std::sin(angle)));
      }
    passes.push_back(std::move(pass));
    outer *= radix;
  }
}

namespace {
template <typename T> using Complex = std::complex<T>;

template <typename T> Complex<T> multiply(Complex<T> a, Complex<T> b) {
  return {a.real() * b.real() - a.imag() * b.imag(),
          a.real() * b.imag() + a.imag() * b.real()};
}

/// Multiplies a number by i and by `by`.
template <typename T> Complex<T> turn(Complex<T> x, T by) {
  return {-(by * x.imag()), by * x.real()};
}

/// The transform of a few numbers, in place. `sign` is -1, or 1 for the inverse.
template <typename T> void transformTwo(Complex<T> *x) {
  Complex<T> sum = x[0] + x[1];
  x[1] = x[0] - x[1];
  x[0] = sum;
}

template <typename T> void transformThree(Complex<T> *x, T sign) {
  const T sine = sign * T(0.86602540378443864676);
  Complex<T> sum = x[1] + x[2], difference = x[1] - x[2];
  Complex<T> middle = {x[0].real() - T(0.5) * sum.real(),
                       x[0].imag() - T(0.5) * sum.imag()};
  Complex<T> side = turn(difference, sine);
  x[0] += sum;
  x[1] = middle + side;
  x[2] = middle - side;
}

template <typename T> void transformFour(Complex<T> *x, T sign) {
  Complex<T> even = x[0] + x[2], odd = x[0] - x[2];
  Complex<T> sum = x[1] + x[3], side = turn(x[1] - x[3], sign);
  x[0] = even + sum;
  x[1] = odd + side;
  x[2] = even - sum;
  x[3] = odd - side;
}

template <typename T> void transformFive(Complex<T> *x, T sign) {
  const T cos1 = T(0.30901699437494742410), cos2 = T(-0.80901699437494742410);
  const T sin1 = sign * T(0.95105651629515357212);
  const T sin2 = sign * T(0.58778525229247312917);
  Complex<T> sum1 = x[1] + x[4], side1 = x[1] - x[4];
  Complex<T> sum2 = x[2] + x[3], side2 = x[2] - x[3];
  Complex<T> first = x[0];
  auto middle = [&](T a, T b) {
    return Complex<T>(first.real() + a * sum1.real() + b * sum2.real(),
                      first.imag() + a * sum1.imag() + b * sum2.imag());
  };
  auto side = [&](T a, T b) {
    return Complex<T>(-(a * side1.imag() + b * side2.imag()),
                      a * side1.real() + b * side2.real());
  };
  x[0] = {first.real() + sum1.real() + sum2.real(),
          first.imag() + sum1.imag() + sum2.imag()};
  Complex<T> inner = middle(cos1, cos2), turned = side(sin1, sin2);
  x[1] = inner + turned;
  x[4] = inner - turned;
  inner = middle(cos2, cos1), turned = side(sin2, -sin1);
  x[2] = inner + turned;
  x[3] = inner - turned;
}
} // namespace

template <typename T>
template <bool inverse>
void SmoothFourier<T>::run(const Pass &pass, const Complex *from, Complex *to) {
  const auto &[radix, inner, outer, roots] = pass;
  T sign = inverse ? T(1) : T(-1);
  StopPoll poll(4096);
  for (int64_t k = 0; k < outer; ++k)
    for (int64_t i = 0; i < inner; ++i) {
      if (poll.isDue())
        return;
      Complex x[5];
      for (int64_t j = 0; j < radix; ++j)
        x[j] = from[i + inner * (j + radix * k)];
      switch (radix) {
      case 2:
        transformTwo(x);
        break;
      case 3:
        transformThree(x, sign);
        break;
      case 4:
        transformFour(x, sign);
        break;
      default:
        transformFive(x, sign);
      }
      for (int64_t j = 0; j < radix; ++j) {
        if (i > 0 && j > 0) {
          Complex root = roots[(j - 1) * (inner - 1) + i - 1];
          x[j] = multiply(x[j], inverse ? std::conj(root) : root);
        }
        to[i + inner * (k + outer * j)] = x[j];
      }
    }
}

template <typename T>
void SmoothFourier<T>::transform(Complex *line, Complex *scratch,
                                 bool inverse) const {
  Complex *from = line, *to = scratch;
  for (const Pass &pass : passes) {
    inverse ? run<true>(pass, from, to) : run<false>(pass, from, to);
    std::swap(from, to);
  }
  if (from != line)
    forPieces(size_t(length), [&](size_t first, size_t last) {
      std::copy(from + first, from + last, line + first);
    });
}

template class invar::kernels::SmoothFourier<float>;
template class invar::kernels::SmoothFourier<double>;
