// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_LIB_PIPELINES_FOLDNOW_H
#define INVAR_LIB_PIPELINES_FOLDNOW_H

#include "WriteLibrary.h"
#include "mlir/IR/BuiltinOps.h"

namespace invar {

/// Runs the functions of a module that compute constants (attribute `const.fold`) at
/// compile time, like a model: compiled for this machine, linked, and loaded. Their
/// results become constants of the module, and the functions are erased. Functions that
/// have arguments or read replaceable weights stay for the first run; so do functions
/// whose results have elements of less than a byte.
llvm::Error foldNow(mlir::ModuleOp module, const MappedFiles &sources,
                    const EvalOptions &evaluation);

} // namespace invar

#endif // INVAR_LIB_PIPELINES_FOLDNOW_H
