// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/Determinant.h"

#include <algorithm>
#include <cmath>

template <typename T> T invar::kernels::determinant(T *matrix, int64_t n) {
  T product = 1;
  for (int64_t k = 0; k < n; ++k) {
    int64_t pivot = k;
    for (int64_t row = k + 1; row < n; ++row)
      if (std::abs(matrix[row * n + k]) > std::abs(matrix[pivot * n + k]))
        pivot = row;
    T *top = matrix + k * n;
    if (pivot != k) {
      std::swap_ranges(top, top + n, matrix + pivot * n);
      product = -product;
    }
    product *= top[k];
    if (top[k] == 0)
      return product;
    for (int64_t row = k + 1; row < n; ++row) {
      T *line = matrix + row * n;
      T factor = line[k] / top[k];
      for (int64_t column = k; column < n; ++column)
        line[column] -= factor * top[column];
    }
  }
  return product;
}

template float invar::kernels::determinant(float *, int64_t);
template double invar::kernels::determinant(double *, int64_t);
