// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_KERNELS_MELBANDS_H
#define INVAR_KERNELS_MELBANDS_H

#include <cstdint>
#include <span>

namespace invar::kernels {

/// Bands of a spectrum that are evenly spaced in mel, as in MelWeightMatrix.
struct MelBands {
  int64_t bands, dftLength, sampleRate;
  double lowest, highest; ///< hertz

  /// Writes a row for each bin of the spectrum, with the bin's weight in each band.
  /// Returns false if the edges of the bands do not ascend within the spectrum.
  bool computeWeights(int64_t bins, std::span<double> weights) const;
};

} // namespace invar::kernels

#endif // INVAR_KERNELS_MELBANDS_H
