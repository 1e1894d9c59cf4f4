// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inputs of `invar run` and `invar verify`: files as --input names them, and random ones.
#ifndef INVAR_TOOLS_INVAR_READINPUTS_H
#define INVAR_TOOLS_INVAR_READINPUTS_H

#include "RandomInputs.h"

namespace invar {

/// One value for each input of the session. `files` are NAME=FILE.npy, of which a sequence
/// takes several; NAME=FILE.json for one of maps; FILE.npz with members by name; or a file
/// alone where there is one input. What they leave out is drawn where there is a `random`,
/// in the sizes that files have by name, and an optional is nothing else.
llvm::Expected<std::vector<rt::Value>>
readInputs(const rt::Session &session, llvm::ArrayRef<std::string> files,
           RandomInputs *random);

} // namespace invar

#endif // INVAR_TOOLS_INVAR_READINPUTS_H
