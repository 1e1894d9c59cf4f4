// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_CONSTSTORE_PASSES_H
#define INVAR_CONSTSTORE_PASSES_H

#include "mlir/Pass/Pass.h"

namespace invar {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "invar/ConstStore/Passes.h.inc"
} // namespace invar

#endif // INVAR_CONSTSTORE_PASSES_H
