// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the sums of a tile in registers: rows of the left operand times a strip of the
// right one.
//
// An image is never copied to add a border. For each row of a tile and each tap of a
// window, the code checks once whether the tap is inside. If not, the row reads, for all
// steps of the tap, from memory that is filled with the border's value. If the border
// contributes nothing, taps that are outside for all rows are skipped.
#ifndef INVAR_LIB_CODEGEN_REDUCTION_H
#define INVAR_LIB_CODEGEN_REDUCTION_H

#include "Tiling.h"

namespace invar {

/// A strip of the right operand, in place or in a copy.
struct RightStrip {
  mlir::Value buffer, offset;
  /// How far an iteration of each of the root's loops moves.
  KernelBuilder::Values steps;
  /// The offset of each vector.
  KernelBuilder::Values vectors;
  /// The lanes of each vector that may be read; empty for all.
  KernelBuilder::Values masks;
  /// Whether elements are already factors, and not the values that factors are computed
  /// from.
  bool holdsFactors = false;
};

/// A row of a tile: the offset of its elements in the left operand, and its positions
/// along the axes that have a border.
struct LeftRow {
  mlir::Value offset;
  KernelBuilder::Values positions;
};

/// A part of the outermost reduced loop; null for the whole loop.
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
    /// Whether the positions of a tile's rows along the axis ascend, provided that the
    /// last row is not before the first one. Null if that is not known.
    mlir::Value isOrdered;
  };

  Reduction(KernelBuilder &builder, const Contraction &contraction,
            const Tiling &tiling, llvm::ArrayRef<mlir::Value> loopSizes);

  /// The number of iterations of all loops of a group.
  mlir::Value getSize(const LoopGroup &group);
  const Walk &getLeft() const { return left; }
  llvm::ArrayRef<BorderedAxis> getBordered() const { return bordered; }
  /// The number of elements of the left operand that a tap may span.
  mlir::Value getSpan();
  /// Advances a row by iterations of a reduced loop.
  void move(LeftRow &row, unsigned loop, mlir::Value iterations);
  /// Whether a row is inside; null without a border.
  mlir::Value isInside(const LeftRow &row);

  /// For contractions that multiply in pairs: the iterations of the innermost loop, the
  /// pairs that these fill, and all pairs of a row.
  mlir::Value getInnerSize();
  mlir::Value getInnerPairs();
  mlir::Value getPairs();
  /// The copy of the left operand, as pairs.
  void setLeftCopy(mlir::Value buffer) { leftCopy = buffer; }

  /// Memory that is filled with the border's value.
  void setBorder(mlir::Value buffer) { border = buffer; }

  /// Adds the contribution of a block of the reduction to `sums`, row by row. Meanwhile
  /// prefetches from `ahead` in the strip's buffer, if that is not null.
  Values write(llvm::ArrayRef<LeftRow> rows, const RightStrip &strip,
               unsigned vectors, Values sums, Iterations block,
               mlir::Value ahead);
  /// The number of tiles that share the prefetching: each fetches a part of the data
  /// needed next.
  int64_t getTilesThatFetch();

private:
  struct Job {
    llvm::ArrayRef<LeftRow> rows;
    const RightStrip &strip;
    unsigned vectors;
    Iterations block;
    mlir::Value ahead;
    /// The loops, and the number of outer loops in which rows are checked against the
    /// border.
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
  /// The location where a row reads the left operand.
  struct Source {
    mlir::Value buffer, offset;
  };
  /// The innermost loop: its iterations, the distance that each moves, and the number of
  /// iterations that are unrolled.
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
