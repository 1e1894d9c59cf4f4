// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The commands of `invar`. Each gets the arguments after its name.
#ifndef INVAR_TOOLS_INVAR_COMMANDS_H
#define INVAR_TOOLS_INVAR_COMMANDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace invar {

llvm::Error runOptimize(llvm::ArrayRef<const char *> arguments);
llvm::Error runCompile(llvm::ArrayRef<const char *> arguments);
llvm::Error runRun(llvm::ArrayRef<const char *> arguments);
llvm::Error runVerify(llvm::ArrayRef<const char *> arguments);
llvm::Error runCache(llvm::ArrayRef<const char *> arguments);
llvm::Error runInspect(llvm::ArrayRef<const char *> arguments);

/// Makes text printable on one line. Names in a model may contain anything; they must
/// neither break the line nor send control sequences to the terminal.
std::string inOneLine(llvm::StringRef text);

} // namespace invar

#endif // INVAR_TOOLS_INVAR_COMMANDS_H
