// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a contraction is cut up. A tile is what is computed at once, in registers: some rows
// by one or more vectors of columns.
//
//   strip    the columns of a tile: `vectors` vectors of `lanes`
//   tile     `rows` rows of a strip
//   panel    columns that lie together in a packed right operand; some strips are one
//            panel, or some panels are one strip
//
// Each step of the reduction loads the strip of the right operand once, and each row's
// element of the left one once, and multiplies all with all. That keeps the multipliers
// busy where there are more products than loads, and independent sums enough to hide the
// latency of adding; what is left over of the registers holds what is loaded.
//
//   32 registers   6 x 4   8 x 3   12 x 2   14 x 1
//   16 registers           4 x 3    6 x 2    8 x 1
//
// (Measured: 6 x 4 and 8 x 3 reach 95 % of an Ice Lake core's peak, 12 x 2 some 85 %.)
#ifndef INVAR_LIB_CODEGEN_TILING_H
#define INVAR_LIB_CODEGEN_TILING_H

#include "Contraction.h"

namespace invar {

struct Tiling {
  /// How to cut up `contraction`; fails where its right operand lies in a way that gives
  /// no vectors.
  static llvm::FailureOr<Tiling> get(const Contraction &contraction,
                                     const CpuTarget &target);

  int64_t getStrip() const { return int64_t(vectors) * lanes; }

  /// Columns of a panel; 0 where the right operand is not packed.
  int64_t panel = 0;
  unsigned lanes = 0, vectors = 0, rows = 0;
  /// How many vectors the last strip has, where it has code of its own; else 0.
  unsigned tailVectors = 0;
  /// A work unit: so many tiles of so many strips.
  unsigned unitTiles = 4, unitStrips = 1;
  /// Whether factors are copied as integers of 16 bits, which are multiplied in pairs and
  /// added at once.
  bool pairs = false;
  /// Whether a strip of the right operand is copied before it is used, and whether its
  /// rows lie across it.
  bool packs = false, transposes = false;
  /// Whether sums go through memory, to be read again by more sums or by the epilogue.
  bool keepsSums = false;
  /// Iterations of the outermost reduction that are done for all rows of a unit before the
  /// next ones; 0 for all.
  int64_t blockSize = 0;
  /// Whether rows that are inside with all their taps have code of their own.
  bool hasInside = false;
  /// Whether there is so much of the right operand that what comes next is to be fetched.
  bool prefetches = false;
};

} // namespace invar

#endif // INVAR_LIB_CODEGEN_TILING_H
