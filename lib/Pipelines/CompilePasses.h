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
void addLinalgPasses(mlir::OpPassManager &manager);

/// From loops over tensors to a function that calls kernels. What pays is judged for
/// `target`.
void addKernelPasses(mlir::OpPassManager &manager,
                     const CompileModelOptions &options,
                     const CpuTarget &target);

/// What folding leaves over goes, and its results join the store.
void addCleaningPasses(mlir::OpPassManager &manager);

} // namespace invar

#endif // INVAR_LIB_PIPELINES_COMPILEPASSES_H
