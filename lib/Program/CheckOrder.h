// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks come before effects: in a program, no kernel and no call comes before a check of
// the same block that could come before it. A kernel trusts the sizes and offsets that it
// is given, so it must not run on operands that a later check would reject.
//
//   %y = call @Split_0(%x, %n, …)              %ok = arith.cmpi eq, %sum, %size
//   %ok = arith.cmpi eq, %sum, %size    ->     cf.assert %ok, "expected parts that …"
//   cf.assert %ok, "expected parts that …"     %y = call @Split_0(%x, %n, …)
//
// The pass invar-hoist-checks establishes this order, and the encoder rejects functions
// that violate it. A check that reads the result of a kernel stays after that kernel.
#ifndef INVAR_LIB_PROGRAM_CHECKORDER_H
#define INVAR_LIB_PROGRAM_CHECKORDER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace invar {

/// Moves checks as far up as their operands allow.
void hoistChecks(mlir::Block &block);

/// Emits an error for the first check that comes too late.
llvm::LogicalResult verifyCheckOrder(mlir::func::FuncOp function);

} // namespace invar

#endif // INVAR_LIB_PROGRAM_CHECKORDER_H
