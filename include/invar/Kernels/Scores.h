// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_KERNELS_SCORES_H
#define INVAR_KERNELS_SCORES_H

#include <cstdint>
#include <span>

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

} // namespace invar::kernels

#endif // INVAR_KERNELS_SCORES_H
