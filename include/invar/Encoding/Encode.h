// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants in fewer bytes, without loss (invar-c/Encoding.h).
//
// One way through the elements finds what is true of all of them: that they are one, count
// upwards, have few values, or fit a narrower type. The cheapest of what is possible is taken,
// and the second way makes codes, which are compressed. Both go in pieces, which threads
// share, and hold no more of a constant than these pieces.
#ifndef INVAR_ENCODING_ENCODE_H
#define INVAR_ENCODING_ENCODE_H

#include "invar-c/Encoding.h"
#include "invar/Elements/Elements.h"

namespace invar {

struct EncodingOptions {
  EvalOptions evaluation;
  /// Bytes that a constant must have to be looked at, and that encoding it must save; and
  /// what part of them, in percent.
  uint64_t leastBytes = 1024, leastSaved = 1024, leastPercent = 10;
};

/// Bytes of int8, which decode to `content`; none where that does not pay. Strings and
/// complex numbers stay as they are.
llvm::Expected<std::optional<Elements>> encode(const Elements &content,
                                               const EncodingOptions &options);

} // namespace invar

#endif // INVAR_ENCODING_ENCODE_H
