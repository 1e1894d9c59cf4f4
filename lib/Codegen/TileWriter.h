// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes some tiles of one strip: cuts rows into tiles (RowTiles.h), lets Reduction.h sum
// them up, and the epilogue make results of the sums.
#ifndef INVAR_LIB_CODEGEN_TILEWRITER_H
#define INVAR_LIB_CODEGEN_TILEWRITER_H

#include "LeftCopy.h"
#include "RowTerms.h"
#include "RowTiles.h"

namespace invar {

/// Some tiles of one strip.
struct StripOfTiles {
  /// Where the batch loops are, group by group.
  KernelBuilder::Values batch;
  mlir::Value firstTile, endTile;
  /// The first column, and how many there are from there on; the latter is null where a
  /// whole strip is there.
  mlir::Value column, columnsLeft;
  unsigned vectors;
  RightStrip right;
  /// Which strip of its unit this is.
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
  /// Sizes of the groups of loops of a role.
  Values getSizes(llvm::ArrayRef<LoopGroup> groups);
  /// Memory for sums, where these are kept.
  void setSums(mlir::Value buffer) { sumMemory = buffer; }
  LeftCopy &getLeftCopy() { return leftCopy; }

  /// Prepares for the tiles of a unit; all its strips have the same.
  void enterUnit(const StripOfTiles &job);
  /// Writes the sums of a block of the reduction, and results where these are not kept.
  void writeSums(const StripOfTiles &job, Iterations block);
  /// Makes results of sums that are kept.
  void writeResults(const StripOfTiles &job);

  /// Which lanes of the vector of columns that begins `shift` columns into the strip there
  /// are; null for all.
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
  /// Terms: of the left operand, its axes with a border, and all that the epilogue walks.
  unsigned leftTerm;
  llvm::SmallVector<unsigned> axisTerms, walkTerms;
};

} // namespace invar

#endif // INVAR_LIB_CODEGEN_TILEWRITER_H
