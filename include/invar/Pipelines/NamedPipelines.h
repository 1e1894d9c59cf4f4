// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pipelines of `invar optimize` and `invar compile` under names of their own, so that
// `invar-opt` can replay them from any stage:
//
//   invar compile model.onnx --emit=onnx -o model.mlir
//   invar-opt model.mlir --invar-to-linalg --invar-to-kernels="fold-at=run"
//
// Both programs build the pipelines with the same functions (CompilePasses.h).
#ifndef INVAR_PIPELINES_NAMEDPIPELINES_H
#define INVAR_PIPELINES_NAMEDPIPELINES_H

#include "llvm/Support/LogicalResult.h"
#include <functional>

namespace mlir {
class PassManager;
} // namespace mlir

namespace invar {

/// Changes a pass manager before it runs, for example to print IR between passes. Fails
/// after it has printed why.
using ConfigurePasses = std::function<llvm::LogicalResult(mlir::PassManager &)>;

/// Registers all passes of Invar and MLIR's general ones, and the pipelines `invar-optimize`,
/// `invar-to-linalg` and `invar-to-kernels`.
void registerPasses();

} // namespace invar

#endif // INVAR_PIPELINES_NAMEDPIPELINES_H
