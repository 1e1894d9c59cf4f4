// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants with another axis order or shape, as lazy views of existing constants
// (Elements.h). Functions that return a Value return null if the reference does not
// hold its content or the view cannot be made.
#ifndef INVAR_DIALECT_CONST_VIEWS_H
#define INVAR_DIALECT_CONST_VIEWS_H

#include "invar/Dialect/Const/Const.h"
#include "mlir/IR/Builders.h"

namespace invar {

/// Returns a constant with its axes permuted.
mlir::Value transposeConstant(mlir::OpBuilder &builder, constants::RefOp ref,
                              llvm::ArrayRef<int64_t> permutation);

/// If two references are to the same elements, returns the permutation between them:
/// axis i of `view` is axis p[i] of `whole`. Empty otherwise.
std::optional<llvm::SmallVector<int64_t>> findTranspose(constants::RefOp whole,
                                                        constants::RefOp view);

/// Returns a constant in another shape.
mlir::Value reshapeConstant(mlir::OpBuilder &builder, constants::RefOp ref,
                            llvm::ArrayRef<int64_t> shape);

/// Packs a constant as linalg.pack does: permutes the axes by `order` and splits `axis`
/// into tiles of `tile` elements. The tile becomes the last axis; the last tile is
/// padded with zeros. In `order`, `axis` stands for the axis that counts the tiles.
mlir::Value packConstant(mlir::OpBuilder &builder, constants::RefOp ref,
                         llvm::ArrayRef<int64_t> order, int64_t axis,
                         int64_t tile);

} // namespace invar

#endif // INVAR_DIALECT_CONST_VIEWS_H
