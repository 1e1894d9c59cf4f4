// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_LIB_LAYOUT_UNUSED_H
#define INVAR_LIB_LAYOUT_UNUSED_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace invar {

/// Erases operations whose results nobody uses, and those that only they use, in one
/// walk from the end. MLIR's runRegionDCE also finds unused values of loops, but it takes
/// longer than the passes that leave the operations behind.
void eraseUnused(mlir::func::FuncOp function);

} // namespace invar

#endif // INVAR_LIB_LAYOUT_UNUSED_H
