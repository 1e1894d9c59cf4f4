// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the loops of a kernel to LLVM's dialect. What KernelBuilder.h has written,
//
//   func.func @k(%x: memref<?xf32>, …, %s: f32, …, %from, %to, %scratch)
//   func.func @k.plan(%s: f32, …) -> (index, index, index)
//
// becomes the two functions that the runtime calls (invar-c/Abi.h), `k.run` and `k.plan`,
// and one function behind each that has every argument as a parameter of its own, because
// only parameters can be said not to alias.
#ifndef INVAR_LIB_CODEGEN_KERNELLOWERING_H
#define INVAR_LIB_CODEGEN_KERNELLOWERING_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"

namespace invar {

/// Rewrites; made once, and then used by many threads, each for modules of its own.
class KernelLowering {
public:
  /// Needs the dialects of kernels, and LLVM's, to be loaded. `hasHalves` states whether the
  /// processor converts f16.
  KernelLowering(mlir::MLIRContext *context, bool hasHalves);

  /// Lowers all functions of `module`, which are those of kernels.
  llvm::LogicalResult lower(mlir::ModuleOp module) const;

  /// Only the first step: simplifies loops and hoists what does not change in them.
  llvm::LogicalResult simplify(mlir::ModuleOp module) const;

private:
  mlir::LLVMTypeConverter types;
  mlir::FrozenRewritePatternSet folds, math, control, vectors, toLLVM;
};

/// Replaces the parameters of kernels that are buffers by pointers, and adds the functions
/// that the runtime calls.
void makeNativeInterface(mlir::ModuleOp module,
                         const mlir::LLVMTypeConverter &types);

/// Adds rewrites that compute the functions of the dialect math: in f32 by polynomials, on
/// scalars and vectors alike; else by calls of the C library.
void populateMathPatterns(mlir::RewritePatternSet &patterns);

/// Adds rewrites that convert between f16 and f32 by integer arithmetic.
void populateHalfPatterns(mlir::RewritePatternSet &patterns);

} // namespace invar

#endif // INVAR_LIB_CODEGEN_KERNELLOWERING_H
