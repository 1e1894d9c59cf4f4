// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tiling.h"

using namespace mlir;
using namespace invar;

/// The iterations of all `groups`; dynamic where one is.
static int64_t getStaticSize(ArrayRef<LoopGroup> groups,
                             ArrayRef<int64_t> sizes) {
  int64_t size = 1;
  for (const LoopGroup &group : groups)
    for (unsigned loop : group) {
      if (ShapedType::isDynamic(sizes[loop]) ||
          llvm::MulOverflow(size, sizes[loop], size))
        return ShapedType::kDynamic;
    }
  return size;
}

/// Rows of a tile that is so many vectors wide.
static unsigned getRows(unsigned vectors, const CpuTarget &target) {
  static constexpr unsigned many[] = {14, 12, 8, 6}, few[] = {8, 6, 4};
  return (target.vectorRegisters >= 32 ? many : few)[vectors - 1];
}

/// How wide a strip is, of `total` vectors of columns, or any number where that is 0: as
/// wide as registers allow, but with little that is computed in vain.
static unsigned getVectors(int64_t total, const CpuTarget &target) {
  unsigned most = target.vectorRegisters >= 32 ? 4 : 2;
  if (total && total <= most + (most == 2))
    return total;
  if (total && most == 4 && total % 4 && total % 3 == 0)
    return 3;
  return most;
}

FailureOr<Tiling> Tiling::get(const Contraction &contraction,
                              const CpuTarget &target) {
  Tiling tiling;
  Type sum = contraction.getSumType();
  if (!sum.isF32() && !sum.isF64() && !sum.isInteger(32))
    return failure();
  tiling.lanes = target.getLanes(sum.getIntOrFloatBitWidth());
  if (const Access::Tile *tile =
          contraction.right.access.getTile(contraction.columns.back()))
    tiling.lanes = std::min<int64_t>(tiling.lanes, tile->size);

  auto root = contraction.root;
  SmallVector<int64_t> sizes = root.getStaticLoopRanges();
  int64_t rows = getStaticSize(contraction.rows, sizes);
  int64_t columns = getStaticSize(contraction.columns, sizes);
  int64_t reduced = getStaticSize(contraction.reduced, sizes);
  int64_t total = ShapedType::isDynamic(columns)
                      ? 0
                      : llvm::divideCeil(columns, tiling.lanes);
  tiling.vectors = getVectors(total, target);

  const Access &right = contraction.right.access;
  unsigned column = contraction.columns.back();
  if (const Access::Tile *tile = right.getTile(column)) {
    tiling.panel = tile->size;
    if (tile->innerAxis + 1 != right.getAxes().size() ||
        tiling.panel % tiling.lanes)
      return failure();
    // A strip is a part of a panel, or some whole ones.
    int64_t perPanel = tiling.panel / tiling.lanes;
    while (perPanel % tiling.vectors && tiling.vectors % perPanel &&
           tiling.vectors < total)
      --tiling.vectors;
  } else if (right.isTiled()) {
    return failure();
  } else {
    tiling.transposes = !right.isContiguous(column);
    bool isContiguous =
        llvm::any_of(contraction.reduced, [&](const LoopGroup &group) {
          return right.isContiguous(group.back());
        });
    if (tiling.transposes && !isContiguous)
      return failure();
  }
  tiling.rows = getRows(tiling.vectors, target);
  bool hasFewRows = !ShapedType::isDynamic(rows) && rows <= 4 * tiling.rows;
  tiling.packs = !tiling.panel && (tiling.transposes || !hasFewRows);

  int64_t strip = tiling.getStrip();
  if (int64_t left = total % tiling.vectors; left && total > tiling.vectors) {
    // One more strip for the rest, or code of its own: by what is computed in vain.
    if (8 * (tiling.vectors - left) > total)
      tiling.tailVectors = left;
  }

  // Of long reductions a part is done for all rows of a unit, and then the next: what that
  // reads of both operands stays in the second cache.
  constexpr int64_t longBytes = 4096, blockBytes = 2048;
  int64_t bytes = sum.getIntOrFloatBitWidth() / 8;
  bool isOneTile = !ShapedType::isDynamic(rows) && rows <= tiling.rows;
  if (!isOneTile && !ShapedType::isDynamic(reduced) &&
      reduced > longBytes / bytes) {
    int64_t outer =
        getStaticSize(ArrayRef(contraction.reduced).take_front(), sizes);
    int64_t block =
        std::max<int64_t>(1, blockBytes / bytes / (reduced / outer));
    int64_t blocks = llvm::divideCeil(outer, block);
    if (blocks > 1)
      tiling.blockSize = llvm::divideCeil(outer, blocks);
  }
  // Asking for each tap costs as much as some steps.
  constexpr int64_t manySteps = 16;
  int64_t perTap = getStaticSize(
      ArrayRef(contraction.reduced).drop_front(contraction.taps), sizes);
  tiling.hasInside = contraction.left.access.getBorder() && !tiling.packs &&
                     !tiling.blockSize && !ShapedType::isDynamic(perTap) &&
                     perTap < manySteps;

  tiling.keepsSums = tiling.blockSize || contraction.epilogue.getCost() > 6;
  if (tiling.blockSize) {
    tiling.unitTiles = 32;
    // Several narrow strips of a unit read the same block of the left operand; but there
    // are to be units enough for many threads.
    constexpr int64_t narrow = 64, wide = 256, manyUnits = 16;
    if (total && !tiling.packs && strip < narrow)
      tiling.unitStrips = std::clamp<int64_t>(
          total / tiling.vectors / manyUnits, 1, wide / strip);
  }
  int64_t all = ShapedType::isDynamic(reduced) || !total
                    ? ShapedType::kDynamic
                    : reduced * total * int64_t(target.vectorBits / 8);
  tiling.prefetches = tiling.panel && !hasFewRows &&
                      (ShapedType::isDynamic(all) || all > (256 << 10));
  return tiling;
}
