// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes the contributions of a contraction's rows to addresses. Rows are numbered
// through all their loops, last loop fastest, so that a tile may reach from one line of
// an image into the next. A term is a sum over these loops, each of which has its own
// step:
//
//   row = (n * OH + oh) * OW + ow        term = n * H * W * C + oh * 2 * W * C + ow * 2 * C
//
// With one loop, the term is a product. With several, the terms of a unit's rows are
// computed one row after the other and stored in a table. This avoids a division for each
// row, and keeps the code for tiles of any size short.
#ifndef INVAR_LIB_CODEGEN_ROWTERMS_H
#define INVAR_LIB_CODEGEN_ROWTERMS_H

#include "KernelBuilder.h"

namespace invar {

class RowTerms {
public:
  using Values = KernelBuilder::Values;

  /// `sizes` are those of the loops; a unit has at most `unitRows` rows.
  RowTerms(KernelBuilder &builder, Values sizes, int64_t unitRows)
      : builder(builder), sizes(std::move(sizes)), unitRows(unitRows) {}

  /// Adds a term that moves by `steps`; returns its number.
  unsigned add(Values steps);

  /// The number of elements of type index in the table.
  int64_t getTableSize() const;
  void setTable(mlir::Value buffer) { table = buffer; }

  /// Fills the table for the rows [first, end).
  void fill(mlir::Value first, mlir::Value end);
  /// A term at a row of the unit whose first row is `first`.
  mlir::Value get(unsigned number, mlir::Value row, mlir::Value first);

  mlir::ArrayRef<mlir::Value> getSizes() const { return sizes; }
  const Values &getSteps(unsigned number) const { return terms[number]; }

private:
  Values advance(Values coordinates);

  KernelBuilder &builder;
  Values sizes;
  int64_t unitRows;
  llvm::SmallVector<Values> terms;
  mlir::Value table;
};

} // namespace invar

#endif // INVAR_LIB_CODEGEN_ROWTERMS_H
