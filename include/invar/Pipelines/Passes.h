// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that need the whole compiler; Passes.td describes them.
#ifndef INVAR_PIPELINES_PASSES_H
#define INVAR_PIPELINES_PASSES_H

#include "invar/Dialect/Const/Const.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace invar {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "invar/Pipelines/Passes.h.inc"

} // namespace invar

#endif // INVAR_PIPELINES_PASSES_H
