// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "StridedCopy.h"

#include "invar/Elements/Lanes.h"
#include <algorithm>
#include <cassert>
#include <cstring>

using namespace invar;

void invar::forEachRun(
    const Layout &runs, int64_t begin, int64_t n,
    llvm::function_ref<void(int64_t first, int64_t stride, int64_t length)>
        run) {
  llvm::ArrayRef<int64_t> shape = runs.getShape();
  llvm::ArrayRef<int64_t> strides = runs.getStrides();
  if (n == 0)
    return;
  if (shape.empty())
    return run(runs.getOffset(), 0, 1);

  // The index of the first element; later it is incremented like the digits of a
  // counter.
  Shape index(shape.size());
  int64_t rest = begin;
  for (size_t d = shape.size(); d-- > 0; rest /= shape[d])
    index[d] = rest % shape[d];
  int64_t number = runs.locate(begin);
  size_t inner = shape.size() - 1;
  while (true) {
    int64_t length = std::min(n, shape[inner] - index[inner]);
    run(number, strides[inner], length);
    n -= length;
    if (n == 0)
      return;
    number -= index[inner] * strides[inner];
    index[inner] = 0;
    for (size_t d = inner; d-- > 0;) {
      if (++index[d] < shape[d]) {
        number += strides[d];
        break;
      }
      number -= (shape[d] - 1) * strides[d];
      index[d] = 0;
    }
  }
}

static bool isTransposed(const Layout &runs) {
  size_t rank = runs.getShape().size();
  if (rank < 2)
    return false;
  int64_t inner = runs.getStrides()[rank - 1];
  int64_t outer = runs.getStrides()[rank - 2];
  return inner != 0 && inner != 1 && (outer == 1 || outer == -1);
}

int64_t invar::preferredCopy(const Layout &runs, size_t laneSize) {
  if (!isTransposed(runs))
    return 0;
  constexpr int64_t cacheLine = 64, fitsL2 = 1 << 19;
  int64_t size = int64_t(laneSize);
  int64_t rows = std::max<int64_t>(1, cacheLine / size);
  int64_t columns = std::min(runs.getShape().back(), fitsL2);
  return std::min(rows * columns, fitsL2 / size);
}

namespace {
/// A lane of any type of this size. It consists of bytes, so it may alias every type
/// and may be unaligned. It is still moved as one word.
template <size_t Size> struct LaneBytes {
  uint8_t bytes[Size];
};

template <typename T> const T &load(const uint8_t *source, int64_t number) {
  return reinterpret_cast<const T *>(source)[number];
}

template <typename T>
void copyRun(const uint8_t *source, int64_t first, int64_t stride,
             int64_t length, T *to) {
  if (stride == 1) {
    std::memcpy(to, source + first * int64_t(sizeof(T)),
                size_t(length) * sizeof(T));
  } else if (stride == 0) {
    std::fill_n(to, length, load<T>(source, first));
  } else {
    for (int64_t i = 0; i < length; ++i)
      to[i] = load<T>(source, first + i * stride);
  }
}

/// Copies `rows` whole rows of `columns` elements, where neighbouring rows are adjacent
/// in memory. Works in square blocks through a small staging buffer, so that each cache
/// line of both sides is used once. Without it, strides that are powers of two would
/// make the lines of a block evict each other.
template <typename T>
void copyRows(const uint8_t *source, int64_t first, int64_t rows,
              int64_t rowStride, int64_t columns, int64_t columnStride, T *to) {
  constexpr int64_t block = sizeof(T) <= 2 ? 64 : sizeof(T) <= 8 ? 32 : 16;
  T stage[block][block];
  for (int64_t row = 0; row < rows; row += block) {
    int64_t rowsHere = std::min(block, rows - row);
    for (int64_t column = 0; column < columns; column += block) {
      int64_t columnsHere = std::min(block, columns - column);
      for (int64_t c = 0; c < columnsHere; ++c)
        copyRun(source, first + row * rowStride + (column + c) * columnStride,
                rowStride, rowsHere, stage[c]);
      for (int64_t r = 0; r < rowsHere; ++r)
        for (int64_t c = 0; c < columnsHere; ++c)
          to[(row + r) * columns + column + c] = stage[c][r];
    }
  }
}

template <typename T>
void copyTyped(const Layout &runs, const uint8_t *source, int64_t begin,
               int64_t n, T *to) {
  if (!isTransposed(runs)) {
    forEachRun(runs, begin, n,
               [&](int64_t first, int64_t stride, int64_t length) {
                 copyRun(source, first, stride, length, to);
                 to += length;
               });
    return;
  }
  // Copy whole rows of one plane together, and partial rows before and after
  // separately.
  size_t rank = runs.getShape().size();
  int64_t columns = runs.getShape()[rank - 1];
  int64_t planeRows = runs.getShape()[rank - 2];
  int64_t columnStride = runs.getStrides()[rank - 1];
  int64_t rowStride = runs.getStrides()[rank - 2];
  for (int64_t at = begin, end = begin + n; at < end;) {
    int64_t column = at % columns;
    int64_t first = runs.locate(at);
    int64_t length = std::min(columns - column, end - at);
    if (length < columns) {
      copyRun(source, first, columnStride, length, to);
    } else {
      int64_t rows =
          std::min((end - at) / columns, planeRows - at / columns % planeRows);
      copyRows(source, first, rows, rowStride, columns, columnStride, to);
      length = rows * columns;
    }
    to += length;
    at += length;
  }
}
} // namespace

void invar::copyLanes(const Layout &runs, const uint8_t *source,
                      size_t laneSize, int64_t begin, int64_t n,
                      uint8_t *lanes) {
  auto copy = [&]<size_t Size>(std::integral_constant<size_t, Size>) {
    copyTyped(runs, source, begin, n,
              reinterpret_cast<LaneBytes<Size> *>(lanes));
  };
  switch (laneSize) {
  case 1:
    return copy(std::integral_constant<size_t, 1>());
  case 2:
    return copy(std::integral_constant<size_t, 2>());
  case 4:
    return copy(std::integral_constant<size_t, 4>());
  case 8:
    return copy(std::integral_constant<size_t, 8>());
  default:
    assert(laneSize == 16);
    return copy(std::integral_constant<size_t, 16>());
  }
}

void invar::copyPacked(const Layout &runs, const uint8_t *source, DataType type,
                       int64_t begin, int64_t n, uint8_t *lanes) {
  forEachRun(
      runs, begin, n, [&](int64_t first, int64_t stride, int64_t length) {
        if (stride == 1) {
          unpackLanes(type, source, uint64_t(first), size_t(length), lanes);
        } else if (stride == 0) {
          unpackLanes(type, source, uint64_t(first), 1, lanes);
          std::memset(lanes, lanes[0], size_t(length));
        } else {
          for (int64_t i = 0; i < length; ++i)
            unpackLanes(type, source, uint64_t(first + i * stride), 1,
                        lanes + i);
        }
        lanes += length;
      });
}
