// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/MelBands.h"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace invar::kernels;

static double toMel(double hertz) { return 2595 * std::log10(1 + hertz / 700); }
static double toHertz(double mel) {
  return 700 * (std::pow(10, mel / 2595) - 1);
}

bool MelBands::computeWeights(int64_t bins, std::span<double> weights) const {
  // The edges of all bands, as bins of the spectrum.
  double start = toMel(lowest),
         step = (toMel(highest) - start) / (double(bands) + 2);
  std::vector<int64_t> edges;
  for (int64_t i = 0; i < bands + 2; ++i) {
    double edge =
        std::floor((double(dftLength) + 1) * toHertz(double(i) * step + start) /
                   double(sampleRate));
    if (!(edge >= 0 && edge < double(bins)) ||
        (i > 0 && int64_t(edge) < edges.back()))
      return false;
    edges.push_back(int64_t(edge));
  }
  // Each band rises from its lower edge to the center and falls to the upper one.
  std::ranges::fill(weights, 0.0);
  for (int64_t band = 0; band < bands; ++band) {
    int64_t lower = edges[size_t(band)], center = edges[size_t(band) + 1],
            upper = edges[size_t(band) + 2];
    auto weightAt = [&](int64_t bin) -> double & {
      return weights[size_t(bin * bands + band)];
    };
    for (int64_t bin = lower; bin < center; ++bin)
      weightAt(bin) = double(bin - lower) / double(center - lower);
    weightAt(center) = 1;
    for (int64_t bin = center + 1; bin < upper; ++bin)
      weightAt(bin) = double(upper - bin) / double(upper - center);
  }
  return true;
}
