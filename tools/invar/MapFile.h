// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps, and sequences of them, in JSON: {"0": 0.25, "1": 0.75}, or a list of such. Keys of
// JSON are strings, so those that are integers are written in decimal. Numbers that JSON
// does not have are the strings "NaN", "Infinity" and "-Infinity".
#ifndef INVAR_TOOLS_INVAR_MAPFILE_H
#define INVAR_TOOLS_INVAR_MAPFILE_H

#include "Values.h"
#include "llvm/Support/JSON.h"

namespace invar {

/// Whether a value of the type is made of maps: a map, or a sequence or optional of such.
bool isOfMaps(const InvarType *type);

llvm::json::Value toJson(const rt::Value &value);

/// The value of a type that is made of maps, in the bytes of a file. Errors have no file to
/// begin with.
llvm::Expected<rt::Value> readMaps(llvm::StringRef bytes,
                                   const InvarType *type);

/// Writes a value; the file appears whole or not at all.
llvm::Error writeMaps(llvm::StringRef path, const rt::Value &value);

} // namespace invar

#endif // INVAR_TOOLS_INVAR_MAPFILE_H
