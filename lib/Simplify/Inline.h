// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of a model's functions, and the functions' bodies in their place.
//
// This is done before anything else: what comes out of a body is then simplified with what
// is around it. Functions bind their parameters, and import opsets of their own, so a body
// becomes part of a graph only where each of its nodes means the same there. The rest stays
// a call, and a warning says why.
#ifndef INVAR_LIB_SIMPLIFY_INLINE_H
#define INVAR_LIB_SIMPLIFY_INLINE_H

#include "invar/Simplify/Simplify.h"

namespace invar {

/// Puts bodies in the place of calls, if the rule inline-functions is on.
void inlineCalls(mlir::ModuleOp module, const SimplifyOptions &options,
                 SimplifyResult &result);
/// Erases functions that no graph calls, if the rule drop-dead is on.
void dropUnusedFunctions(mlir::ModuleOp module, const SimplifyOptions &options,
                         SimplifyResult &result);

} // namespace invar

#endif // INVAR_LIB_SIMPLIFY_INLINE_H
