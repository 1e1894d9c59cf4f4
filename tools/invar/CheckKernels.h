// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `invar compile --check-kernels` does before it writes a library: the model is
// compiled so that each run compares every kernel with its meaning, and run.
#ifndef INVAR_TOOLS_INVAR_CHECKKERNELS_H
#define INVAR_TOOLS_INVAR_CHECKKERNELS_H

#include "invar/Pipelines/Compile.h"

namespace invar {

/// How many kernels there are, and how many of them some run has reached.
struct CheckedKernels {
  size_t count = 0, checked = 0;
};

/// Compiles and runs the model at `input`, several times on random inputs; an error names
/// the kernel that differs from its meaning.
llvm::Expected<CheckedKernels> checkKernels(llvm::StringRef input,
                                            CompileModelOptions options);

} // namespace invar

#endif // INVAR_TOOLS_INVAR_CHECKKERNELS_H
