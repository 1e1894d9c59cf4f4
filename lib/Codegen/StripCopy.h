// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies a strip of the right operand of a contraction, so that its steps follow each
// other: [iterations of the reduced loops][columns of the strip]. This pays off if many
// rows read the strip and its parts are scattered. It is necessary if columns are not
// contiguous.
//
// The copy consists of factors, or of pairs of 16-bit factors for two steps of the
// innermost loop. In an incomplete pair, the missing factor has any value: it is
// multiplied by 0.
#ifndef INVAR_LIB_CODEGEN_STRIPCOPY_H
#define INVAR_LIB_CODEGEN_STRIPCOPY_H

#include "Reduction.h"

namespace invar {

class StripCopy {
public:
  using Values = KernelBuilder::Values;

  /// A strip in the operand: its offset, its first column, the offsets of its vectors,
  /// and the values of the factor's parameters for each vector.
  struct Source {
    const Walk &walk;
    mlir::Value offset, column;
    Values vectors;
    llvm::SmallVector<Values> parameters;
  };

  StripCopy(KernelBuilder &builder, const Contraction &contraction,
            const Tiling &tiling, Reduction &reduction, mlir::Value columns);

  /// The number of elements of a copy, and their type.
  mlir::Value getCount();
  mlir::Type getElementType();
  void write(const Source &source, mlir::Value copy);
  /// The copy in the form that tiles read.
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
  /// For each group of reduced loops: how far an iteration moves in the copy.
  Values steps;
};

} // namespace invar

#endif // INVAR_LIB_CODEGEN_STRIPCOPY_H
