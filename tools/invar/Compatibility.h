// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the options of onnxsim and OnnxSlim mean to Invar (Compatibility.td).
#ifndef INVAR_TOOLS_INVAR_COMPATIBILITY_H
#define INVAR_TOOLS_INVAR_COMPATIBILITY_H

#include "CheckOutputs.h"
#include "invar/Pipelines/Optimize.h"
#include "llvm/Option/ArgList.h"

namespace invar {

/// Adds what these options ask for to `options` and `check`; a line for the user to
/// `notes` where that is less than the other tool does.
llvm::Error readCompatibility(const llvm::opt::InputArgList &arguments,
                              OptimizeOptions &options, CheckRequest &check,
                              std::vector<std::string> &notes);

} // namespace invar

#endif // INVAR_TOOLS_INVAR_COMPATIBILITY_H
