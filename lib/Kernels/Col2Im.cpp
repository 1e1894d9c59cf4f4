// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/Col2Im.h"

#include <type_traits>
#include <vector>

using namespace invar::kernels;

/// The position of tap number `tap` in the image for the window at place number
/// `place`; -1 in the padding.
static int64_t locate(Window window, int64_t tap, int64_t place) {
  int64_t offset = 0, stride = 1;
  for (size_t axis = window.size(); axis-- > 0;) {
    const WindowAxis &own = window[axis];
    int64_t at = own.locate(place % own.output, tap % own.kernel);
    if (at < 0 || at >= own.image)
      return -1;
    offset += at * stride;
    stride *= own.image;
    place /= own.output;
    tap /= own.kernel;
  }
  return offset;
}

template <typename T>
void invar::kernels::addBlocks(Window window, const T *columns, int64_t from,
                               int64_t to, T *images) {
  int64_t size = countOver(window, &WindowAxis::image);
  int64_t taps = countOver(window, &WindowAxis::kernel);
  int64_t places = countOver(window, &WindowAxis::output);
  std::fill(images + from * size, images + to * size, T(0));
  for (int64_t tap = 0; tap < taps; ++tap)
    for (int64_t place = 0; place < places; ++place) {
      int64_t at = locate(window, tap, place);
      if (at < 0)
        continue;
      for (int64_t image = from; image < to; ++image) {
        T &sum = images[image * size + at];
        T column = columns[(image * taps + tap) * places + place];
        if constexpr (std::is_integral_v<T>)
          sum = T(uint64_t(sum) + uint64_t(column));
        else
          sum += column;
      }
    }
}

#define INVAR_ADD_BLOCKS(T)                                                    \
  template void invar::kernels::addBlocks(Window, const T *, int64_t, int64_t, \
                                          T *);
INVAR_ADD_BLOCKS(float)
INVAR_ADD_BLOCKS(double)
INVAR_ADD_BLOCKS(int64_t)
INVAR_ADD_BLOCKS(uint64_t)
