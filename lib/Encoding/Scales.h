// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floats that once were bytes: signed bytes times scales, as dequantized weights are.
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

/// The byte that times the scale is a float, bit for bit, if there is one.
std::optional<int8_t> unscale(float number, float scale);

/// Scales of all elements, which are floats: one for each row or column of a matrix, which
/// may lie in panels. That there are none is mostly found in the first block.
std::optional<Scales> findScales(const Elements &content,
                                 const EvalOptions &options);

} // namespace invar

#endif // INVAR_LIB_ENCODING_SCALES_H
