// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_LIB_PROGRAM_FOLDGROUPS_H
#define INVAR_LIB_PROGRAM_FOLDGROUPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <vector>

namespace invar {

/// Takes a function that computes constants apart: results that have nothing computed in
/// common become functions of their own, in order, outside of any module. Attributes of
/// arguments and results stay with them.
std::vector<mlir::OwningOpRef<mlir::func::FuncOp>>
splitIntoGroups(mlir::func::FuncOp fold);

} // namespace invar

#endif // INVAR_LIB_PROGRAM_FOLDGROUPS_H
