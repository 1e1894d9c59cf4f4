// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles Ctrl-C. The first one stops the current work (Stop/Stop.h), so that the
// program cleans up. If that takes longer than a short time, the program only removes
// its temporary files and exits. A second Ctrl-C kills it at once.
#ifndef INVAR_TOOLS_INVAR_INTERRUPT_H
#define INVAR_TOOLS_INVAR_INTERRUPT_H

#include "invar-c/Session.h"

namespace invar::interrupt {

/// Installs the handler; called once, by main().
void install();
/// The token that Ctrl-C triggers.
InvarCancel *getToken();
/// Exits with the code that a shell expects after Ctrl-C.
[[noreturn]] void end();
/// Options of a run that Ctrl-C stops.
InvarRunOptions getRunOptions();

} // namespace invar::interrupt

#endif // INVAR_TOOLS_INVAR_INTERRUPT_H
