// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits rows into tiles of at most `most` rows, without overlap. With `most` = 6, 128
// rows become 18 tiles of 6 and 4 tiles of 5 rows. If the number of rows is dynamic,
// there are as many tiles of 6 as fit, followed by smaller tiles: of 2 and of 1.
#ifndef INVAR_LIB_CODEGEN_ROWTILES_H
#define INVAR_LIB_CODEGEN_ROWTILES_H

#include "KernelBuilder.h"

namespace invar {

class RowTiles {
public:
  RowTiles(KernelBuilder &builder, mlir::Value rows, unsigned most);

  mlir::Value getRows() const { return rows; }
  /// The number of tiles; all smaller ones at the end count as one.
  mlir::Value getCount() const { return count; }
  /// The first row of a tile, or the end of the last one.
  mlir::Value getFirst(mlir::Value tile);

  /// Writes the tiles [begin, end). Calls `body` once for each size of tiles.
  void forEach(mlir::Value begin, mlir::Value end,
               llvm::function_ref<void(unsigned size, mlir::Value first)> body);

private:
  KernelBuilder &builder;
  mlir::Value rows, count;
  unsigned most;
  /// The size of tiles if the number of rows is static. The first `tall` tiles have one
  /// row more.
  struct Known {
    int64_t size, tall;
  };
  std::optional<Known> known;
};

} // namespace invar

#endif // INVAR_LIB_CODEGEN_ROWTILES_H
