// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_KERNELS_UNIQUE_H
#define INVAR_KERNELS_UNIQUE_H

#include <cstdint>
#include <span>

namespace invar::kernels {

/// The positions of the distinct rows of a matrix. Each span has one number for each
/// row of the matrix.
struct Distinct {
  std::span<int64_t> firsts;   ///< for each distinct row, its first position
  std::span<int64_t> counts;   ///< for each distinct row, how often it occurs
  std::span<int64_t> inverses; ///< for each row, the number of its distinct row
  std::span<int64_t> scratch;
};

/// Finds the distinct rows of `length` elements and returns their number; 0 if it is
/// stopped (Stop/Scope.h). The number of rows is the size of the spans in `result`. Distinct rows are
/// numbered in ascending order, the first element being most significant, or in the
/// order of their first occurrence. NaN is equal to itself and comes last.
///
/// T is float, double, int64_t, uint64_t or std::string_view.
template <typename T>
int64_t findDistinct(const T *rows, int64_t length, bool ascending,
                     const Distinct &result);

} // namespace invar::kernels

#endif // INVAR_KERNELS_UNIQUE_H
