// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides how a contraction is split up. A tile is the part that is computed at once, in
// registers: some rows by one or more vectors of columns.
//
//   strip    the columns of a tile: `vectors` vectors of `lanes`
//   tile     `rows` rows of a strip
//   panel    columns that are stored together in a packed right operand; several strips
//            form one panel, or several panels form one strip
//
// Each step of the reduction loads the strip of the right operand once and each row's
// element of the left operand once, and multiplies each element with each vector. This
// keeps the multipliers busy if there are more products than loads, and enough
// independent sums to hide the latency of additions. The remaining registers hold the
// loaded values.
//
//   32 registers   6 x 4   8 x 3   12 x 2   14 x 1
//   16 registers           4 x 3    6 x 2    8 x 1
//
// The shapes that suit a processor are among its facts (invar/Codegen/Target.h).
#ifndef INVAR_LIB_CODEGEN_TILING_H
#define INVAR_LIB_CODEGEN_TILING_H

#include "Contraction.h"

namespace invar {

struct Tiling {
  /// Chooses how to split `contraction`. Fails if the layout of its right operand allows
  /// no vectors.
  static llvm::FailureOr<Tiling> get(const Contraction &contraction,
                                     const CpuTarget &target);

  int64_t getStrip() const { return int64_t(vectors) * lanes; }

  /// Columns of a panel; 0 if the right operand is not packed.
  int64_t panel = 0;
  unsigned lanes = 0, vectors = 0, rows = 0;
  /// The number of vectors of the last strip, if it has separate code; otherwise 0.
  unsigned tailVectors = 0;
  /// A work unit consists of `unitTiles` tiles of each of `unitStrips` strips.
  unsigned unitTiles = 4, unitStrips = 1;
  /// Whether factors are copied as integers of 16 bits, which are multiplied in pairs and
  /// added by one instruction.
  bool pairs = false;
  /// Whether a strip of the right operand is copied before it is used, and whether the
  /// copy transposes it.
  bool packs = false, transposes = false;
  /// Whether sums are stored in memory, from where further sums or the epilogue read
  /// them.
  bool keepsSums = false;
  /// The number of iterations of the outermost reduction that are computed for all rows
  /// of a unit before the next ones; 0 for all.
  int64_t blockSize = 0;
  /// Whether there is separate code for rows whose taps are all inside.
  bool hasInside = false;
  /// Whether the right operand is so large that the next part of it is prefetched.
  bool prefetches = false;
};

} // namespace invar

#endif // INVAR_LIB_CODEGEN_TILING_H
