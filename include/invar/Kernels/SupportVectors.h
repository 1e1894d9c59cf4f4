// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_KERNELS_SUPPORTVECTORS_H
#define INVAR_KERNELS_SUPPORTVECTORS_H

#include <cstdint>
#include <span>

namespace invar::kernels {

/// The similarity of two vectors.
template <typename T> struct VectorKernel {
  enum Kind : uint8_t { Linear, Poly, RBF, Sigmoid };
  Kind kind = Linear;
  T gamma = 0, offset = 0, degree = 0;

  T operator()(std::span<const T> x, std::span<const T> y) const;
};

/// Support vectors that separate each pair of several classes.
template <typename T> struct SupportVectors {
  VectorKernel<T> kernel;
  /// The vectors, one after the other, ordered by class.
  std::span<const T> vectors;
  /// The number of vectors of each class.
  std::span<const int64_t> perClass;
  /// A row for each class except the last, with a coefficient for each vector.
  std::span<const T> coefficients;
  /// One for each pair of classes, like the scores.
  std::span<const T> rho;

  /// Computes the score of each pair for an example, and how many pairs each class won.
  /// `likeness` is working memory with one number for each vector.
  void evaluate(std::span<const T> features, std::span<T> likeness,
                std::span<T> scores, std::span<int64_t> votes) const;
};

/// Computes the probabilities of classes from those of pairs (Wu, Lin and Weng, 2004).
/// `pairs`, in the order of the scores above, has the probability of the first class of
/// each pair against the second. `matrix` is working memory with one number for each
/// two classes, `row` with one for each class.
template <typename T>
void combinePairs(std::span<const T> pairs, std::span<T> matrix,
                  std::span<T> row, std::span<T> classes);

} // namespace invar::kernels

#endif // INVAR_KERNELS_SUPPORTVECTORS_H
