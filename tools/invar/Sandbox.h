// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model may come from anybody. Before a command reads one, the process gives up what it
// does not need for the rest of its life: it can read the folder of the model, write the
// folder of the output, open no socket and start no process. A mistake in a reader then
// cannot be turned into more than that.
//
// Landlock limits files and seccomp limits system calls; both need Linux 5.13. Descriptors
// that are open already, such as standard output, stay usable.
#ifndef INVAR_TOOLS_INVAR_SANDBOX_H
#define INVAR_TOOLS_INVAR_SANDBOX_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace invar {

/// What a process may still open. Folders stand for all that is below them.
struct SandboxRules {
  /// A model, or a library, and the files that lie beside it.
  void addInput(llvm::StringRef path);
  /// A file that will appear at `path`, and others that are written beside it.
  void addOutput(llvm::StringRef path);

  std::vector<std::string> readable, writable;
};

/// Confines this process, for good, and all threads that it starts from now on; as
/// `--sandbox` and `--no-sandbox` say, or where neither is given, if the system can.
llvm::Error enterSandbox(const llvm::opt::ArgList &arguments,
                         const SandboxRules &rules);

} // namespace invar

#endif // INVAR_TOOLS_INVAR_SANDBOX_H
