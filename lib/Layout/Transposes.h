// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposes as linalg operations: an operation that yields its operand, read by a
// permutation.
#ifndef INVAR_LIB_LAYOUT_TRANSPOSES_H
#define INVAR_LIB_LAYOUT_TRANSPOSES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

namespace invar {

/// Axis i of the result is axis p[i] of the operand. None if the operation is no
/// transpose.
std::optional<llvm::SmallVector<int64_t>> getPermutation(mlir::Operation *op);

/// `tensor` with its axes permuted. Merges with a transpose that computes `tensor`,
/// makes a view if only axes of one element move, and otherwise makes a new operation.
mlir::Value makeTranspose(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value tensor,
                          llvm::ArrayRef<int64_t> permutation);

/// Whether an operation iterates over its only result in order, without reductions.
bool isElementwise(mlir::linalg::GenericOp op);

} // namespace invar

#endif // INVAR_LIB_LAYOUT_TRANSPOSES_H
