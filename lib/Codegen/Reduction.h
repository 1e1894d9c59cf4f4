// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the sums of a tile: its rows of the left operand by a strip of the right one, in
// registers.
//
// An image is never copied into a border. For each row of a tile and each tap of a window
// it is asked once whether the tap lies inside; if not, the row reads, for all steps of
// the tap, a piece of memory that is filled with what stands in the border. Where that
// contributes nothing, taps that are outside for all rows are left out.
#ifndef INVAR_LIB_CODEGEN_REDUCTION_H
#define INVAR_LIB_CODEGEN_REDUCTION_H

#include "Tiling.h"

namespace invar {

/// A strip of the right operand, as it lies there or in a copy.
struct RightStrip {
  mlir::Value buffer, offset;
  /// How far an iteration of each of the root's loops moves.
  KernelBuilder::Values steps;
  /// Where each vector begins.
  KernelBuilder::Values vectors;
  /// Which lanes of each vector may be read; empty for all.
  KernelBuilder::Values masks;
  /// Whether elements are factors already, and not what these are computed of.
  bool holdsFactors = false;
};

/// A row of a tile: where its elements of the left operand begin, and how far it stands
/// along the axes that have a border.
struct LeftRow {
  mlir::Value buffer, offset;
  KernelBuilder::Values positions;
};

class Reduction {
public:
  using Values = KernelBuilder::Values;

  Reduction(KernelBuilder &builder, const Contraction &contraction,
            const Tiling &tiling, llvm::ArrayRef<mlir::Value> loopSizes);

  /// The iterations of all loops of a group.
  mlir::Value getSize(const LoopGroup &group);
  /// How far an iteration of a loop moves in the left operand.
  mlir::Value getLeftStep(unsigned loop) const { return left.steps[loop]; }
  /// How many elements of the left operand a tap may span.
  mlir::Value getSpan();
  /// Where a row begins whose loops other than the reduced ones have moved `offset`
  /// elements, and the axes with a border as far as `along` says.
  LeftRow makeRow(mlir::Value offset,
                  llvm::function_ref<mlir::Value(const Access::Axis &)> along);
  /// Memory that is filled with what stands in the border.
  void setBorder(mlir::Value buffer) { border = buffer; }

  /// Adds to `sums`, row by row, what iterations [begin, end) of the outermost reduced
  /// loop contribute. Meanwhile fetches what lies at `ahead` in the strip's buffer, where
  /// that is not null.
  Values write(llvm::ArrayRef<LeftRow> rows, const RightStrip &strip,
               unsigned vectors, Values sums, mlir::Value begin,
               mlir::Value end, mlir::Value ahead);
  /// Of how many tiles each fetches a part of what is needed next.
  int64_t getTilesThatFetch();

private:
  /// What the loops around the innermost one have come to.
  struct State {
    llvm::SmallVector<LeftRow> rows;
    mlir::Value right;
  };
  struct Job {
    const RightStrip &strip;
    unsigned vectors;
    mlir::Value begin, end, ahead;
    /// The loops, and how many of them are asked whether they are inside.
    llvm::ArrayRef<LoopGroup> groups;
    unsigned taps;
  };

  Values reduce(const Job &job, unsigned level, const State &state,
                Values sums);
  Values reduceInnermost(const Job &job, const State &state, Values sums,
                         mlir::Value begin, mlir::Value end);
  Values addProducts(const Job &job, llvm::ArrayRef<LeftRow> rows,
                     mlir::Value leftShift, mlir::Value right, Values sums);
  State advance(const State &state, const RightStrip &strip, unsigned loop,
                mlir::Value iteration);
  mlir::Value isInside(llvm::ArrayRef<LeftRow> rows);
  State resolveBorder(const State &state);
  std::pair<mlir::Value, mlir::Value> clipTaps(unsigned loop,
                                               const State &state,
                                               mlir::Value begin,
                                               mlir::Value end);
  mlir::Value multiplyAdd(mlir::Value left, mlir::Value right, mlir::Value sum);
  int64_t getLine() const;
  int64_t getUnroll(const LoopGroup &group);

  KernelBuilder &builder;
  const Contraction &contraction;
  const Tiling &tiling;
  Values sizes;
  Walk left;
  mlir::Value border;
  /// The axes of the left operand that have a border, and their sizes.
  llvm::SmallVector<std::pair<unsigned, mlir::Value>, 3> bordered;
};

} // namespace invar

#endif // INVAR_LIB_CODEGEN_REDUCTION_H
