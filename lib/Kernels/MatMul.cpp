// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/MatMul.h"

#include "BlockProduct.h"

using namespace invar::kernels;

/// Writes `terms` columns of up to `Size` rows of `m`, each column as `Size` numbers.
template <int64_t Size, typename Sum, typename T>
static void packColumns(MatrixRef<const T> m, int64_t firstRow, int64_t rows,
                        int64_t from, int64_t terms, Sum *panel) {
  // Memory is read in its order; a full panel has a fixed width.
  if (m.rowStride == 1) {
    for (int64_t term = 0; term < terms; ++term, panel += Size) {
      const T *line = &m.at(firstRow, from + term);
      if (rows == Size)
        for (int64_t i = 0; i < Size; ++i)
          panel[i] = Sum(line[i]);
      else
        for (int64_t i = 0; i < rows; ++i)
          panel[i] = Sum(line[i]);
    }
    return;
  }
  for (int64_t i = 0; i < rows; ++i) {
    const T *line = &m.at(firstRow + i, from);
    for (int64_t term = 0; term < terms; ++term)
      panel[term * Size + i] = Sum(line[term * m.columnStride]);
  }
}

template <typename T, typename Result>
void invar::kernels::matMul(MatrixRef<const T> a, MatrixRef<const T> b,
                            MatrixRef<Result> c) {
  using Sum = SumType<T>;
  using Product = BlockProduct<Sum>;
  Product product(std::min(a.rows, Product::maxRows),
                  std::min(b.columns, Product::maxColumns),
                  std::min(a.columns, Product::maxDepth));
  for (int64_t top = 0; top < c.rows; top += Product::maxRows)
    for (int64_t start = 0; start < c.columns; start += Product::maxColumns) {
      int64_t rows = std::min(Product::maxRows, c.rows - top);
      int64_t columns = std::min(Product::maxColumns, c.columns - start);
      auto packLeft = [&](int64_t first, int64_t count, int64_t from,
                          int64_t terms, Sum *panel) {
        packColumns<Product::tileRows>(a, top + first, count, from, terms,
                                       panel);
      };
      auto packRight = [&](int64_t first, int64_t count, int64_t from,
                           int64_t terms, Sum *panel) {
        packColumns<Product::tileColumns>(b.transposed(), start + first, count,
                                          from, terms, panel);
      };
      product.compute(rows, columns, a.columns, packLeft, packRight);
      for (int64_t row = 0; row < rows; ++row) {
        const Sum *sums = product.getRow(row);
        Result *line = &c.at(top + row, start);
        for (int64_t column = 0; column < columns; ++column)
          line[column * c.columnStride] = Result(sums[column]);
      }
    }
}

#define INVAR_MATMUL(T, RESULT)                                                \
  template void invar::kernels::matMul(MatrixRef<const T>, MatrixRef<const T>, \
                                       MatrixRef<RESULT>);
INVAR_MATMUL(float, float)
INVAR_MATMUL(float, double)
INVAR_MATMUL(double, double)
INVAR_MATMUL(int32_t, int32_t)
INVAR_MATMUL(uint32_t, uint32_t)
INVAR_MATMUL(int64_t, int64_t)
INVAR_MATMUL(uint64_t, uint64_t)
