// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inlines calls of a model's functions.
//
// Inlining runs before everything else, so that bodies are simplified together with the
// operators around them. A function binds its parameters and imports its own opsets. So
// a body is inlined only if each of its nodes has the same meaning in the calling
// graph. Otherwise the call stays, and a warning states the reason.
#ifndef INVAR_LIB_SIMPLIFY_INLINE_H
#define INVAR_LIB_SIMPLIFY_INLINE_H

#include "invar/Simplify/Simplify.h"

namespace invar {

/// Replaces calls by bodies, if the rule inline-functions is enabled.
void inlineCalls(mlir::ModuleOp module, const SimplifyOptions &options,
                 SimplifyResult &result);
/// Erases functions that no graph calls, if the rule drop-dead is enabled.
void dropUnusedFunctions(mlir::ModuleOp module, const SimplifyOptions &options,
                         SimplifyResult &result);

} // namespace invar

#endif // INVAR_LIB_SIMPLIFY_INLINE_H
