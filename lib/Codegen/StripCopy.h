// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies a strip of the right operand of a contraction to where its steps lie one after the
// other: [iterations of the reduced loops][columns of the strip]. That pays where many rows
// read the strip and it lies in pieces, and it is needed where columns are not contiguous.
#ifndef INVAR_LIB_CODEGEN_STRIPCOPY_H
#define INVAR_LIB_CODEGEN_STRIPCOPY_H

#include "Reduction.h"

namespace invar {

class StripCopy {
public:
  using Values = KernelBuilder::Values;

  StripCopy(KernelBuilder &builder, const Contraction &contraction,
            const Tiling &tiling, llvm::ArrayRef<mlir::Value> groupSizes,
            mlir::Value columns);

  /// How many elements a copy takes.
  mlir::Value getCount();
  /// Copies the strip that begins at `column`, to which `offset` leads in the operand.
  void write(const Walk &right, mlir::Value offset, mlir::Value column,
             mlir::Value copy);
  /// The copy, as tiles read it.
  RightStrip getStrip(mlir::Value copy);

private:
  struct Position {
    mlir::Value from, to;
  };

  void forEachStep(const Walk &right, unsigned levels, Position position,
                   llvm::function_ref<void(Position)> body);
  void copyAlong(const Walk &right, Position position, mlir::Value column,
                 mlir::Value copy);
  void copyAcross(const Walk &right, Position position, mlir::Value column,
                  mlir::Value copy);
  Values transpose(Values rows);

  KernelBuilder &builder;
  const Contraction &contraction;
  const Tiling &tiling;
  /// Sizes of the groups of reduced loops, and what they move in the copy.
  Values sizes, steps;
  mlir::Value columns;
};

} // namespace invar

#endif // INVAR_LIB_CODEGEN_STRIPCOPY_H
