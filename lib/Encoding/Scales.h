// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Detects floats that are signed bytes times scales, like dequantized weights.
#ifndef INVAR_LIB_ENCODING_SCALES_H
#define INVAR_LIB_ENCODING_SCALES_H

#include "invar/Elements/Elements.h"
#include <vector>

namespace invar {

/// Element i is a byte times scale number i / block * lanes + i % lanes.
struct Scales {
  uint64_t block, lanes;
  std::vector<float> scales;

  float get(uint64_t i) const { return scales[i / block * lanes + i % lanes]; }
};

/// The byte whose product with the scale is exactly the float, if there is one.
std::optional<int8_t> unscale(float number, float scale);

/// Finds the scales of all elements, which are floats: one for each row or column of a
/// matrix, which may be packed in panels. If there are none, this is usually found in
/// the first block.
std::optional<Scales> findScales(const Elements &content,
                                 const EvalOptions &options);

} // namespace invar

#endif // INVAR_LIB_ENCODING_SCALES_H
