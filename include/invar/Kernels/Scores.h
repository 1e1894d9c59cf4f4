// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_KERNELS_SCORES_H
#define INVAR_KERNELS_SCORES_H

#include <cstdint>
#include <span>
#include <string_view>

namespace invar::kernels {

/// What classifiers and regressors make of their scores.
enum class ScoreTransform : uint8_t {
  None,
  Softmax,
  Logistic,
  /// Softmax, but what is zero stays zero.
  SoftmaxZero,
  /// The quantile of a normal distribution, in the approximation that runtimes use.
  Probit,
};

/// Transforms the scores of one example.
template <typename T>
void transformScores(ScoreTransform transform, std::span<T> scores);

template <typename T> T logistic(T x);

/// What a value of the attribute `post_transform` means; all others mean none.
ScoreTransform toScoreTransform(std::string_view name);

/// A score for each row of coefficients; no intercepts are zeros.
void scoreLinearly(std::span<const double> features,
                   std::span<const double> coefficients,
                   std::span<const double> intercepts,
                   std::span<double> scores);

/// Rounds scores to what is given of them. Labels are chosen after it, so that they are
/// those of the scores that come out.
void roundScores(std::span<double> scores);

/// Divides numbers by a norm of them: "MAX", "L1" or "L2". Nothing but zeros stays what it
/// is.
void normalizeRow(std::string_view norm, std::span<double> row);

} // namespace invar::kernels

#endif // INVAR_KERNELS_SCORES_H
