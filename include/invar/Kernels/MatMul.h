// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The product of two matrices. A matrix is any memory with a stride for rows and a
// stride for columns, so transposing, selecting rows or columns, and repeating a row
// (stride 0) cost nothing:
//
//   MatrixRef<const float> a(weights, m, k), b(data, n, k);
//   MatrixRef<float> c(out, m, n);
//   matMul(a, b.transposed(), c);
//
// It runs on one thread. A caller with several threads assigns rows (or columns) of c
// to each:
//
//   matMul(a.someRows(from, count), b, c.someRows(from, count));
//
// Sums of floats are computed in double, in the order of the inner axis, and rounded
// once when they are complete. A product of two floats is exact in double, so the
// result does not depend on the blocks, the vectors or the fused instructions of a
// machine. Integers wrap.
#ifndef INVAR_KERNELS_MATMUL_H
#define INVAR_KERNELS_MATMUL_H

#include <cstdint>

namespace invar::kernels {

template <typename T> struct MatrixRef {
  T *data;
  int64_t rows, columns;
  int64_t rowStride, columnStride;

  /// Row-major memory.
  MatrixRef(T *data, int64_t rows, int64_t columns)
      : MatrixRef(data, rows, columns, columns, 1) {}
  MatrixRef(T *data, int64_t rows, int64_t columns, int64_t rowStride,
            int64_t columnStride)
      : data(data), rows(rows), columns(columns), rowStride(rowStride),
        columnStride(columnStride) {}

  T &at(int64_t row, int64_t column) const {
    return data[row * rowStride + column * columnStride];
  }
  MatrixRef transposed() const {
    return {data, columns, rows, columnStride, rowStride};
  }
  MatrixRef someRows(int64_t from, int64_t count) const {
    return {data + from * rowStride, count, columns, rowStride, columnStride};
  }
  MatrixRef someColumns(int64_t from, int64_t count) const {
    return {data + from * columnStride, rows, count, rowStride, columnStride};
  }
};

/// Rows and columns of the result that one call should compute. With fewer, packing the
/// operands costs more than it gains; with more, there is less to share among threads.
inline constexpr int64_t matMulBlockRows = 144, matMulBlockColumns = 512;

/// c = a b, where the sizes match; empty sums are 0. Needs at most two megabytes of
/// memory, for any sizes. T and Result are one of these pairs: float and float or
/// double; double and double; or the same type twice: int32_t, uint32_t, int64_t or
/// uint64_t.
template <typename T, typename Result>
void matMul(MatrixRef<const T> a, MatrixRef<const T> b, MatrixRef<Result> c);

} // namespace invar::kernels

#endif // INVAR_KERNELS_MATMUL_H
