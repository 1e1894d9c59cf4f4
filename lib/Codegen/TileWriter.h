// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes some tiles of one strip: cuts rows into tiles, lets Reduction.h sum them up, and
// the epilogue make results of the sums.
//
// Rows are numbered through all their loops, last loop fastest, so that a tile may reach from
// one line of an image into the next.
#ifndef INVAR_LIB_CODEGEN_TILEWRITER_H
#define INVAR_LIB_CODEGEN_TILEWRITER_H

#include "Reduction.h"
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
};

class TileWriter {
public:
  using Values = KernelBuilder::Values;

  TileWriter(KernelBuilder &builder, Contraction &contraction,
             const Tiling &tiling);

  Reduction &getReduction() { return reduction; }
  RowTiles &getTiles() { return tiles; }
  /// Sizes of the groups of loops of a role.
  Values getSizes(llvm::ArrayRef<LoopGroup> groups);

  /// Takes addresses, and the memory for sums where these are kept; before tiles are
  /// written.
  void enter(mlir::Value sumMemory);
  void write(const StripOfTiles &job);

  /// Which lanes of the vector of columns that begins `shift` columns into the strip there
  /// are; null for all.
  mlir::Value getMask(const StripOfTiles &job, mlir::Value shift);

private:
  using PointBody = llvm::function_ref<void(const Point &)>;

  void writeTile(const StripOfTiles &job, unsigned count, mlir::Value first,
                 mlir::Value begin, mlir::Value end);
  void writeResults(const StripOfTiles &job);

  llvm::SmallVector<Values> getCoordinates(mlir::Value first, unsigned count);
  LeftRow makeLeftRow(const StripOfTiles &job,
                      llvm::ArrayRef<mlir::Value> coordinates);
  mlir::Value getAhead(const StripOfTiles &job, mlir::Value row,
                       mlir::Value end);
  mlir::Value getKept(const StripOfTiles &job, mlir::Value row,
                      mlir::Value shift);
  mlir::Value getIndex(const StripOfTiles &job,
                       llvm::ArrayRef<mlir::Value> coordinates,
                       mlir::Value column, unsigned loop);
  void atPoint(const StripOfTiles &job, llvm::ArrayRef<mlir::Value> coordinates,
               mlir::Value shift, PointBody body);

  KernelBuilder &builder;
  Contraction &contraction;
  const Tiling &tiling;
  Values sizes;
  Reduction reduction;
  Values rowSizes;
  RowTiles tiles;
  mlir::Value sumMemory;
};

} // namespace invar

#endif // INVAR_LIB_CODEGEN_TILEWRITER_H
