// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies rows of the left operand of a contraction as pairs of 16-bit factors, one step
// after the other. For a convolution, a row is the window of a pixel, with the border's
// value where the window reaches into the border. The copy is cheap compared with the
// computation, since each pair is used for a whole strip of columns.
#ifndef INVAR_LIB_CODEGEN_LEFTCOPY_H
#define INVAR_LIB_CODEGEN_LEFTCOPY_H

#include "Reduction.h"

namespace invar {

class LeftCopy {
public:
  using Values = KernelBuilder::Values;

  LeftCopy(KernelBuilder &builder, const Contraction &contraction,
           const Tiling &tiling, Reduction &reduction)
      : builder(builder), contraction(contraction), tiling(tiling),
        reduction(reduction) {}

  /// Memory for elements of 16 bits.
  void setMemory(mlir::Value buffer) { memory = buffer; }
  /// Copies a row. Its pairs begin at `pair`.
  void write(const LeftRow &row, mlir::Value pair);

private:
  struct Position {
    LeftRow from;
    mlir::Value to;
  };

  void writeRun(const Position &at);
  void fillRun(mlir::Value to);
  mlir::Value makeFactor(mlir::Value element);

  KernelBuilder &builder;
  const Contraction &contraction;
  const Tiling &tiling;
  Reduction &reduction;
  mlir::Value memory;
};

} // namespace invar

#endif // INVAR_LIB_CODEGEN_LEFTCOPY_H
