// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies a strip of the right operand of a contraction to where its steps lie one after the
// other: [iterations of the reduced loops][columns of the strip]. That pays where many rows
// read the strip and it lies in pieces, and it is needed where columns are not contiguous.
//
// What is copied are factors, or pairs of factors of two steps of the innermost loop, each
// in 16 bits. A pair that is not filled up has anything in it: the other factor is 0.
#ifndef INVAR_LIB_CODEGEN_STRIPCOPY_H
#define INVAR_LIB_CODEGEN_STRIPCOPY_H

#include "Reduction.h"

namespace invar {

class StripCopy {
public:
  using Values = KernelBuilder::Values;

  /// A strip in the operand: where it begins, its first column, where its vectors begin,
  /// and what the factor's parameters are for each of these.
  struct Source {
    const Walk &walk;
    mlir::Value offset, column;
    Values vectors;
    llvm::SmallVector<Values> parameters;
  };

  StripCopy(KernelBuilder &builder, const Contraction &contraction,
            const Tiling &tiling, Reduction &reduction, mlir::Value columns);

  /// How many elements a copy takes, and of which type.
  mlir::Value getCount();
  mlir::Type getElementType();
  void write(const Source &source, mlir::Value copy);
  /// The copy, as tiles read it.
  RightStrip getStrip(mlir::Value copy);

private:
  struct Position {
    mlir::Value from, to;
  };

  void copyStep(const Source &source, Position position, mlir::Value copy);
  void copyPair(const Source &source, Position position, mlir::Value pair,
                mlir::Value copy);
  void copyAcross(const Source &source, Position position, mlir::Value copy);
  mlir::Value loadFactor(const Source &source, mlir::Value offset,
                         unsigned vector);
  mlir::Value makePair(mlir::Value first, mlir::Value second);
  Values transpose(Values rows);

  KernelBuilder &builder;
  const Contraction &contraction;
  const Tiling &tiling;
  Reduction &reduction;
  mlir::Value columns;
  /// Of the groups of reduced loops: how far they move in the copy.
  Values steps;
};

} // namespace invar

#endif // INVAR_LIB_CODEGEN_STRIPCOPY_H
