// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/Scores.h"

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace invar::kernels;

template <typename T> T invar::kernels::logistic(T x) {
  // In the direction in which nothing overflows.
  T y = 1 / (1 + std::exp(-std::abs(x)));
  return x < 0 ? 1 - y : y;
}

/// Winitzki's approximation of the inverse of erf.
template <typename T> static T inverseErf(T x) {
  constexpr T a = T(0.147);
  T log = std::log((1 - x) * (1 + x));
  T half = 2 / (std::numbers::pi_v<T> * a) + log / 2;
  T root = std::sqrt(std::sqrt(half * half - log / a) - half);
  return x < 0 ? -root : root;
}

template <typename T>
static void softmax(std::span<T> scores, bool keepsZeros) {
  T highest = *std::ranges::max_element(scores), sum = 0;
  for (T &score : scores) {
    bool isZero = keepsZeros && std::abs(score) <= T(1e-7);
    score = isZero ? score * std::exp(-highest) : std::exp(score - highest);
    sum += score;
  }
  for (T &score : scores)
    score = sum == 0 ? T(0.5) : score / sum;
}

template <typename T>
void invar::kernels::transformScores(ScoreTransform transform,
                                     std::span<T> scores) {
  if (scores.empty())
    return;
  switch (transform) {
  case ScoreTransform::None:
    return;
  case ScoreTransform::Softmax:
    return softmax(scores, false);
  case ScoreTransform::SoftmaxZero:
    return softmax(scores, true);
  case ScoreTransform::Logistic:
    for (T &score : scores)
      score = logistic(score);
    return;
  case ScoreTransform::Probit:
    for (T &score : scores)
      score = std::numbers::sqrt2_v<T> * inverseErf(2 * score - 1);
    return;
  }
}

template float invar::kernels::logistic(float);
template double invar::kernels::logistic(double);
template void invar::kernels::transformScores(ScoreTransform, std::span<float>);
template void invar::kernels::transformScores(ScoreTransform,
                                              std::span<double>);
