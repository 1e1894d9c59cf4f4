// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's own options on the command line of `invar`: `--mlir-print-ir-after-all` and others.
#ifndef INVAR_TOOLS_INVAR_MLIROPTIONS_H
#define INVAR_TOOLS_INVAR_MLIROPTIONS_H

#include "invar/Pipelines/NamedPipelines.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/Error.h"

namespace invar {

/// Parses the `--mlir-…` options with MLIR's parser, and returns a function that applies them
/// to a pass manager; it is empty if there are none. Large constants are not printed, unless
/// `--mlir-elide-elementsattrs-if-larger` says otherwise. May be called once.
llvm::Expected<ConfigurePasses>
getPassConfiguration(const llvm::opt::ArgList &arguments);

} // namespace invar

#endif // INVAR_TOOLS_INVAR_MLIROPTIONS_H
