// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tiling.h"

using namespace mlir;
using namespace invar;

namespace {
/// A number of iterations; none if a size is dynamic, or if the number overflows.
using Count = std::optional<int64_t>;

class Chooser {
public:
  Chooser(const Contraction &contraction, const CpuTarget &target);

  FailureOr<Tiling> choose();

private:
  Count count(ArrayRef<LoopGroup> groups) const;
  LogicalResult chooseFactors();
  LogicalResult chooseStrip();
  void chooseTile();
  void chooseBlock();
  void chooseUnit();
  bool hasAtMost(Count count, int64_t most) const {
    return count && *count <= most;
  }

  const Contraction &contraction;
  const CpuTarget &target;
  SmallVector<int64_t> sizes;
  Tiling tiling;
  int64_t elementBytes;
  Count rows, reduced;
  /// The number of vectors of columns.
  Count total;
};
} // namespace

Chooser::Chooser(const Contraction &contraction, const CpuTarget &target)
    : contraction(contraction), target(target) {
  auto root = contraction.root;
  sizes = root.getStaticLoopRanges();
  elementBytes = contraction.getSumType().getIntOrFloatBitWidth() / 8;
  rows = count(contraction.rows);
  reduced = count(contraction.reduced);
}

Count Chooser::count(ArrayRef<LoopGroup> groups) const {
  int64_t all = 1;
  for (const LoopGroup &group : groups)
    for (unsigned loop : group)
      if (ShapedType::isDynamic(sizes[loop]) ||
          llvm::MulOverflow(all, sizes[loop], all))
        return std::nullopt;
  return all;
}

/// Decides whether factors are multiplied directly or in pairs.
LogicalResult Chooser::chooseFactors() {
  const Factor &left = contraction.left, &right = contraction.right;
  Type sum = contraction.getSumType();
  if (!sum.isF32() && !sum.isF64() && !sum.isInteger(32))
    return failure();
  tiling.pairs = sum.isInteger(32) && left.isNarrow && right.isNarrow;
  // Parameters are applied while factors are copied.
  if (!tiling.pairs)
    return success(left.parameters.empty() && right.parameters.empty());
  unsigned column = contraction.columns.back();
  for (unsigned loop = 0; loop < sizes.size(); ++loop) {
    for (const Factor::Parameter &parameter : left.parameters)
      if (parameter.access.moves(loop))
        return failure();
    for (const Factor::Parameter &parameter : right.parameters)
      if (parameter.access.moves(loop) &&
          (loop != column || !parameter.access.isContiguous(loop)))
        return failure();
  }
  return success();
}

/// The number of vectors of a strip, out of `total` vectors of columns: as many as
/// registers allow, with little wasted computation.
static unsigned getVectors(Count total, const CpuTarget &target) {
  unsigned most = target.tileVectors;
  if (!total || *total == 0)
    return most;
  if (*total <= int64_t(target.tileRows.size()))
    return *total;
  return most > 2 && *total % most && *total % (most - 1) == 0 ? most - 1
                                                               : most;
}

LogicalResult Chooser::chooseStrip() {
  const Access &right = contraction.right.access;
  unsigned column = contraction.columns.back();
  const Access::Tile *tile = right.getTile(column);
  tiling.lanes = target.getLanes(8 * elementBytes);
  if (tile)
    tiling.lanes = std::min<int64_t>(tiling.lanes, tile->size);
  if (Count columns = count(contraction.columns))
    total = llvm::divideCeil(*columns, tiling.lanes);
  tiling.vectors = getVectors(total, target);
  if (tile) {
    tiling.panel = tile->size;
    // A strip is a part of a panel, or several whole panels.
    int64_t perPanel = tiling.panel / tiling.lanes;
    while (perPanel % tiling.vectors && tiling.vectors % perPanel &&
           !hasAtMost(total, tiling.vectors))
      --tiling.vectors;
    return success(tile->innerAxis + 1 == right.getAxes().size() &&
                   tiling.panel % tiling.lanes == 0);
  }
  tiling.transposes = !right.isContiguous(column);
  // A transposing copy needs an innermost reduced loop that is contiguous.
  bool hasRows = !contraction.reduced.empty() &&
                 (!tiling.pairs || contraction.getInnerLoop()) &&
                 right.isContiguous(contraction.reduced.back().back());
  return success(!right.isTiled() && (!tiling.transposes || hasRows));
}

