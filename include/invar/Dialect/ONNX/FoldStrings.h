// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Limits on the text that folding reads and creates: unlike numbers, strings are
// computed immediately.
#ifndef INVAR_DIALECT_ONNX_FOLDSTRINGS_H
#define INVAR_DIALECT_ONNX_FOLDSTRINGS_H

#include "invar/Dialect/ONNX/Folding.h"

namespace invar::onnx {

/// An operator with more strings or characters is left to run time.
inline constexpr uint64_t maxStrings = uint64_t(1) << 24;
inline constexpr uint64_t maxCharacters = uint64_t(1) << 30;

inline llvm::Error checkStrings(uint64_t strings, uint64_t characters = 0) {
  if (strings <= maxStrings && characters <= maxCharacters)
    return llvm::Error::success();
  return notFolded("it is about " + llvm::Twine(strings) + " strings of " +
                   llvm::Twine(characters) +
                   " characters, which is too much to compute");
}

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_FOLDSTRINGS_H
