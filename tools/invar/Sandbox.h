// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Models may be untrusted. Before a command reads one, the process permanently gives up
// the rights that it does not need: it can read the model's folder, write the
// output's folder, open no socket and start no process. This limits the damage of an
// error in a reader.
//
// Landlock limits files and seccomp limits system calls; both need Linux 5.13.
// Descriptors that are already open, such as standard output, stay usable.
#ifndef INVAR_TOOLS_INVAR_SANDBOX_H
#define INVAR_TOOLS_INVAR_SANDBOX_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace invar {

/// The paths that a process may still open. A folder includes everything below it.
struct SandboxRules {
  /// A model or a library, and the files beside it.
  void addInput(llvm::StringRef path);
  /// A file that will be written at `path`, and others beside it.
  void addOutput(llvm::StringRef path);

  std::vector<std::string> readable, writable;
};

/// Confines this process permanently, with all threads that it starts from now on. With
/// --sandbox a failure is an error; with --no-sandbox nothing is done; without both,
/// confines the process if the system supports it.
llvm::Error enterSandbox(const llvm::opt::ArgList &arguments,
                         const SandboxRules &rules);

} // namespace invar

#endif // INVAR_TOOLS_INVAR_SANDBOX_H
