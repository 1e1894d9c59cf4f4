// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps the options of onnxsim and OnnxSlim to Invar (Compatibility.td).
#ifndef INVAR_TOOLS_INVAR_COMPATIBILITY_H
#define INVAR_TOOLS_INVAR_COMPATIBILITY_H

#include "CheckOutputs.h"
#include "invar/Pipelines/Optimize.h"
#include "llvm/Option/ArgList.h"

namespace invar {

/// Applies these options to `options` and `check`. Adds a line for the user to `notes`
/// if Invar does less than the other tool.
llvm::Error readCompatibility(const llvm::opt::InputArgList &arguments,
                              OptimizeOptions &options, CheckRequest &check,
                              std::vector<std::string> &notes);

} // namespace invar

#endif // INVAR_TOOLS_INVAR_COMPATIBILITY_H
