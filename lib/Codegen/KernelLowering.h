// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers the loops of a kernel to LLVM's dialect. The functions that KernelBuilder.h
// writes,
//
//   func.func @k(%x: memref<?xf32>, …, %s: f32, …, %from, %to, %scratch)
//   func.func @k.plan(%s: f32, …) -> (index, index, index)
//
// become the two functions that the runtime calls (invar-c/Abi.h), `k.run` and `k.plan`.
// Each of these calls a function that has every argument as a separate parameter, because
// only parameters can be marked as not aliasing.
#ifndef INVAR_LIB_CODEGEN_KERNELLOWERING_H
#define INVAR_LIB_CODEGEN_KERNELLOWERING_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"

namespace invar {

/// Rewrite patterns, created once and then used by many threads, each on its own modules.
class KernelLowering {
public:
  /// The dialects of kernels, and LLVM's, must be loaded. `hasHalves` states whether the
  /// processor converts f16.
  KernelLowering(mlir::MLIRContext *context, bool hasHalves);

  /// Lowers all functions of `module`, which must be those of kernels.
  llvm::LogicalResult lower(mlir::ModuleOp module) const;

  /// Only the first step: simplifies loops and hoists loop-invariant code.
  llvm::LogicalResult simplify(mlir::ModuleOp module) const;

private:
  mlir::LLVMTypeConverter types;
  mlir::FrozenRewritePatternSet folds, math, control, vectors, toLLVM;
};

/// Replaces the buffer parameters of kernels by pointers, and adds the functions that the
/// runtime calls.
void makeNativeInterface(mlir::ModuleOp module,
                         const mlir::LLVMTypeConverter &types);

/// Adds rewrites that compute the functions of the dialect math: f32 by polynomials, on
/// scalars and vectors; other types by calls of the C library.
void populateMathPatterns(mlir::RewritePatternSet &patterns);

/// Adds rewrites that convert between f16 and f32 by integer arithmetic.
void populateHalfPatterns(mlir::RewritePatternSet &patterns);

} // namespace invar

#endif // INVAR_LIB_CODEGEN_KERNELLOWERING_H
