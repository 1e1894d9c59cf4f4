// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inputs of `invar run` and `invar verify`: files from --input, and random inputs.
#ifndef INVAR_TOOLS_INVAR_READINPUTS_H
#define INVAR_TOOLS_INVAR_READINPUTS_H

#include "RandomInputs.h"

namespace invar {

/// Returns one value for each input of the session. `files` are NAME=FILE.npy, several
/// for a sequence; NAME=FILE.json for an input of maps; FILE.npz with members by name;
/// or only a file if there is one input. An input without a file is empty if it has a
/// default. Otherwise it is drawn if `random` is given, with the named sizes of the
/// files. Otherwise an optional input is an empty optional.
llvm::Expected<std::vector<rt::Value>>
readInputs(const rt::Session &session, llvm::ArrayRef<std::string> files,
           RandomInputs *random);

} // namespace invar

#endif // INVAR_TOOLS_INVAR_READINPUTS_H
