// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_LIB_PIPELINES_FOLDNOW_H
#define INVAR_LIB_PIPELINES_FOLDNOW_H

#include "WriteLibrary.h"
#include "mlir/IR/BuiltinOps.h"

namespace invar {

/// Runs the functions of a module that compute constants (attribute `const.fold`), here and
/// now, as any model is run: compiled for this machine, linked, loaded. Their results become
/// constants of the module, and they are gone. Functions that ask for something, and those
/// whose results have elements of less than a byte, stay.
llvm::Error foldNow(mlir::ModuleOp module, const MappedFiles &sources,
                    const EvalOptions &evaluation);

} // namespace invar

#endif // INVAR_LIB_PIPELINES_FOLDNOW_H
