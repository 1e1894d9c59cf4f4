// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arithmetic of all contractions: sums of products for a block of results that fits
// the caches. The layout of the factors does not matter here. The caller packs them
// into panels, and converts, gathers or pads them at the same time. So a product of
// floats in double and a convolution are the same loop:
//
//                     depth                      left panels   tileRows rows each,
//             ┌──────────────────┐                             depth-major
//             │   right panels   │ columns      right panels  tileColumns columns each,
//             └──────────────────┘                             depth-major
//        ┌──┐ ┌──────────────────┐
//   rows │  │ │       sums       │
//        └──┘ └──────────────────┘
//
// Elements of a panel past the end of the block are zero, so that there are no partial
// tiles.
#ifndef INVAR_LIB_KERNELS_BLOCKPRODUCT_H
#define INVAR_LIB_KERNELS_BLOCKPRODUCT_H

#include "invar/Kernels/MatMul.h"
#include <algorithm>
#include <memory>

namespace invar::kernels {

/// The type for sums of products of factors of type T.
template <typename T> struct SumTypeOf {
  using type = T;
};
template <> struct SumTypeOf<float> {
  using type = double;
};
// Overflow wraps, which is defined only for unsigned numbers.
template <> struct SumTypeOf<int32_t> {
  using type = uint32_t;
};
template <> struct SumTypeOf<int64_t> {
  using type = uint64_t;
};
template <typename T> using SumType = typename SumTypeOf<T>::type;

template <typename Sum> class BlockProduct {
public:
  static constexpr int64_t maxRows = matMulBlockRows;
  static constexpr int64_t maxColumns = matMulBlockColumns;
  static constexpr int64_t maxDepth = 256;

  /// The number of rows leaves registers for two vectors of columns. 128 bytes of
  /// columns are a multiple of all vectors that are used.
  static constexpr int64_t tileRows = 6;
  static constexpr int64_t tileColumns = 128 / int64_t(sizeof(Sum));

  /// Allocates memory for blocks of up to this many rows, columns and terms, within the
  /// limits above.
  BlockProduct(int64_t rows, int64_t columns, int64_t depth);

  /// Computes the sums of a block. For each side, `pack(first, count, from, terms,
  /// panel)` writes the factors of `count` rows (columns), beginning with number
  /// `first`, for `terms` terms, beginning with number `from`. The factors of one term
  /// are adjacent, at panel + term * tileRows (tileColumns). The rest of the panel has
  /// been zeroed.
  template <typename PackLeft, typename PackRight>
  void compute(int64_t rows, int64_t columns, int64_t depth, PackLeft packLeft,
               PackRight packRight);

  /// The sums of one row of the block.
  const Sum *getRow(int64_t row) const {
    return reinterpret_cast<const Sum *>(sums.get()) + row * stride;
  }

private:
  struct alignas(64) Line {
    Sum places[tileColumns];
  };
  using Memory = std::unique_ptr<Line[]>;

  static int64_t countTiles(int64_t n, int64_t size) {
    return (n + size - 1) / size;
  }
  /// Enough lines for this many numbers.
  static Memory allocate(int64_t numbers) {
    return std::make_unique_for_overwrite<Line[]>(
        size_t(countTiles(numbers, tileColumns)));
  }
  template <int64_t Size, typename Pack>
  static void packAll(int64_t count, int64_t from, int64_t terms, Memory &to,
                      Pack pack);
  /// Adds the products of the panels to the sums.
  void multiply(int64_t rowTiles, int64_t columnTiles, int64_t terms);

  Memory left, right, sums;
  int64_t stride = 0;
};

template <typename Sum>
BlockProduct<Sum>::BlockProduct(int64_t rows, int64_t columns, int64_t depth) {
  int64_t height = countTiles(rows, tileRows) * tileRows;
  int64_t width = countTiles(columns, tileColumns) * tileColumns;
  left = allocate(height * depth);
  right = allocate(width * depth);
  sums = allocate(height * width);
}

template <typename Sum>
template <int64_t Size, typename Pack>
void BlockProduct<Sum>::packAll(int64_t count, int64_t from, int64_t terms,
                                Memory &to, Pack pack) {
  auto *panel = reinterpret_cast<Sum *>(to.get());
  for (int64_t first = 0; first < count; first += Size, panel += Size * terms) {
    int64_t present = std::min(Size, count - first);
    if (present < Size)
      std::fill_n(panel, Size * terms, Sum(0));
    pack(first, present, from, terms, panel);
  }
}

template <typename Sum>
template <typename PackLeft, typename PackRight>
void BlockProduct<Sum>::compute(int64_t rows, int64_t columns, int64_t depth,
                                PackLeft packLeft, PackRight packRight) {
  int64_t rowTiles = countTiles(rows, tileRows);
  int64_t columnTiles = countTiles(columns, tileColumns);
  stride = columnTiles * tileColumns;
  std::fill_n(reinterpret_cast<Sum *>(sums.get()), rowTiles * tileRows * stride,
              Sum(0));
  for (int64_t from = 0; from < depth; from += maxDepth) {
    int64_t terms = std::min(maxDepth, depth - from);
    packAll<tileRows>(rows, from, terms, left, packLeft);
    packAll<tileColumns>(columns, from, terms, right, packRight);
    multiply(rowTiles, columnTiles, terms);
  }
}

extern template class BlockProduct<double>;
extern template class BlockProduct<uint32_t>;
extern template class BlockProduct<uint64_t>;

} // namespace invar::kernels

#endif // INVAR_LIB_KERNELS_BLOCKPRODUCT_H
