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
  mlir::Value offset;
  KernelBuilder::Values positions;
};

/// A part of the outermost reduced loop; null where all of it is meant.
struct Iterations {
  mlir::Value begin, end;
};

class Reduction {
public:
  using Values = KernelBuilder::Values;

  /// An axis of the left operand that has a border.
  struct BorderedAxis {
    unsigned axis;
    mlir::Value size;
    /// Whether rows of a tile go along the axis in one direction, unless a later one is
    /// before an earlier one: null where that is not so.
    mlir::Value isOrdered;
  };

  Reduction(KernelBuilder &builder, const Contraction &contraction,
            const Tiling &tiling, llvm::ArrayRef<mlir::Value> loopSizes);

  /// The iterations of all loops of a group.
  mlir::Value getSize(const LoopGroup &group);
  const Walk &getLeft() const { return left; }
  llvm::ArrayRef<BorderedAxis> getBordered() const { return bordered; }
  /// How many elements of the left operand a tap may span.
  mlir::Value getSpan();
  /// Moves a row on, by iterations of a reduced loop.
  void move(LeftRow &row, unsigned loop, mlir::Value iterations);
  /// Whether a row is inside; null without a border.
  mlir::Value isInside(const LeftRow &row);

  /// Of contractions that multiply in pairs: the iterations of the innermost loop, the
  /// pairs that these fill, and all pairs of a row.
  mlir::Value getInnerSize();
  mlir::Value getInnerPairs();
  mlir::Value getPairs();
  /// The copy of the left operand, as pairs.
  void setLeftCopy(mlir::Value buffer) { leftCopy = buffer; }

  /// Memory that is filled with what stands in the border.
  void setBorder(mlir::Value buffer) { border = buffer; }

  /// Adds to `sums`, row by row, what a block of the reduction contributes. Meanwhile
  /// fetches what lies at `ahead` in the strip's buffer, where that is not null.
  Values write(llvm::ArrayRef<LeftRow> rows, const RightStrip &strip,
               unsigned vectors, Values sums, Iterations block,
               mlir::Value ahead);
  /// Of how many tiles each fetches a part of what is needed next.
  int64_t getTilesThatFetch();

private:
  struct Job {
    llvm::ArrayRef<LeftRow> rows;
    const RightStrip &strip;
    unsigned vectors;
    Iterations block;
    mlir::Value ahead;
    /// The loops, and how many of them are asked whether they are inside.
    llvm::ArrayRef<LoopGroup> groups;
    unsigned taps;
    /// Whether no tap of any row is in the border.
    bool isInside = false;
  };
  /// How far the loops around the innermost one have moved: in the left operand, along
  /// each axis that has a border, and in the right operand.
  struct State {
    mlir::Value left;
    Values positions;
    mlir::Value right;
  };
  /// Where rows read the left operand.
  struct Source {
    mlir::Value buffer, offset;
  };
  /// The innermost loop: its iterations, what each moves, and how many are written one
  /// after the other.
  struct Innermost {
    Iterations range;
    mlir::Value leftStep, rightStep;
    int64_t unroll;
  };

  mlir::Value findOrder(const Access::Axis &axis);
  Values reduce(const Job &job, unsigned level, const State &state,
                Values sums);
  Values reducePairs(const Job &job, Values sums);
  Values reduceInnermost(const Job &job, llvm::ArrayRef<Source> sources,
                         mlir::Value right, Values sums, Innermost loop);
  Values addProducts(const Job &job, llvm::ArrayRef<Source> sources,
                     mlir::Value leftShift, mlir::Value right, Values sums);
  State advance(const State &state, const RightStrip &strip, unsigned loop,
                mlir::Value iteration);
  mlir::Value areInside(llvm::ArrayRef<LeftRow> rows);
  llvm::SmallVector<Source> getSources(const Job &job, const State &state);
  Iterations clipTaps(const Job &job, unsigned loop, const State &state,
                      Iterations range);
  Values loadStrip(const Job &job, mlir::Value right);
  mlir::Value loadLeft(const Source &source, mlir::Value shift);
  mlir::Value multiplyAdd(mlir::Value left, mlir::Value right, mlir::Value sum);
  mlir::Value multiplyPairs(mlir::Value left, mlir::Value right);
  int64_t getLine() const;
  int64_t getUnroll(const LoopGroup &group);

  KernelBuilder &builder;
  const Contraction &contraction;
  const Tiling &tiling;
  Values sizes;
  Walk left;
  mlir::Value border, leftCopy;
  llvm::SmallVector<BorderedAxis, 3> bordered;
};

} // namespace invar

#endif // INVAR_LIB_CODEGEN_REDUCTION_H
