// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ctrl-C. The first one stops what the program does (Stop/Stop.h), so that it cleans up
// after itself; where that takes longer than a person waits, the program removes its
// temporary files and ends without. A second one kills it at once.
#ifndef INVAR_TOOLS_INVAR_INTERRUPT_H
#define INVAR_TOOLS_INVAR_INTERRUPT_H

#include "invar-c/Session.h"

namespace invar::interrupt {

/// Takes Ctrl-C over; once, by main().
void install();
/// What it triggers.
InvarCancel *getToken();
/// Ends the program as a shell expects it of one that Ctrl-C ended.
[[noreturn]] void end();
/// Bounds of a run that it ends.
InvarRunOptions getRunOptions();

} // namespace invar::interrupt

#endif // INVAR_TOOLS_INVAR_INTERRUPT_H
