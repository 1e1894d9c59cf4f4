// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cuts rows into tiles of at most so many, and none twice. Of 128 rows, and tiles of at most
// 6, there are 18 tiles of 6 and 4 of 5 rows; where the number of rows is open, as many
// tiles of 6 as fit, and then ever smaller ones: of 2 and of 1.
#ifndef INVAR_LIB_CODEGEN_ROWTILES_H
#define INVAR_LIB_CODEGEN_ROWTILES_H

#include "KernelBuilder.h"

namespace invar {

class RowTiles {
public:
  RowTiles(KernelBuilder &builder, mlir::Value rows, unsigned most);

  mlir::Value getRows() const { return rows; }
  /// How many tiles there are; all smaller ones at the end count as one.
  mlir::Value getCount() const { return count; }
  /// The first row of a tile, or the end of the last one.
  mlir::Value getFirst(mlir::Value tile);

  /// Writes the tiles [begin, end): `body` once for each size that tiles have.
  void forEach(mlir::Value begin, mlir::Value end,
               llvm::function_ref<void(unsigned size, mlir::Value first)> body);

private:
  KernelBuilder &builder;
  mlir::Value rows, count;
  unsigned most;
  /// The size of tiles where that is known: of `tall` tiles it is one more.
  struct Known {
    int64_t size, tall;
  };
  std::optional<Known> known;
};

} // namespace invar

#endif // INVAR_LIB_CODEGEN_ROWTILES_H
