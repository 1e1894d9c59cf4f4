// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which operations of a function form one kernel.
#ifndef INVAR_LIB_CODEGEN_KERNELGROUP_H
#define INVAR_LIB_CODEGEN_KERNELGROUP_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace invar {

/// Whether a slice is contiguous in memory: its last axes are whole, one axis before them
/// may be cut, and all earlier axes have size 1. Such a slice needs no copy.
bool isContiguous(mlir::tensor::ExtractSliceOp slice);

/// Turns operations that prepare operands (pads, slices, fills) into loops, if they have
/// a user that is not in a kernel, or is in a kernel that cannot read through them.
void standAlone(mlir::func::FuncOp function);

/// The linalg operations of a function, in groups that each become a kernel, in an order
/// in which they can be outlined. The operations of a group are in one block, in the
/// order of the block. No operation outside of a group uses its results before the
/// group's last operation.
llvm::SmallVector<llvm::SmallVector<mlir::Operation *>>
groupOperations(mlir::func::FuncOp function);

} // namespace invar

#endif // INVAR_LIB_CODEGEN_KERNELGROUP_H
