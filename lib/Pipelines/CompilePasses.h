// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes from operators to kernels, in order.
#ifndef INVAR_LIB_PIPELINES_COMPILEPASSES_H
#define INVAR_LIB_PIPELINES_COMPILEPASSES_H

#include "invar/Codegen/Target.h"
#include "invar/Pipelines/Compile.h"
#include "mlir/Pass/PassManager.h"

namespace invar {

/// Adds the passes from operators to loops over tensors.
void addLinalgPasses(mlir::OpPassManager &manager,
                     const CompileModelOptions &options);

/// Adds the passes from loops over tensors to a function that calls kernels. Layouts suit
/// `target`, and costs are estimated for it.
void addKernelPasses(mlir::OpPassManager &manager,
                     const CompileModelOptions &options,
                     const CpuTarget &target);

/// Adds the passes that remove functions left over by folding at compile time, and that
/// move its results to the store. If they are compressed there, the first run decodes
/// them.
void addPassesAfterFolding(mlir::OpPassManager &manager,
                           const CompileModelOptions &options);

} // namespace invar

#endif // INVAR_LIB_PIPELINES_COMPILEPASSES_H
