// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which operations of a function go into one kernel.
#ifndef INVAR_LIB_CODEGEN_KERNELGROUP_H
#define INVAR_LIB_CODEGEN_KERNELGROUP_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace invar {

/// The linalg operations of a function, in groups that each become a kernel, in an order in
/// which they can be taken out. The operations of a group stand in one block, in the order
/// of the block, and only the last of them may be used before others of the block.
llvm::SmallVector<llvm::SmallVector<mlir::Operation *>>
groupOperations(mlir::func::FuncOp function);

} // namespace invar

#endif // INVAR_LIB_CODEGEN_KERNELGROUP_H
