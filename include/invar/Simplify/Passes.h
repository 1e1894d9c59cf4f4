// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes over the ONNX dialect. Passes.td describes each of them.
#ifndef INVAR_SIMPLIFY_PASSES_H
#define INVAR_SIMPLIFY_PASSES_H

#include "invar/Dialect/ONNX/ONNXDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace invar {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "invar/Simplify/Passes.h.inc"

} // namespace invar

#endif // INVAR_SIMPLIFY_PASSES_H
