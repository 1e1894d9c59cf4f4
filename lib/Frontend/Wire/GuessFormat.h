// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a file seems to be that is no model: people pass pointers, pages with an error, and
// models of other formats.
#ifndef INVAR_LIB_FRONTEND_WIRE_GUESSFORMAT_H
#define INVAR_LIB_FRONTEND_WIRE_GUESSFORMAT_H

#include "llvm/ADT/StringRef.h"

namespace invar {

/// Words for what `bytes` seem to be; empty where nothing shows that they are not meant to
/// be a model.
llvm::StringRef guessFormat(llvm::StringRef bytes);

} // namespace invar

#endif // INVAR_LIB_FRONTEND_WIRE_GUESSFORMAT_H
