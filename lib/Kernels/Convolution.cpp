// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/Convolution.h"

#include "ConvolutionBlocks.h"
#include <vector>

using namespace invar::kernels;

namespace {
/// Gathers the elements under the window. The terms of a sum are ordered by taps, then
/// channels, so that the position of a tap is computed once for all channels.
template <typename T, int64_t Width> class Gather {
public:
  explicit Gather(const Convolution &convolution)
      : convolution(convolution), window(convolution.window),
        taps(window.size()), places(window.size() * Width) {}

  /// Packs the elements for `count` positions and some terms.
  template <typename Sum>
  void pack(const T *x, int64_t plane, int64_t first, int64_t count,
            int64_t from, int64_t terms, Sum *panel) {
    setPlaces(first, count);
    int64_t channel = from % convolution.channels;
    int64_t tap = from / convolution.channels;
    locate(tap, count);
    for (int64_t term = 0; term < terms; ++term, panel += Width) {
      const T *image = x + channel * plane;
      for (int64_t i = 0; i < count; ++i)
        panel[i] = offsets[i] < 0 ? Sum(0) : Sum(image[offsets[i]]);
      if (++channel == convolution.channels && term + 1 < terms) {
        channel = 0;
        locate(++tap, count);
      }
    }
  }

private:
  /// Computes the coordinates of some positions of the result.
  void setPlaces(int64_t first, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      int64_t rest = first + i;
      for (size_t axis = window.size(); axis-- > 0;) {
        places[axis * Width + size_t(i)] = rest % window[axis].output;
        rest /= window[axis].output;
      }
    }
  }
  /// Computes the position of a tap in the image for each place; -1 in the padding.
  void locate(int64_t tap, int64_t count) {
    for (size_t axis = window.size(); axis-- > 0;) {
      taps[axis] = tap % window[axis].kernel;
      tap /= window[axis].kernel;
    }
    std::fill_n(offsets, Width, 0);
    for (size_t axis = 0; axis < window.size(); ++axis) {
      const WindowAxis &own = window[axis];
      for (int64_t i = 0; i < count; ++i) {
        int64_t place = places[axis * Width + size_t(i)];
        int64_t at = convolution.transposed
                         ? own.locateTransposed(place, taps[axis])
                         : own.locate(place, taps[axis]);
        bool isInside = offsets[i] >= 0 && at >= 0 && at < own.image;
        offsets[i] = isInside ? offsets[i] * own.image + at : -1;
      }
    }
  }

  const Convolution &convolution;
  Window window;
  std::vector<int64_t> taps, places;
  int64_t offsets[Width];
};
} // namespace

int64_t invar::kernels::countConvolutionBlocks(const Convolution &convolution) {
  ConvolutionBlocks blocks(convolution);
  return convolution.batch * convolution.groups * blocks.rowBlocks *
         blocks.columnBlocks;
}

template <typename T, typename Result>
void invar::kernels::convolve(const Convolution &c, const T *x, const T *w,
                              const T *bias, int64_t from, int64_t to,
                              Result *y) {
  using Sum = SumType<T>;
  Gather<T, BlockProduct<Sum>::tileColumns> gather(c);
  int64_t plane = countOver(c.window, &WindowAxis::image);
  convolveBlocks(c, w, bias, from, to, y,
                 [&](const ConvolutionBlock &block, int64_t first,
                     int64_t count, int64_t from, int64_t terms, Sum *panel) {
                   const T *image = x + (block.image * c.groups + block.group) *
                                            c.channels * plane;
                   gather.pack(image, plane, block.place + first, count, from,
                               terms, panel);
                 });
}

#define INVAR_CONVOLVE(T, RESULT)                                              \
  template void invar::kernels::convolve(const Convolution &, const T *,       \
                                         const T *, const T *, int64_t,        \
                                         int64_t, RESULT *);
INVAR_CONVOLVE(float, float)
INVAR_CONVOLVE(float, double)
INVAR_CONVOLVE(double, double)
INVAR_CONVOLVE(int32_t, int32_t)
INVAR_CONVOLVE(uint32_t, uint32_t)
INVAR_CONVOLVE(int64_t, int64_t)
INVAR_CONVOLVE(uint64_t, uint64_t)
