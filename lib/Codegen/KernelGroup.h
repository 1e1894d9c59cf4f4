// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which operations of a function go into one kernel.
#ifndef INVAR_LIB_CODEGEN_KERNELGROUP_H
#define INVAR_LIB_CODEGEN_KERNELGROUP_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace invar {

/// Whether a part of a tensor lies without gaps: whole rows of one axis, of which those
/// before have one place each. Such a part needs no copy.
bool isContiguous(mlir::tensor::ExtractSliceOp slice);

/// Makes loops of what prepares operands (pads, slices, fills) where somebody else than a
/// kernel wants it, or a kernel that cannot read through it.
void standAlone(mlir::func::FuncOp function);

/// The linalg operations of a function, in groups that each become a kernel, in an order in
/// which they can be taken out. The operations of a group stand in one block, in the order
/// of the block, and only the last of them may be used before others of the block.
llvm::SmallVector<llvm::SmallVector<mlir::Operation *>>
groupOperations(mlir::func::FuncOp function);

} // namespace invar

#endif // INVAR_LIB_CODEGEN_KERNELGROUP_H
