// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/Pool.h"

#include "invar/Stop/Scope.h"

#include <cmath>
#include <vector>

using namespace invar::kernels;

namespace {
/// Moves a window over a plane and visits the elements under it.
class Walk {
public:
  explicit Walk(Window window)
      : window(window), place(window.size()), tap(window.size()),
        taps(window.size()) {}

  /// Calls `body(output)` with the number of each place, after moving the window there.
  template <typename Body> void forEachPlace(Body body) {
    int64_t count = countOver(window, &WindowAxis::output);
    std::fill(place.begin(), place.end(), 0);
    invar::StopPoll poll(64);
    for (int64_t output = 0; output < count && !poll.isDue(); ++output) {
      for (size_t axis = 0; axis < window.size(); ++axis)
        taps[axis] = window[axis].getTaps(place[axis]);
      body(output);
      for (size_t axis = window.size(); axis-- > 0;) {
        if (++place[axis] < window[axis].output)
          break;
        place[axis] = 0;
      }
    }
  }

  /// Calls `body(offset)` with the position of each tap in the image, in order.
  template <typename Body> void forEachTap(Body body) {
    if (window.empty())
      return body(0);
    for (size_t axis = 0; axis < window.size(); ++axis) {
      if (taps[axis].count() == 0)
        return;
      tap[axis] = taps[axis].from;
    }
    const WindowAxis &last = window.back();
    while (true) {
      int64_t line = 0;
      for (size_t axis = 0; axis + 1 < window.size(); ++axis)
        line = line * window[axis].image + locate(axis);
      int64_t at = line * last.image + locate(window.size() - 1);
      for (int64_t i = 0; i < taps.back().count(); ++i, at += last.dilation)
        body(at);
      size_t axis = window.size() - 1;
      while (axis > 0 && ++tap[axis - 1] == taps[axis - 1].to) {
        --axis;
        tap[axis] = taps[axis].from;
      }
      if (axis == 0)
        return;
    }
  }

  /// The number of taps in the image, and in the image and its padding.
  int64_t countTaps() const {
    int64_t count = 1;
    for (const WindowAxis::Taps &own : taps)
      count *= own.count();
    return count;
  }
  int64_t countPaddedTaps() const {
    int64_t count = 1;
    for (size_t axis = 0; axis < window.size(); ++axis)
      count *= window[axis].getPaddedTaps(place[axis]).count();
    return count;
  }

private:
  int64_t locate(size_t axis) const {
    return window[axis].locate(place[axis], tap[axis]);
  }

  Window window;
  std::vector<int64_t> place, tap;
  std::vector<WindowAxis::Taps> taps;
};

/// The sizes of a plane of x and of the result.
struct Planes {
  explicit Planes(Window window)
      : image(countOver(window, &WindowAxis::image)),
        output(countOver(window, &WindowAxis::output)) {}
  int64_t image, output;
};
} // namespace

/// Whether a replaces b as the greatest element; NaN is greater than all numbers.
template <typename T> static bool isGreater(T a, T b) {
  return a > b || (a != a && b == b);
}

template <typename T>
void invar::kernels::averagePool(Window window, bool countPadding, const T *x,
                                 int64_t from, int64_t to, T *y) {
  Planes planes(window);
  Walk walk(window);
  for (int64_t plane = from; plane < to; ++plane)
    walk.forEachPlace([&](int64_t output) {
      T sum = 0;
      walk.forEachTap([&](int64_t at) { sum += x[plane * planes.image + at]; });
      y[plane * planes.output + output] =
          sum / T(countPadding ? walk.countPaddedTaps() : walk.countTaps());
    });
}

template <typename T>
void invar::kernels::normPool(Window window, int64_t p, const T *x,
                              int64_t from, int64_t to, T *y) {
  Planes planes(window);
  Walk walk(window);
  for (int64_t plane = from; plane < to; ++plane)
    walk.forEachPlace([&](int64_t output) {
      T sum = 0;
      walk.forEachTap([&](int64_t at) {
        T size = std::abs(x[plane * planes.image + at]);
        sum += p == 1 ? size : p == 2 ? size * size : std::pow(size, T(p));
      });
      y[plane * planes.output + output] = p == 1   ? sum
                                          : p == 2 ? std::sqrt(sum)
                                                   : std::pow(sum, 1 / T(p));
    });
}

template <typename T>
void invar::kernels::maxPool(Window window, const T *x, int64_t from,
                             int64_t to, T *y) {
  Planes planes(window);
  Walk walk(window);
  for (int64_t plane = from; plane < to; ++plane)
    walk.forEachPlace([&](int64_t output) {
      T best = -INFINITY;
      walk.forEachTap([&](int64_t at) {
        T element = x[plane * planes.image + at];
        if (isGreater(element, best))
          best = element;
      });
      y[plane * planes.output + output] = best;
    });
}

template <typename T>
void invar::kernels::locateMax(Window window, bool byColumns, const T *x,
                               int64_t from, int64_t to, int64_t *places) {
  Planes planes(window);
  Walk walk(window);
  // Converts an index to the order in which the first axis varies fastest.
  auto toColumns = [&](int64_t at) {
    int64_t place = 0;
    for (size_t axis = window.size(); axis-- > 0; at /= window[axis].image) {
      int64_t stride = 1;
      for (size_t before = 0; before < axis; ++before)
        stride *= window[before].image;
      place += at % window[axis].image * stride;
    }
    return place;
  };
  for (int64_t plane = from; plane < to; ++plane)
    walk.forEachPlace([&](int64_t output) {
      int64_t best = -1;
      const T *image = x + plane * planes.image;
      walk.forEachTap([&](int64_t at) {
        if (best < 0 || isGreater(image[at], image[best]))
          best = at;
      });
      places[plane * planes.output + output] =
          best < 0
              ? -1
              : plane * planes.image + (byColumns ? toColumns(best) : best);
    });
}

#define INVAR_POOL(T)                                                          \
  template void invar::kernels::averagePool(Window, bool, const T *, int64_t,  \
                                            int64_t, T *);                     \
  template void invar::kernels::normPool(Window, int64_t, const T *, int64_t,  \
                                         int64_t, T *);                        \
  template void invar::kernels::maxPool(Window, const T *, int64_t, int64_t,   \
                                        T *);                                  \
  template void invar::kernels::locateMax(Window, bool, const T *, int64_t,    \
                                          int64_t, int64_t *);
INVAR_POOL(float)
INVAR_POOL(double)
