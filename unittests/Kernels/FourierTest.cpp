// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/Fourier.h"

#include "gtest/gtest.h"
#include <numbers>
#include <random>

using namespace invar::kernels;

namespace {

/// Computes by the definition.
template <typename T>
std::vector<std::complex<T>> sumUp(const LargeVector<std::complex<T>> &x,
                                   bool inverse) {
  size_t n = x.size();
  std::vector<std::complex<T>> result;
  for (size_t k = 0; k < n; ++k) {
    std::complex<double> sum = 0;
    for (size_t j = 0; j < n; ++j) {
      double turn = double(j * k % n) / double(n);
      sum += std::complex<double>(x[j]) *
             std::polar(1.0, (inverse ? 2 : -2) * std::numbers::pi * turn);
    }
    result.emplace_back(sum);
  }
  return result;
}

/// Tests all lengths, products of 2, 3 and 5 and others, in both directions.
template <typename T> void compareWithDefinition(double tolerance) {
  std::mt19937 random(1);
  std::uniform_real_distribution<T> number(-1, 1);
  for (int64_t length = 1; length < 70; ++length)
    for (bool inverse : {false, true}) {
      LargeVector<std::complex<T>> x, scratch;
      for (int64_t i = 0; i < length; ++i)
        x.emplace_back(number(random), number(random));
      auto wanted = sumUp(x, inverse);
      Fourier<T>(length, inverse).transform(x.data(), scratch);
      for (size_t i = 0; i < x.size(); ++i)
        EXPECT_LT(std::abs(x[i] - wanted[i]), tolerance)
            << "element " << i << " of " << length;
    }
}

TEST(FourierTest, IsWhatTheDefinitionSays) {
  compareWithDefinition<double>(1e-12);
  compareWithDefinition<float>(1e-4);
}

TEST(FourierTest, KnowsSmoothLengths) {
  int64_t next = 5000;
  for (int64_t length = next; length > 0; --length) {
    int64_t rest = length;
    for (int64_t factor : {2, 3, 5})
      while (rest % factor == 0)
        rest /= factor;
    EXPECT_EQ(isSmoothLength(length), rest == 1) << length;
    next = rest == 1 ? length : next;
    EXPECT_EQ(roundUpToSmooth(length), next) << length;
  }
}

TEST(FourierTest, ComesBackFromLongLines) {
  for (int64_t length : {1 << 16, 65537, 99991}) {
    LargeVector<std::complex<double>> x, scratch;
    for (int64_t i = 0; i < length; ++i)
      x.emplace_back(double(i % 7), double(i % 5));
    Fourier<double>(length, false).transform(x.data(), scratch);
    Fourier<double>(length, true).transform(x.data(), scratch);
    for (int64_t i = 0; i < length; ++i) {
      std::complex<double> wanted(double(i % 7), double(i % 5));
      ASSERT_LT(std::abs(x[size_t(i)] / double(length) - wanted), 1e-10);
    }
  }
}

} // namespace
