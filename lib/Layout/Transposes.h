// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposes as linalg operations: one that yields what it reads, by a map that permutes.
#ifndef INVAR_LIB_LAYOUT_TRANSPOSES_H
#define INVAR_LIB_LAYOUT_TRANSPOSES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

namespace invar {

/// Axis i of the result is axis p[i] of the operand. None where the operation is not a
/// transpose.
std::optional<llvm::SmallVector<int64_t>> getPermutation(mlir::Operation *op);

/// `tensor` with its axes permuted: what it was transposed from where that fits, a view
/// where only axes of one element move, else a new operation.
mlir::Value makeTranspose(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value tensor,
                          llvm::ArrayRef<int64_t> permutation);

/// Whether an operation goes through its only result in order, reducing nothing.
bool isElementwise(mlir::linalg::GenericOp op);

} // namespace invar

#endif // INVAR_LIB_LAYOUT_TRANSPOSES_H
