// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/LocalResponse.h"

#include <algorithm>
#include <cmath>

using namespace invar::kernels;

template <typename T>
void invar::kernels::normalizeLocalResponse(const LocalResponse &response,
                                            TensorRef<const T> x, int64_t from,
                                            int64_t to, T *y) {
  int64_t channels = x.size(1), places = x.countFrom(2);
  // A window never exceeds all channels on both sides.
  int64_t before = std::min((response.size - 1) / 2, channels);
  int64_t after = std::min(response.size / 2, channels);
  T scale = T(response.alpha) / T(response.size);
  for (int64_t line = from * channels; line < to * channels; ++line) {
    int64_t channel = line % channels;
    int64_t first = std::max<int64_t>(channel - before, 0);
    int64_t last = std::min(channel + after, channels - 1);
    T *out = y + line * places;
    std::fill_n(out, places, T(0));
    for (int64_t other = first; other <= last; ++other) {
      const T *in = x.data + (line + other - channel) * places;
      for (int64_t i = 0; i < places; ++i)
        out[i] += in[i] * in[i];
    }
    const T *in = x.data + line * places;
    for (int64_t i = 0; i < places; ++i)
      out[i] =
          in[i] / std::pow(T(response.bias) + scale * out[i], T(response.beta));
  }
}

template void invar::kernels::normalizeLocalResponse(const LocalResponse &,
                                                     TensorRef<const float>,
                                                     int64_t, int64_t, float *);
template void invar::kernels::normalizeLocalResponse(const LocalResponse &,
                                                     TensorRef<const double>,
                                                     int64_t, int64_t,
                                                     double *);
