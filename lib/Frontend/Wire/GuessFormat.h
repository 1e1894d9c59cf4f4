// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Guesses the format of a file that is not a model: users pass pointers, web pages with
// an error, and models of other formats.
#ifndef INVAR_LIB_FRONTEND_WIRE_GUESSFORMAT_H
#define INVAR_LIB_FRONTEND_WIRE_GUESSFORMAT_H

#include "llvm/ADT/StringRef.h"

namespace invar {

/// A description of the format of `bytes`; empty if nothing shows that they are not a
/// model.
llvm::StringRef guessFormat(llvm::StringRef bytes);

} // namespace invar

#endif // INVAR_LIB_FRONTEND_WIRE_GUESSFORMAT_H
