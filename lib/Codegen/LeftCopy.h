// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies rows of the left operand of a contraction as pairs of factors of 16 bits, one step
// after the other: for a convolution, the window of each pixel, with what stands in the
// border where it reaches there. That is little beside what is then computed of them, since
// each is used for a whole strip of columns.
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
  /// Copies a row to where its pairs are to begin.
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
