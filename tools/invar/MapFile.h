// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps and sequences of maps in JSON: {"0": 0.25, "1": 0.75}, or a list of such
// objects. Keys in JSON are strings, so integer keys are written in decimal. Numbers
// that JSON cannot represent are the strings "NaN", "Infinity" and "-Infinity".
#ifndef INVAR_TOOLS_INVAR_MAPFILE_H
#define INVAR_TOOLS_INVAR_MAPFILE_H

#include "Values.h"
#include "llvm/Support/JSON.h"

namespace invar {

/// Whether a type consists of maps: a map, or a sequence or optional of maps.
bool isOfMaps(const InvarType *type);

llvm::json::Value toJson(const rt::Value &value);

/// Reads a value of a type that consists of maps from the bytes of a file. Errors do
/// not begin with a file name.
llvm::Expected<rt::Value> readMaps(llvm::StringRef bytes,
                                   const InvarType *type);

/// Writes a value. The file appears complete or not at all.
llvm::Error writeMaps(llvm::StringRef path, const rt::Value &value);

} // namespace invar

#endif // INVAR_TOOLS_INVAR_MAPFILE_H
