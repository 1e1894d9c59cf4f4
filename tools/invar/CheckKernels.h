// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements `invar compile --check-kernels`: before a library is written, the model is
// compiled so that every run compares each kernel with its meaning, the plain loops,
// and is then run.
#ifndef INVAR_TOOLS_INVAR_CHECKKERNELS_H
#define INVAR_TOOLS_INVAR_CHECKKERNELS_H

#include "invar/Pipelines/Compile.h"

namespace invar {

/// The number of kernels, and how many of them were reached by a run.
struct CheckedKernels {
  size_t count = 0, checked = 0;
};

/// Compiles the model at `input` and runs it several times on random inputs. An error
/// names the kernel that differs from its meaning.
llvm::Expected<CheckedKernels> checkKernels(llvm::StringRef input,
                                            CompileModelOptions options);

} // namespace invar

#endif // INVAR_TOOLS_INVAR_CHECKKERNELS_H
