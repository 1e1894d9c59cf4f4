// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Orders of axes, and moving them through operators.
//
// A value has its axes in `order` if it is the Transpose of another value by that
// permutation: its axis i is axis order[i] of the other value. An order passes an
// operator if the operator on the original operands, with other axes named, computes
// the same elements in another order:
//
//   v = Transpose(x, [0, 2, 3, 1])       order [0, 2, 3, 1]
//   Concat(v, w) {axis = 3}              the same, of Concat(x, y) {axis = 1}
//   ReduceMax(v, [1, 2]) {keepdims = 0}  order [0, 1], of ReduceMax(x, [2, 3])
#ifndef INVAR_LIB_SIMPLIFY_ORDER_H
#define INVAR_LIB_SIMPLIFY_ORDER_H

#include "invar/Simplify/Rule.h"

namespace invar {

using Order = llvm::SmallVector<int64_t>;

bool isInOrder(llvm::ArrayRef<int64_t> order);
/// The inverse permutation.
Order invert(llvm::ArrayRef<int64_t> order);
/// The order of a value whose axes were permuted by `first`, and then by `second`.
Order compose(llvm::ArrayRef<int64_t> first, llvm::ArrayRef<int64_t> second);
/// The order that exchanges the last two of `rank` axes.
Order getOrderOfMatrices(int64_t rank);

/// Transposes a value by this order; null if the value is null.
mlir::Value makeTranspose(mlir::Value value, llvm::ArrayRef<int64_t> order,
                          Rewriting &rewriting);

/// Whether orders pass an operator. Sums of floats may round differently if their terms
/// are in another order in memory, so they need `mayRound`.
bool passesOrder(mlir::Operation *op, bool mayRound,
                 const Rewriting &rewriting);
/// The operands that must all have the same order. They are the first operands.
mlir::ValueRange getOrderedOperands(mlir::Operation *op);
/// Whether the result has the same axes as an operand, and so the same order.
bool keepsAxes(mlir::Operation *op);
/// The order of the result if the operands are in `order`.
std::optional<Order> getResultOrder(mlir::Operation *op,
                                    llvm::ArrayRef<int64_t> order,
                                    const Rewriting &rewriting);
/// Creates the operator on operands from which `order` was removed.
mlir::Value makeInOrder(mlir::Operation *op, mlir::ValueRange operands,
                        llvm::ArrayRef<int64_t> order, Rewriting &rewriting);

} // namespace invar

#endif // INVAR_LIB_SIMPLIFY_ORDER_H
