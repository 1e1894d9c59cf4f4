// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_DIALECT_CONST_READS_H
#define INVAR_DIALECT_CONST_READS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SetVector.h"

namespace invar {

/// Returns all values that an operation and its regions read from outside. Its results
/// depend only on these.
llvm::SetVector<mlir::Value> getRead(mlir::Operation *op);

} // namespace invar

#endif // INVAR_DIALECT_CONST_READS_H
