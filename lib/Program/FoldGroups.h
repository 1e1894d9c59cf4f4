// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_LIB_PROGRAM_FOLDGROUPS_H
#define INVAR_LIB_PROGRAM_FOLDGROUPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <vector>

namespace invar {

/// Splits a function that computes constants. Results that share no computation become
/// separate functions, in order, outside of any module. Attributes of arguments and
/// results are kept.
std::vector<mlir::OwningOpRef<mlir::func::FuncOp>>
splitIntoGroups(mlir::func::FuncOp fold);

} // namespace invar

#endif // INVAR_LIB_PROGRAM_FOLDGROUPS_H
