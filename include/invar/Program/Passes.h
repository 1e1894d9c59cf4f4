// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes over functions that become programs, described in Passes.td.
#ifndef INVAR_PROGRAM_PASSES_H
#define INVAR_PROGRAM_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace invar {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "invar/Program/Passes.h.inc"

} // namespace invar

#endif // INVAR_PROGRAM_PASSES_H
