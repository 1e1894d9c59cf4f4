// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Orders of axes, and the operators that they pass.
//
// A value has its axes in `order` if it is the Transpose by that permutation of another: its
// axis i is axis order[i] there. An operator lets an order pass if, given operands without
// it, the operator can name other axes and give the same elements in another order:
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
/// What undoes an order.
Order invert(llvm::ArrayRef<int64_t> order);
/// The order of a value whose axes were put in one order, and then in another.
Order compose(llvm::ArrayRef<int64_t> first, llvm::ArrayRef<int64_t> second);
/// The order that exchanges the last two of `rank` axes.
Order getOrderOfMatrices(int64_t rank);

/// A value with its axes in this order; null where it is null.
mlir::Value makeTranspose(mlir::Value value, llvm::ArrayRef<int64_t> order,
                          Rewriting &rewriting);

/// Whether an operator lets orders pass. Sums of floats may round differently if their
/// terms lie otherwise in memory.
bool passesOrder(mlir::Operation *op, bool mayRound,
                 const Rewriting &rewriting);
/// The operands that must have one order for the result to have one. They are the first.
mlir::ValueRange getOrderedOperands(mlir::Operation *op);
/// Whether the result has an operand's axes, and so its order.
bool keepsAxes(mlir::Operation *op);
/// The order of the result if operands are in `order`.
std::optional<Order> getResultOrder(mlir::Operation *op,
                                    llvm::ArrayRef<int64_t> order,
                                    const Rewriting &rewriting);
/// The operator on operands that had `order`, and have it no more.
mlir::Value makeInOrder(mlir::Operation *op, mlir::ValueRange operands,
                        llvm::ArrayRef<int64_t> order, Rewriting &rewriting);

} // namespace invar

#endif // INVAR_LIB_SIMPLIFY_ORDER_H
