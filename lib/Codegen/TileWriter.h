// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes some tiles of one strip: splits rows into tiles (RowTiles.h), sums them with
// Reduction.h, and computes results from the sums with the epilogue.
#ifndef INVAR_LIB_CODEGEN_TILEWRITER_H
#define INVAR_LIB_CODEGEN_TILEWRITER_H

#include "LeftCopy.h"
#include "RowTerms.h"
#include "RowTiles.h"

namespace invar {

/// Some tiles of one strip.
struct StripOfTiles {
  /// The indices of the batch loops, group by group.
  KernelBuilder::Values batch;
  mlir::Value firstTile, endTile;
  /// The first column, and the number of columns from there on; the latter is null for a
  /// whole strip.
  mlir::Value column, columnsLeft;
  unsigned vectors;
  RightStrip right;
  /// The index of this strip in its unit.
  mlir::Value slot;
};

class TileWriter {
public:
  using Values = KernelBuilder::Values;

  TileWriter(KernelBuilder &builder, Contraction &contraction,
             const Tiling &tiling);

  Reduction &getReduction() { return reduction; }
  RowTiles &getTiles() { return tiles; }
  RowTerms &getRowTerms() { return terms; }
  /// The sizes of the loop groups of a role.
  Values getSizes(llvm::ArrayRef<LoopGroup> groups);
  /// Memory for sums, if these are kept.
  void setSums(mlir::Value buffer) { sumMemory = buffer; }
  LeftCopy &getLeftCopy() { return leftCopy; }

  /// Prepares the tiles of a unit, which are the same for all its strips.
  void enterUnit(const StripOfTiles &job);
  /// Writes the sums of a block of the reduction. Also writes the results if sums are not
  /// kept.
  void writeSums(const StripOfTiles &job, Iterations block);
  /// Computes results from sums that are kept.
  void writeResults(const StripOfTiles &job);

  /// The mask of existing lanes in the vector that begins `shift` columns into the strip;
  /// null for all.
  mlir::Value getMask(const StripOfTiles &job, mlir::Value shift);

private:
  using PointBody = llvm::function_ref<void(const Point &)>;

  void writeTile(const StripOfTiles &job, unsigned count, mlir::Value first,
                 Iterations block);

  mlir::Value getTerm(const StripOfTiles &job, unsigned number,
                      mlir::Value row);
  mlir::Value getBatchTerm(const StripOfTiles &job,
                           llvm::function_ref<mlir::Value(unsigned)> step);
  LeftRow makeLeftRow(const StripOfTiles &job, mlir::Value row);
  mlir::Value getCopiedRow(const StripOfTiles &job, mlir::Value row);
  mlir::Value getAhead(const StripOfTiles &job, mlir::Value row,
                       Iterations block);
  mlir::Value getKept(const StripOfTiles &job, mlir::Value row,
                      mlir::Value shift);
  mlir::Value getIndex(const StripOfTiles &job, mlir::Value row,
                       mlir::Value column, unsigned loop);
  void atPoint(const StripOfTiles &job, mlir::Value row, mlir::Value shift,
               PointBody body);

  KernelBuilder &builder;
  Contraction &contraction;
  const Tiling &tiling;
  Values sizes;
  Reduction reduction;
  LeftCopy leftCopy;
  RowTerms terms;
  RowTiles tiles;
  mlir::Value sumMemory;
  /// The numbers of terms: of the left operand, its axes with a border, and all walks of
  /// the epilogue.
  unsigned leftTerm;
  llvm::SmallVector<unsigned> axisTerms, walkTerms;
};

} // namespace invar

#endif // INVAR_LIB_CODEGEN_TILEWRITER_H
