// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the functions of Calls.def for the files that define them.
#ifndef INVAR_RUNTIME_CALLS_CALLS_H
#define INVAR_RUNTIME_CALLS_CALLS_H

#include "../CallContext.h"

namespace invar::runtime {

#define INVAR_CALL(NAME, OPERANDS, RESULTS)                                    \
  Status call##NAME(CallContext &call);
#include "Calls.def"

} // namespace invar::runtime

#endif // INVAR_RUNTIME_CALLS_CALLS_H
