// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/SupportVectors.h"

#include <algorithm>
#include <cmath>

using namespace invar::kernels;

template <typename T>
T VectorKernel<T>::operator()(std::span<const T> x,
                              std::span<const T> y) const {
  T sum = 0;
  if (kind == RBF) {
    for (size_t i = 0; i < x.size(); ++i)
      sum += (x[i] - y[i]) * (x[i] - y[i]);
    return std::exp(-gamma * sum);
  }
  for (size_t i = 0; i < x.size(); ++i)
    sum += x[i] * y[i];
  if (kind == Poly)
    return std::pow(gamma * sum + offset, degree);
  if (kind == Sigmoid)
    return std::tanh(gamma * sum + offset);
  return sum;
}

template <typename T>
void SupportVectors<T>::evaluate(std::span<const T> features,
                                 std::span<T> likeness, std::span<T> scores,
                                 std::span<int64_t> votes) const {
  size_t count = likeness.size(), length = features.size();
  for (size_t i = 0; i < count; ++i)
    likeness[i] = kernel(features, vectors.subspan(i * length, length));
  std::ranges::fill(votes, 0);
  size_t pair = 0, firstOfI = 0;
  for (size_t i = 0; i < perClass.size(); ++i) {
    size_t firstOfJ = firstOfI + size_t(perClass[i]);
    for (size_t j = i + 1; j < perClass.size(); ++j, ++pair) {
      T score = rho[pair];
      const T *ofI = coefficients.data() + (j - 1) * count;
      const T *ofJ = coefficients.data() + i * count;
      for (size_t k = firstOfI; k < firstOfI + size_t(perClass[i]); ++k)
        score += ofI[k] * likeness[k];
      for (size_t k = firstOfJ; k < firstOfJ + size_t(perClass[j]); ++k)
        score += ofJ[k] * likeness[k];
      scores[pair] = score;
      ++votes[score > 0 ? i : j];
      firstOfJ += size_t(perClass[j]);
    }
    firstOfI += size_t(perClass[i]);
  }
}

template <typename T>
void invar::kernels::combinePairs(std::span<const T> pairs, std::span<T> matrix,
                                  std::span<T> row, std::span<T> classes) {
  size_t k = classes.size();
  // The probability of the first of two classes against the second.
  auto get = [&](size_t i, size_t j) {
    auto number = [&](size_t a, size_t b) {
      return a * (2 * k - a - 1) / 2 + (b - a - 1);
    };
    return i < j ? pairs[number(i, j)] : 1 - pairs[number(j, i)];
  };
  auto q = [&](size_t i, size_t j) -> T & { return matrix[i * k + j]; };
  for (size_t i = 0; i < k; ++i) {
    classes[i] = T(1) / T(k);
    q(i, i) = 0;
    for (size_t j = 0; j < k; ++j)
      if (i != j) {
        q(i, i) += get(j, i) * get(j, i);
        q(i, j) = -get(j, i) * get(i, j);
      }
  }
  // Find the minimum of p'Qp among all p that sum up to one, one class at a time.
  size_t mostRounds = std::max<size_t>(100, k);
  for (size_t round = 0; round < mostRounds; ++round) {
    T total = 0, error = 0;
    for (size_t i = 0; i < k; ++i) {
      row[i] = 0;
      for (size_t j = 0; j < k; ++j)
        row[i] += q(i, j) * classes[j];
      total += classes[i] * row[i];
    }
    for (size_t i = 0; i < k; ++i)
      error = std::max(error, std::abs(row[i] - total));
    if (error < T(0.005) / T(k))
      break;
    for (size_t i = 0; i < k; ++i) {
      T step = (total - row[i]) / q(i, i);
      classes[i] += step;
      total = (total + step * (step * q(i, i) + 2 * row[i])) /
              ((1 + step) * (1 + step));
      for (size_t j = 0; j < k; ++j) {
        row[j] = (row[j] + step * q(i, j)) / (1 + step);
        classes[j] /= 1 + step;
      }
    }
  }
}

template struct invar::kernels::VectorKernel<float>;
template struct invar::kernels::VectorKernel<double>;
template struct invar::kernels::SupportVectors<float>;
template struct invar::kernels::SupportVectors<double>;
template void invar::kernels::combinePairs(std::span<const float>,
                                           std::span<float>, std::span<float>,
                                           std::span<float>);
template void invar::kernels::combinePairs(std::span<const double>,
                                           std::span<double>, std::span<double>,
                                           std::span<double>);
