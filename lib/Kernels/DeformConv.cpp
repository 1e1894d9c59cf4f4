// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/DeformConv.h"

#include "ConvolutionBlocks.h"
#include <cmath>

using namespace invar::kernels;

namespace {
/// Up to four elements around a point and their weights.
struct Sample {
  int64_t at[4] = {0, 0, 0, 0};
  double weight[4] = {0, 0, 0, 0};
};
} // namespace

/// Interpolates between the elements around a point. Elements outside of the image have
/// no weight.
static Sample sampleAt(double y, double x, int64_t height, int64_t width,
                       double mask) {
  Sample sample;
  // Also false if an offset is NaN.
  if (!(y > -1 && y < double(height) && x > -1 && x < double(width)))
    return sample;
  double top = std::floor(y), left = std::floor(x);
  for (int corner = 0; corner < 4; ++corner) {
    bool isLower = corner / 2, isRight = corner % 2;
    int64_t row = int64_t(top) + isLower, column = int64_t(left) + isRight;
    if (row < 0 || row >= height || column < 0 || column >= width)
      continue;
    sample.at[corner] = row * width + column;
    sample.weight[corner] = (isLower ? y - top : 1 - (y - top)) *
                            (isRight ? x - left : 1 - (x - left)) * mask;
  }
  return sample;
}

template <typename T, typename Result>
void invar::kernels::convolveDeformed(const Convolution &c,
                                      const DeformedTaps<T> &deformed,
                                      const T *x, const T *w, const T *bias,
                                      int64_t from, int64_t to, Result *y) {
  using Sum = SumType<T>;
  constexpr int64_t width = BlockProduct<Sum>::tileColumns;
  const WindowAxis &down = c.window[0], &right = c.window[1];
  int64_t plane = down.image * right.image;
  int64_t places = down.output * right.output;
  int64_t taps = down.kernel * right.kernel;
  int64_t channelsPerOffset = c.groups * c.channels / deformed.offsetGroups;
  Sample samples[width];
  // All channels of an offset group share the position of a tap.
  auto locate = [&](int64_t image, int64_t offsetGroup, int64_t tap,
                    int64_t first, int64_t count) {
    int64_t entry = (image * deformed.offsetGroups + offsetGroup) * taps + tap;
    for (int64_t i = 0; i < count; ++i) {
      int64_t place = first + i;
      const T *offset = deformed.offsets + 2 * entry * places + place;
      samples[i] = sampleAt(
          double(down.locate(place / right.output, tap / right.kernel)) +
              double(offset[0]),
          double(right.locate(place % right.output, tap % right.kernel)) +
              double(offset[places]),
          down.image, right.image,
          deformed.masks ? double(deformed.masks[entry * places + place]) : 1);
    }
  };
  auto pack = [&](const ConvolutionBlock &block, int64_t first, int64_t count,
                  int64_t from, int64_t terms, Sum *panel) {
    int64_t seenTap = -1, seenGroup = -1;
    for (int64_t term = from; term < from + terms; ++term, panel += width) {
      int64_t tap = term / c.channels;
      int64_t channel = block.group * c.channels + term % c.channels;
      int64_t group = channel / channelsPerOffset;
      if (tap != seenTap || group != seenGroup)
        locate(block.image, seenGroup = group, seenTap = tap,
               block.place + first, count);
      const T *image =
          x + (block.image * c.groups * c.channels + channel) * plane;
      for (int64_t i = 0; i < count; ++i) {
        Sum sum = 0;
        for (int corner = 0; corner < 4; ++corner)
          if (samples[i].weight[corner] != 0)
            sum += Sum(image[samples[i].at[corner]]) *
                   Sum(samples[i].weight[corner]);
        panel[i] = sum;
      }
    }
  };
  convolveBlocks(c, w, bias, from, to, y, pack);
}

#define INVAR_DEFORMED(T, RESULT)                                              \
  template void invar::kernels::convolveDeformed(                              \
      const Convolution &, const DeformedTaps<T> &, const T *, const T *,      \
      const T *, int64_t, int64_t, RESULT *);
INVAR_DEFORMED(float, float)
INVAR_DEFORMED(double, double)
