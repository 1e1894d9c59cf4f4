// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_KERNELS_DETERMINANT_H
#define INVAR_KERNELS_DETERMINANT_H

#include <cstdint>

namespace invar::kernels {

/// The determinant of an n x n matrix, which is overwritten: elimination with the
/// greatest pivot of each column. The determinant of an empty matrix is one.
template <typename T> T determinant(T *matrix, int64_t n);

} // namespace invar::kernels

#endif // INVAR_KERNELS_DETERMINANT_H
