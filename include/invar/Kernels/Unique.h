// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_KERNELS_UNIQUE_H
#define INVAR_KERNELS_UNIQUE_H

#include "invar/Stop/Stop.h"

#include <cstdint>
#include <span>

namespace invar::kernels {

/// Where the distinct rows of a matrix are. Memory for each has a number for each row of
/// the matrix.
struct Distinct {
  std::span<int64_t> firsts; ///< of each distinct row, where it is first
  std::span<int64_t> counts; ///< of each distinct row, how often it is there
  std::span<int64_t>
      inverses; ///< of each row, which of the distinct ones it is
  std::span<int64_t> scratch;
};

/// Finds the distinct among rows of `length` elements and returns how many there are; as
/// many rows as there is memory in `result`. They are numbered in ascending order, the
/// first element counting most, or else in the order in which they are met. NaN is equal to
/// itself and comes last.
///
/// T is float, double, int64_t, uint64_t or std::string_view.
template <typename T>
int64_t findDistinct(const T *rows, int64_t length, bool ascending,
                     const Distinct &result, Stop *stop = nullptr);

} // namespace invar::kernels

#endif // INVAR_KERNELS_UNIQUE_H
