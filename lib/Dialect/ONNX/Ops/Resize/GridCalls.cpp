// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/GridSample.h"
#include "runtime/Calls/BoxCopy.h"
#include "runtime/Calls/Calls.h"
#include "runtime/Calls/Numbers.h"

#include <algorithm>
#include <cstring>

using namespace invar;
using namespace invar::runtime;
using kernels::GridSampling;
using kernels::Outside;

namespace {
/// The sizes of the operands: `batch` times `channels` images of `pixels`, sampled at
/// `places`.
struct Images {
  Sizes image;
  int64_t batch, channels, pixels, places;

  Images(const Tensor &x, Sizes result)
      : image(x.getSizes().subspan(2)), batch(result[0]), channels(result[1]),
        pixels(countAll(image)), places(countAll(result.subspan(2))) {}
};
} // namespace

// Nearest pixel, any type

/// Copies pixels of all channels. Results with the pixel number -1 are already zero.
template <typename Bits>
static void copyPixels(const Images &images, std::span<const int64_t> pixels,
                       const Bits *from, int64_t first, int64_t last,
                       Bits *to) {
  for (int64_t row = first; row < last; ++row) {
    const int64_t *places =
        pixels.data() + row / images.channels * images.places;
    for (int64_t i = 0; i < images.places; ++i)
      if (places[i] >= 0)
        to[row * images.places + i] = from[row * images.pixels + places[i]];
  }
}

static Status copyPixels(CallContext &call, const Images &images,
                         std::span<const int64_t> pixels, const Tensor &x,
                         Tensor &y) {
  if (Status status = fillElements(call, y))
    return status;
  int64_t rows = images.batch * images.channels;
  if (x.getType() == INVAR_STRING) {
    for (int64_t i = 0; i < y.getCount(); ++i) {
      int64_t row = i / images.places;
      int64_t pixel = pixels[size_t(row / images.channels * images.places +
                                    i % images.places)];
      if (pixel >= 0 && !copyElements(x, row * images.pixels + pixel, y, i, 1))
        return explainNoStrings();
    }
    return Status::success();
  }
  struct Pair {
    uint64_t halves[2];
  };
  auto copy = [&](auto bits) {
    using Bits = decltype(bits);
    return call.parallelFor(rows, std::max<int64_t>(1, 4096 / images.places),
                            [&](int64_t first, int64_t last) {
                              copyPixels(images, pixels,
                                         x.getData<const Bits>(), first, last,
                                         y.getData<Bits>());
                            });
  };
  switch (getElementSize(x.dataType)) {
  case 1:
    return copy(uint8_t());
  case 2:
    return copy(uint16_t());
  case 4:
    return copy(uint32_t());
  case 8:
    return copy(uint64_t());
  default:
    return copy(Pair());
  }
}

/// T is the grid's type: halfway between two pixels, the result depends on its
/// rounding.
template <typename T>
static Status takeNearest(CallContext &call, const GridSampling &sampling,
                          const Tensor &x, Sizes sizes) {
  std::span<const T> grid;
  if (Status status = readNumbers(call, 1, grid))
    return status;
  Tensor *y = nullptr;
  if (Status status = call.allocate(0, x.getType(), sizes, y))
    return status;
  Images images(x, sizes);
  std::span<int64_t> pixels;
  if (Status status = call.getScratch(images.batch * images.places, pixels))
    return status;
  auto rank = int64_t(images.image.size());
  if (Status status = call.parallelFor(
          int64_t(pixels.size()), 1024, [&](int64_t first, int64_t last) {
            for (int64_t i = first; i < last; ++i)
              pixels[size_t(i)] = kernels::findNearestPixel(
                  sampling, images.image, grid.data() + i * rank);
          }))
    return status;
  return copyPixels(call, images, pixels, x, *y);
}

// Interpolation

template <typename T>
static Status interpolate(CallContext &call, const GridSampling &sampling,
                          const Tensor &x, Sizes sizes) {
  std::span<const T> data, grid;
  if (Status status = readNumbers(call, 0, data))
    return status;
  if (Status status = readNumbers(call, 1, grid))
    return status;
  NumberResult<T> y;
  if (Status status = y.allocate(call, 0, x.getType(), sizes))
    return status;
  Images images(x, sizes);
  auto rank = int64_t(images.image.size());
  constexpr int64_t atOnce = 256;
  int64_t pieces = (images.places + atOnce - 1) / atOnce;
  if (Status status = call.parallelFor(
          images.batch * pieces, 1, [&](int64_t from, int64_t to) {
            for (int64_t i = from; i < to; ++i) {
              int64_t n = i / pieces, first = i % pieces * atOnce;
              kernels::sampleGrid<T>(
                  sampling, images.image, images.channels,
                  data.data() + n * images.channels * images.pixels,
                  grid.data() + (n * images.places + first) * rank,
                  std::min(atOnce, images.places - first), images.places,
                  y.data() + n * images.channels * images.places + first);
            }
          }))
    return status;
  return y.finish(call);
}

/// A result is a sum over 2 or 4 pixels along each axis. With many axes, that would
/// take too long.
static Status checkWork(const CallContext &call, const GridSampling &sampling,
                        Sizes sizes) {
  auto rank = int64_t(sizes.size()) - 2;
  if (rank > kernels::maxImageRank)
    return call.fail("expected images of up to ", kernels::maxImageRank,
                     " axes, but got ", rank);
  int64_t bits = rank * (sampling.isCubic ? 2 : 1);
  if (countAll(sizes) >> (40 - bits) != 0)
    return call.fail("expected a sum of less than 2^40 products, but got ",
                     countAll(sizes), " of 2^", bits, " each");
  return Status::success();
}

static GridSampling readSampling(const CallContext &call) {
  GridSampling sampling;
  sampling.alignCorners = call.getInt("align_corners") != 0;
  sampling.outside = Outside(call.getInt("outside"));
  sampling.isCubic = call.getInt("is_cubic") != 0;
  return sampling;
}

Status runtime::callGridSample(CallContext &call) {
  const Tensor &x = call.getTensor(0), &grid = call.getTensor(1);
  if (x.rank < 3 || grid.rank != x.rank || grid.getSize(0) != x.getSize(0) ||
      grid.getSizes().back() != x.rank - 2)
    return call.fail("expected positions for images of ", describe(&x),
                     ", but got ", describe(&grid));
  std::vector<int64_t> sizes = copySizes(grid);
  sizes.pop_back();
  sizes.insert(sizes.begin() + 1, x.getSize(1));
  std::optional<int64_t> count = countElements(sizes.data(), sizes.size());
  if (count == 0) {
    Tensor *empty = nullptr;
    return call.allocate(0, x.getType(), sizes, empty);
  }
  if (x.getCount() == 0)
    return call.fail("expected something to sample, but got ", describe(&x));
  GridSampling sampling = readSampling(call);
  if (call.getInt("takes_nearest"))
    return grid.getType() == INVAR_FLOAT64
               ? takeNearest<double>(call, sampling, x, sizes)
               : takeNearest<float>(call, sampling, x, sizes);
  // If the count overflows, allocating the result fails anyway.
  if (count)
    if (Status status = checkWork(call, sampling, sizes))
      return status;
  switch (x.getType()) {
  case INVAR_FLOAT16:
  case INVAR_BFLOAT16:
  case INVAR_FLOAT32:
    return interpolate<float>(call, sampling, x, sizes);
  default:
    return interpolate<double>(call, sampling, x, sizes);
  }
}
