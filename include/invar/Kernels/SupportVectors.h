// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_KERNELS_SUPPORTVECTORS_H
#define INVAR_KERNELS_SUPPORTVECTORS_H

#include <cstdint>
#include <span>

namespace invar::kernels {

/// How alike two vectors are.
template <typename T> struct VectorKernel {
  enum Kind : uint8_t { Linear, Poly, RBF, Sigmoid };
  Kind kind = Linear;
  T gamma = 0, offset = 0, degree = 0;

  T operator()(std::span<const T> x, std::span<const T> y) const;
};

/// Support vectors that tell each two of several classes apart.
template <typename T> struct SupportVectors {
  VectorKernel<T> kernel;
  /// One vector after the other, those of the first class first.
  std::span<const T> vectors;
  /// How many vectors each class has.
  std::span<const int64_t> perClass;
  /// A row for each class but the last, with a coefficient for each vector.
  std::span<const T> coefficients;
  /// One for each pair of classes, as are the scores.
  std::span<const T> rho;

  /// The score of each pair for an example, and how many pairs each class won. `likeness`
  /// is scratch of one number for each vector.
  void evaluate(std::span<const T> features, std::span<T> likeness,
                std::span<T> scores, std::span<int64_t> votes) const;
};

/// The probabilities of classes, given for each pair in the order of the scores above how
/// probable its first is against its second (Wu, Lin and Weng, 2004). `matrix` is scratch of
/// one number for each two classes, `row` of one for each class.
template <typename T>
void combinePairs(std::span<const T> pairs, std::span<T> matrix,
                  std::span<T> row, std::span<T> classes);

} // namespace invar::kernels

#endif // INVAR_KERNELS_SUPPORTVECTORS_H
