// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes over the ONNX dialect. Passes.td describes each of them.
#ifndef INVAR_SIMPLIFY_PASSES_H
#define INVAR_SIMPLIFY_PASSES_H

#include "invar/Dialect/ONNX/ONNXDialect.h"
#include "invar/Simplify/Simplify.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace invar {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "invar/Simplify/Passes.h.inc"

/// The pass that simplifies with these facts and options, and stores its result. All three
/// must outlive the pass. It has the name of `invar-simplify`, or of `invar-prepare` if the
/// options are for a lowering.
std::unique_ptr<mlir::Pass> createSimplifyPass(const onnx::ShapeFacts &facts,
                                               const SimplifyOptions &options,
                                               SimplifyResult &result);

} // namespace invar

#endif // INVAR_SIMPLIFY_PASSES_H
