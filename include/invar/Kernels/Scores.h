// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_KERNELS_SCORES_H
#define INVAR_KERNELS_SCORES_H

#include <cstdint>
#include <span>

namespace invar::kernels {

/// The final transform of the scores of classifiers and regressors.
enum class ScoreTransform : uint8_t {
  None,
  Softmax,
  Logistic,
  /// Softmax, but zeros stay zero.
  SoftmaxZero,
  /// The quantile of a normal distribution, in the approximation that runtimes use.
  Probit,
};

/// Transforms the scores of one example.
template <typename T>
void transformScores(ScoreTransform transform, std::span<T> scores);

template <typename T> T logistic(T x);

/// Computes a score for each row of coefficients. Empty intercepts mean zeros.
void scoreLinearly(std::span<const double> features,
                   std::span<const double> coefficients,
                   std::span<const double> intercepts,
                   std::span<double> scores);

/// Rounds scores to float, as they are returned. Labels are chosen afterwards, so that
/// they match the returned scores.
void roundScores(std::span<double> scores);

/// The size of a row of numbers.
enum class Norm : uint8_t {
  /// The greatest number.
  Max,
  /// The sum of absolute values.
  L1,
  /// The root of the sum of squares.
  L2,
};

/// Divides numbers by their norm. If the norm is 0, they are unchanged.
void normalizeRow(Norm norm, std::span<double> row);

} // namespace invar::kernels

#endif // INVAR_KERNELS_SCORES_H
