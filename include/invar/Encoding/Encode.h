// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Encodes constants in fewer bytes, without loss (invar-c/Encoding.h).
//
// A first pass over the elements finds facts that hold for all of them: they are equal,
// count upwards, have few values, or fit a narrower type. The cheapest possible
// encoding is chosen. A second pass makes codes, which are compressed. Both passes work
// in pieces, which threads share, and hold only these pieces of a constant in memory.
#ifndef INVAR_ENCODING_ENCODE_H
#define INVAR_ENCODING_ENCODE_H

#include "invar-c/Encoding.h"
#include "invar/Elements/Elements.h"

namespace invar {

struct EncodingOptions {
  EvalOptions evaluation;
  /// The minimal size of a constant that is considered, and the minimal saving, in
  /// bytes and in percent.
  uint64_t leastBytes = 1024, leastSaved = 1024, leastPercent = 10;
};

/// Returns an int8 tensor that decodes to `content`; none if encoding does not pay off.
/// Strings and complex numbers are not encoded.
llvm::Expected<std::optional<Elements>> encode(const Elements &content,
                                               const EncodingOptions &options);

} // namespace invar

#endif // INVAR_ENCODING_ENCODE_H
