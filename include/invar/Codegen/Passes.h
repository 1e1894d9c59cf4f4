// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes over kernels, described in Passes.td.
#ifndef INVAR_CODEGEN_PASSES_H
#define INVAR_CODEGEN_PASSES_H

#include "mlir/Pass/Pass.h"

namespace invar {

/// The attribute of functions that are kernels.
inline constexpr llvm::StringLiteral kernelAttribute = "invar.kernel";
/// The number of trailing arguments that a kernel writes.
inline constexpr llvm::StringLiteral resultsAttribute = "invar.results";
/// The numbers of the arguments whose memory the result may share.
inline constexpr llvm::StringLiteral inPlaceAttribute = "invar.in_place";

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "invar/Codegen/Passes.h.inc"

} // namespace invar

#endif // INVAR_CODEGEN_PASSES_H
