// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes from operators to kernels, in order.
#ifndef INVAR_LIB_PIPELINES_COMPILEPASSES_H
#define INVAR_LIB_PIPELINES_COMPILEPASSES_H

#include "invar/Codegen/Target.h"
#include "invar/Pipelines/Compile.h"
#include "mlir/Pass/PassManager.h"

namespace invar {

/// From operators to loops over tensors.
void addLinalgPasses(mlir::OpPassManager &manager,
                     const CompileModelOptions &options);

/// From loops over tensors to a function that calls kernels. What pays is judged for
/// `target`.
void addKernelPasses(mlir::OpPassManager &manager,
                     const CompileModelOptions &options,
                     const CpuTarget &target);

/// What folding when compiling leaves over goes, and its results join the store; where they
/// are compressed there, what the first run computes is to decode them.
void addPassesAfterFolding(mlir::OpPassManager &manager,
                           const CompileModelOptions &options);

} // namespace invar

#endif // INVAR_LIB_PIPELINES_COMPILEPASSES_H
