// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "BoxCopy.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

using namespace invar::runtime;

int64_t invar::runtime::countAll(Sizes sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t(1),
                         std::multiplies<>());
}

Strides::Strides(Sizes sizes) {
  assert(sizes.size() <= maxRank);
  int64_t step = 1;
  for (size_t axis = sizes.size(); axis-- > 0;) {
    strides[axis] = step;
    step *= sizes[axis];
  }
}

void BoxCopy::addAxis(int64_t size, int64_t fromStride, int64_t toStride) {
  isEmpty |= size == 0;
  if (size == 1)
    return;
  if (numAxes) {
    Axis &outer = axes[numAxes - 1];
    if (outer.from == size * fromStride && outer.to == size * toStride) {
      outer = {outer.size * size, fromStride, toStride};
      return;
    }
  }
  assert(numAxes < std::size(axes));
  axes[numAxes++] = {size, fromStride, toStride};
}

/// Visits the positions [first, last) of the first `outer` axes, in row-major order.
/// Calls `copyRuns(from, to, axis, count)` for positions that are adjacent on the last
/// of these axes.
template <typename CopyRuns>
void BoxCopy::visit(size_t outer, int64_t first, int64_t last,
                    CopyRuns copyRuns) const {
  static constexpr Axis once = {1, 0, 0};
  const Axis &inner = outer ? axes[outer - 1] : once;
  while (first < last) {
    int64_t row = first / inner.size, place = first % inner.size;
    int64_t count = std::min(inner.size - place, last - first);
    int64_t fromIndex = fromOffset + place * inner.from;
    int64_t toIndex = toOffset + place * inner.to;
    for (size_t axis = outer ? outer - 1 : 0; axis-- > 0;) {
      int64_t index = row % axes[axis].size;
      row /= axes[axis].size;
      fromIndex += index * axes[axis].from;
      toIndex += index * axes[axis].to;
    }
    copyRuns(fromIndex, toIndex, inner, count);
    first += count;
  }
}

bool BoxCopy::copyStrings() const {
  int64_t all = 1;
  for (size_t axis = 0; axis < numAxes; ++axis)
    all *= axes[axis].size;
  bool isCopied = true;
  visit(
      numAxes, 0, all,
      [&](int64_t fromIndex, int64_t toIndex, const Axis &axis, int64_t count) {
        for (int64_t i = 0; isCopied && i < count; ++i)
          isCopied = to.setString(toIndex + i * axis.to,
                                  from.getString(fromIndex + i * axis.from));
      });
  return isCopied;
}

/// Copies `count` runs of `size` bytes. With a size known at compile time, a copy is
/// one or two moves.
static void copyRuns(const char *from, int64_t fromStride, char *to,
                     int64_t toStride, int64_t count, size_t size) {
  auto copy = [&](auto known) {
    for (int64_t i = 0; i < count; ++i)
      std::memcpy(to + i * toStride, from + i * fromStride, known);
  };
  switch (size) {
  case 1:
    return copy(std::integral_constant<size_t, 1>());
  case 2:
    return copy(std::integral_constant<size_t, 2>());
  case 4:
    return copy(std::integral_constant<size_t, 4>());
  case 8:
    return copy(std::integral_constant<size_t, 8>());
  case 16:
    return copy(std::integral_constant<size_t, 16>());
  case 32:
    return copy(std::integral_constant<size_t, 32>());
  case 64:
    return copy(std::integral_constant<size_t, 64>());
  default:
    return copy(size);
  }
}

Status BoxCopy::copyBytes(CallContext &call) const {
  // Bytes that are worth a thread.
  constexpr int64_t grain = 1 << 16;
  auto elementSize = int64_t(getElementSize(from.dataType));
  const char *source = from.getData<const char>();
  char *target = to.getData<char>();

  // Elements that are adjacent in both tensors form one run.
  size_t outer = numAxes;
  int64_t run = elementSize;
  if (outer && axes[outer - 1].from == 1 && axes[outer - 1].to == 1)
    run *= axes[--outer].size;
  int64_t runs = 1;
  for (size_t axis = 0; axis < outer; ++axis)
    runs *= axes[axis].size;
  if (runs == 1)
    return call.parallelFor(run, grain, [&](int64_t first, int64_t last) {
      std::memcpy(target + toOffset * elementSize + first,
                  source + fromOffset * elementSize + first,
                  size_t(last - first));
    });
  return call.parallelFor(runs, std::max<int64_t>(grain / run, 1),
                          [&](int64_t first, int64_t last) {
                            visit(outer, first, last,
                                  [&](int64_t fromIndex, int64_t toIndex,
                                      const Axis &axis, int64_t count) {
                                    copyRuns(source + fromIndex * elementSize,
                                             axis.from * elementSize,
                                             target + toIndex * elementSize,
                                             axis.to * elementSize, count,
                                             size_t(run));
                                  });
                          });
}

Status BoxCopy::run(CallContext &call) const {
  if (isEmpty)
    return Status::success();
  if (from.getType() == INVAR_STRING)
    return copyStrings() ? Status::success() : explainNoStrings();
  return copyBytes(call);
}

Status invar::runtime::fillElements(CallContext &call, Tensor &tensor) {
  // Strings are empty after allocation.
  if (tensor.getType() != INVAR_STRING)
    std::memset(tensor.getData(), 0, tensor.getBytes());
  return Status::success();
}

Status invar::runtime::joinAlong(CallContext &call,
                                 std::span<const Tensor *const> parts,
                                 size_t axis, Tensor &result) {
  AxisView whole(result.getSizes(), axis);
  int64_t column = 0;
  for (const Tensor *part : parts) {
    int64_t length = whole.outer ? part->getCount() / whole.outer : 0;
    BoxCopy copy(*part, 0, result, column);
    copy.addAxis(whole.outer, length, whole.size * whole.inner);
    copy.addAxis(length, 1, 1);
    if (Status status = copy.run(call))
      return status;
    column += length;
  }
  return Status::success();
}

Status invar::runtime::cutAlong(CallContext &call, const Tensor &whole,
                                size_t axis, int64_t place, Tensor &part) {
  AxisView view(whole.getSizes(), axis);
  int64_t length = view.outer ? part.getCount() / view.outer : 0;
  BoxCopy copy(whole, place * view.inner, part, 0);
  copy.addAxis(view.outer, view.size * view.inner, length);
  copy.addAxis(length, 1, 1);
  return copy.run(call);
}
