// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "BlockProduct.h"

#include <cstring>

using namespace invar::kernels;

// One source for all vector lengths: the loops use vectors of a given number of bytes
// and are inlined into one function for each instruction set. The best one for the
// machine is called.

/// Adds the products of `terms` terms of two panels to a tile of sums.
template <typename Sum, int Bytes>
[[gnu::always_inline]] static inline void
addTile(const Sum *left, const Sum *right, int64_t terms, Sum *sums,
        int64_t stride) {
  using Product = BlockProduct<Sum>;
  typedef Sum Vector __attribute__((vector_size(Bytes)));
  constexpr int64_t lanes = Bytes / int64_t(sizeof(Sum));
  constexpr int64_t rows = Product::tileRows;
  for (int64_t at = 0; at < Product::tileColumns; at += 2 * lanes) {
    Vector total[rows][2];
    for (int64_t row = 0; row < rows; ++row)
      std::memcpy(total[row], sums + row * stride + at, sizeof total[row]);
    for (int64_t term = 0; term < terms; ++term) {
      auto *columns = reinterpret_cast<const Vector *>(
          right + term * Product::tileColumns + at);
      Vector low = columns[0], high = columns[1];
      for (int64_t row = 0; row < rows; ++row) {
        Sum factor = left[term * rows + row];
        total[row][0] += factor * low;
        total[row][1] += factor * high;
      }
    }
    for (int64_t row = 0; row < rows; ++row)
      std::memcpy(sums + row * stride + at, total[row], sizeof total[row]);
  }
}

/// A right panel stays in the L1 cache while all left panels are multiplied with it.
template <typename Sum, int Bytes>
[[gnu::always_inline]] static inline void
addTiles(const Sum *left, const Sum *right, Sum *sums, int64_t rowTiles,
         int64_t columnTiles, int64_t terms) {
  using Product = BlockProduct<Sum>;
  int64_t stride = columnTiles * Product::tileColumns;
  for (int64_t column = 0; column < columnTiles; ++column)
    for (int64_t row = 0; row < rowTiles; ++row)
      addTile<Sum, Bytes>(left + row * Product::tileRows * terms,
                          right + column * Product::tileColumns * terms, terms,
                          sums + row * Product::tileRows * stride +
                              column * Product::tileColumns,
                          stride);
}

#ifdef __x86_64__
template <typename Sum>
[[gnu::target("avx512f")]] static void
addTilesAVX512(const Sum *left, const Sum *right, Sum *sums, int64_t rowTiles,
               int64_t columnTiles, int64_t terms) {
  addTiles<Sum, 64>(left, right, sums, rowTiles, columnTiles, terms);
}
template <typename Sum>
[[gnu::target("avx2,fma")]] static void
addTilesAVX2(const Sum *left, const Sum *right, Sum *sums, int64_t rowTiles,
             int64_t columnTiles, int64_t terms) {
  addTiles<Sum, 32>(left, right, sums, rowTiles, columnTiles, terms);
}
#endif

template <typename Sum>
void BlockProduct<Sum>::multiply(int64_t rowTiles, int64_t columnTiles,
                                 int64_t terms) {
  auto *a = reinterpret_cast<const Sum *>(left.get());
  auto *b = reinterpret_cast<const Sum *>(right.get());
  auto *c = reinterpret_cast<Sum *>(sums.get());
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f"))
    return addTilesAVX512(a, b, c, rowTiles, columnTiles, terms);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return addTilesAVX2(a, b, c, rowTiles, columnTiles, terms);
#endif
  addTiles<Sum, 16>(a, b, c, rowTiles, columnTiles, terms);
}

template class invar::kernels::BlockProduct<double>;
template class invar::kernels::BlockProduct<uint32_t>;
template class invar::kernels::BlockProduct<uint64_t>;
