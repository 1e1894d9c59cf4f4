// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants in another order: views of what there is (Elements.h).
#ifndef INVAR_DIALECT_CONST_VIEWS_H
#define INVAR_DIALECT_CONST_VIEWS_H

#include "invar/Dialect/Const/Const.h"
#include "mlir/IR/Builders.h"

namespace invar {

/// A constant with its axes permuted; null where that cannot be.
mlir::Value transposeConstant(mlir::OpBuilder &builder, constants::RefOp ref,
                              llvm::ArrayRef<int64_t> permutation);

/// Of two references to the same elements: how the axes of one lie in the other, axis i of
/// `view` being axis p[i] of `whole`. None where they are anything else.
std::optional<llvm::SmallVector<int64_t>> findTranspose(constants::RefOp whole,
                                                        constants::RefOp view);

/// A constant in another shape; null where that cannot be.
mlir::Value reshapeConstant(mlir::OpBuilder &builder, constants::RefOp ref,
                            llvm::ArrayRef<int64_t> shape);

/// Its axes in another order, `axis` of them in tiles of `tile` elements, which become the
/// last axis; the last tile is filled up with zeros. `order` has `axis` where the tiles are
/// to be counted. As linalg.pack has it, and null where that cannot be.
mlir::Value packConstant(mlir::OpBuilder &builder, constants::RefOp ref,
                         llvm::ArrayRef<int64_t> order, int64_t axis,
                         int64_t tile);

} // namespace invar

#endif // INVAR_DIALECT_CONST_VIEWS_H
