// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Indices.h"

#include "../IndexCheck.h"
#include "Numbers.h"

#include <algorithm>
#include <cstring>

using namespace invar;
using namespace invar::runtime;

/// Makes an index count from the front; returns false if it is out of range.
static bool countFromFront(int64_t &index, int64_t size) {
  index += index < 0 ? size : 0;
  return index >= 0 && index < size;
}

Status runtime::readIndices(CallContext &call, size_t operand, int64_t size,
                            std::span<int64_t> &places, bool fromBack) {
  std::span<const int64_t> indices;
  if (Status status = readNumbers(call, operand, indices))
    return status;
  if (Status status = call.getScratch(int64_t(indices.size()), places))
    return status;
  for (size_t i = 0; i < indices.size(); ++i) {
    places[i] = indices[i];
    if (!countFromFront(places[i], size) || (indices[i] < 0 && !fromBack))
      return explainIndex("index", indices[i], size, fromBack);
  }
  return Status::success();
}

Status runtime::locateElements(CallContext &call, size_t operand, Sizes sizes,
                               size_t axis, Slices &elements) {
  if (Status status = call.expectRank(operand, sizes.size()))
    return status;
  Sizes own = call.getTensor(operand).getSizes();
  for (size_t i = 0; i < own.size(); ++i)
    if (i != axis && own[i] > sizes[i])
      return call.fail("expected indices of size ", sizes[i],
                       " at most along axis ", i, ", but got ", own[i]);
  elements.length = 1;
  if (Status status = readIndices(call, operand, sizes[axis], elements.rows))
    return status;
  // `at` is the element at the current index, with 0 in place of the index on `axis`.
  Strides strides(sizes);
  int64_t index[maxRank] = {}, at = 0;
  for (int64_t &place : elements.rows) {
    place = at + place * strides[axis];
    for (size_t i = own.size(); i-- > 0;) {
      int64_t stride = i == axis ? 0 : strides[i];
      at += stride;
      if (++index[i] < own[i])
        break;
      at -= stride * index[i];
      index[i] = 0;
    }
  }
  return Status::success();
}

Status runtime::locateSlices(CallContext &call, size_t operand, Sizes sizes,
                             int64_t batchAxes, Slices &slices) {
  const Tensor &tuples = call.getTensor(operand);
  auto rank = int64_t(sizes.size());
  int64_t axes = tuples.rank ? tuples.getSizes().back() : 0;
  if (!tuples.rank || batchAxes < 0 || batchAxes >= tuples.rank ||
      batchAxes > rank || axes > rank - batchAxes)
    return call.fail("expected indices of up to ", rank - batchAxes,
                     " axes behind ", batchAxes, ", but got ",
                     describe(&tuples));
  Sizes batch = sizes.first(size_t(batchAxes));
  if (!std::ranges::equal(batch, tuples.getSizes().first(size_t(batchAxes))))
    return call.fail("expected a batch of ",
                     describeTensor(tuples.getType(), batch),
                     ", but got indices of ", describe(&tuples));
  Sizes indexed = sizes.subspan(size_t(batchAxes), size_t(axes));
  slices.length = countAll(sizes.subspan(size_t(batchAxes + axes)));
  int64_t count = countAll(tuples.getSizes().first(tuples.rank - 1u));
  std::span<const int64_t> indices;
  if (Status status = readNumbers(call, operand, indices))
    return status;
  if (Status status = call.getScratch(count, slices.rows))
    return status;
  // The number of tuples for each element of the batch.
  int64_t each = count ? count / countAll(batch) : 1;
  const int64_t *tuple = indices.data();
  for (int64_t i = 0; i < count; ++i, tuple += axes) {
    int64_t row = i / each;
    for (size_t k = 0; k < indexed.size(); ++k) {
      int64_t place = tuple[k];
      if (!countFromFront(place, indexed[k]))
        return explainIndex("index", tuple[k], indexed[k],
                            /*fromBack=*/true);
      row = row * indexed[k] + place;
    }
    slices.rows[size_t(i)] = row;
  }
  return Status::success();
}

template <typename Row>
static Status copyRows(CallContext &call, const Tensor &from, int64_t length,
                       Tensor &to, Row row) {
  if (to.getCount() == 0)
    return Status::success();
  int64_t rows = to.getCount() / length;
  if (from.getType() == INVAR_STRING) {
    for (int64_t i = 0; i < rows; ++i)
      if (!copyElements(from, row(i) * length, to, i * length, length))
        return explainNoStrings();
    return Status::success();
  }
  // Bytes that are worth a thread.
  constexpr int64_t grain = 1 << 15;
  int64_t size = length * int64_t(getElementSize(from.dataType));
  return call.parallelFor(
      rows, std::max<int64_t>(1, grain / size),
      [&](int64_t first, int64_t last) {
        const char *source = from.getData<const char>();
        char *target = to.getData<char>() + first * size;
        auto copy = [&](auto bytes) {
          for (int64_t i = first; i < last; ++i, target += bytes)
            std::memcpy(target, source + row(i) * bytes, size_t(bytes));
        };
        switch (size) {
        case 4:
          return copy(std::integral_constant<int64_t, 4>());
        case 8:
          return copy(std::integral_constant<int64_t, 8>());
        default:
          return copy(size);
        }
      });
}

Status runtime::pickSlices(CallContext &call, const Tensor &from,
                           const Slices &slices, Tensor &to) {
  return copyRows(call, from, slices.length, to,
                  [&](int64_t i) { return slices.rows[size_t(i)]; });
}

Status runtime::pickAlong(CallContext &call, const Tensor &from,
                          const AxisView &view, std::span<const int64_t> places,
                          Tensor &to) {
  auto count = int64_t(places.size());
  return copyRows(call, from, view.inner, to, [&](int64_t i) {
    return i / count * view.size + places[size_t(i % count)];
  });
}
