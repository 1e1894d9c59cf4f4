// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/Scores.h"

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace invar::kernels;

template <typename T> T invar::kernels::logistic(T x) {
  // With a negative exponent, which cannot overflow.
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

void invar::kernels::scoreLinearly(std::span<const double> features,
                                   std::span<const double> coefficients,
                                   std::span<const double> intercepts,
                                   std::span<double> scores) {
  for (size_t i = 0; i < scores.size(); ++i) {
    scores[i] = intercepts.empty() ? 0 : intercepts[i];
    auto row = coefficients.subspan(i * features.size(), features.size());
    for (size_t k = 0; k < row.size(); ++k)
      scores[i] += features[k] * row[k];
  }
}

void invar::kernels::roundScores(std::span<double> scores) {
  for (double &score : scores)
    score = double(float(score));
}

void invar::kernels::normalizeRow(Norm norm, std::span<double> row) {
  double size = norm == Norm::Max ? -INFINITY : 0;
  for (double number : row)
    size = norm == Norm::Max  ? std::max(size, number)
           : norm == Norm::L1 ? size + std::abs(number)
                              : size + number * number;
  if (norm == Norm::L2)
    size = std::sqrt(size);
  for (double &number : row)
    number /= size == 0 ? 1 : size;
}
