// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computations for which some processors have one instruction and others need several.
// Emitters ask for the meaning, and the facts about the processor (CpuFacts) decide.
// Invariant: the integer results are the same on all processors.
#ifndef INVAR_LIB_CODEGEN_INSTRUCTIONS_H
#define INVAR_LIB_CODEGEN_INSTRUCTIONS_H

#include "KernelBuilder.h"

namespace invar {

/// lhs * rhs + sum, of floats. Rounds once if the processor can.
mlir::Value emitMultiplyAdd(KernelBuilder &builder, mlir::Value lhs,
                            mlir::Value rhs, mlir::Value sum);

/// The 32-bit lanes of both vectors hold pairs of signed 16-bit integers. Returns the sum
/// of each pair's products, in 32 bits, with wraparound.
mlir::Value emitPairProduct(KernelBuilder &builder, mlir::Value lhs,
                            mlir::Value rhs);

} // namespace invar

#endif // INVAR_LIB_CODEGEN_INSTRUCTIONS_H