void Chooser::chooseTile() {
  tiling.rows = target.tileRows[tiling.vectors - 1];
  bool hasFewRows = hasAtMost(rows, 4 * tiling.rows);
  tiling.packs =
      tiling.pairs || tiling.transposes || (!tiling.panel && !hasFewRows);
  // The remaining columns get one more full strip or separate code, depending on how much
  // computation would be wasted.
  if (total && *total > tiling.vectors)
    if (int64_t left = *total % tiling.vectors;
        left && 8 * (tiling.vectors - left) > *total)
      tiling.tailVectors = left;

  int64_t manyBytes = target.cacheBytes / 4;
  Count all;
  if (int64_t product;
      reduced && total &&
      !llvm::MulOverflow(*reduced, *total * (target.vectorBits / 8), product))
    all = product;
  tiling.prefetches = tiling.panel && !tiling.packs && !hasFewRows &&
                      !hasAtMost(all, manyBytes);
}

/// A strip with fewer columns than this shares blocks of the left operand with other
/// strips.
static constexpr int64_t narrow = 64;

/// Splits long reductions into blocks. A block is computed for all rows of a unit before
/// the next block. The parts of both operands that it reads stay in the second-level
/// cache.
void Chooser::chooseBlock() {
  // The bytes of a column in a block; narrow strips share the cache with others.
  int64_t perColumn = target.cacheBytes / 512, longBytes = 2 * perColumn;
  int64_t blockBytes = tiling.getStrip() < narrow ? perColumn : 3 * perColumn;
  if (tiling.pairs || hasAtMost(rows, tiling.rows) || !reduced ||
      *reduced <= longBytes / elementBytes)
    return;
  int64_t outer = *count(ArrayRef(contraction.reduced).take_front());
  int64_t perIteration = *reduced / outer;
  int64_t block =
      std::max<int64_t>(1, blockBytes / elementBytes / perIteration);
  int64_t blocks = llvm::divideCeil(outer, block);
  if (blocks > 1)
    tiling.blockSize = llvm::divideCeil(outer, blocks);
}

void Chooser::chooseUnit() {
  // Checking each tap costs as much as some steps.
  constexpr int64_t manySteps = 15;
  Count perTap =
      count(ArrayRef(contraction.reduced).drop_front(contraction.taps));
  tiling.hasInside = contraction.left.access.getBorder() && !tiling.packs &&
                     !tiling.blockSize && hasAtMost(perTap, manySteps);
  // Code that is repeated for each sum of a tile must be short.
  constexpr unsigned longEpilogue = 6;
  tiling.keepsSums =
      tiling.blockSize || contraction.epilogue.getCost() > longEpilogue;
  // A block of a wide strip stays in the cache for all rows of a unit. Several narrow
  // strips read the same block of the left operand, or the same copy of it. But there
  // must be enough units for many threads.
  constexpr int64_t wide = 256, manyUnits = 16;
  int64_t strip = tiling.getStrip();
  if (tiling.blockSize)
    tiling.unitTiles = strip < narrow ? 32 : 96;
  if (tiling.blockSize && total && !tiling.packs && strip < narrow)
    tiling.unitStrips = std::clamp<int64_t>(*total / tiling.vectors / manyUnits,
                                            1, wide / strip);
}

FailureOr<Tiling> Chooser::choose() {
  if (failed(chooseFactors()) || failed(chooseStrip()))
    return failure();
  chooseTile();
  chooseBlock();
  chooseUnit();
  return tiling;
}

FailureOr<Tiling> Tiling::get(const Contraction &contraction,
                              const CpuTarget &target) {
  return Chooser(contraction, target).choose();
}
