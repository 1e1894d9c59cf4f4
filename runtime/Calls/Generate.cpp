// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "BoxCopy.h"
#include "Calls.h"
#include "Numbers.h"

#include <algorithm>
#include <cmath>

using namespace invar;
using namespace invar::runtime;

/// Writes the second of two values at each index; a negative index counts from the end.
template <typename T>
static Status setHot(CallContext &call, const AxisView &view, Tensor &result) {
  std::span<const T> indices;
  if (Status status = readNumbers(call, 0, indices))
    return status;
  const Tensor &values = call.getTensor(2);
  for (int64_t i = 0; i < int64_t(indices.size()); ++i) {
    T index = indices[size_t(i)];
    index += index < 0 ? T(view.size) : T(0);
    auto place = index >= 0 && index < T(view.size) ? int64_t(index) : -1;
    // A fractional index selects no position.
    if (place < 0 || T(place) != index)
      continue;
    int64_t outer = i / view.inner, inner = i % view.inner;
    if (!copyElements(values, 1, result,
                      (outer * view.size + place) * view.inner + inner, 1))
      return explainNoStrings();
  }
  return Status::success();
}

Status runtime::callOneHot(CallContext &call) {
  const Tensor &indices = call.getTensor(0), &values = call.getTensor(2);
  if (Status status = call.expectCount(2, 2))
    return status;
  int64_t depth = 0;
  if (Status status = readNumber(call, 1, depth))
    return status;
  int64_t axis = call.getInt("axis", -1);
  if (Status status = call.normalizeAxis(axis, indices.rank + 1))
    return status;
  std::vector<int64_t> sizes = copySizes(indices);
  sizes.insert(sizes.begin() + axis, depth);
  Tensor *result = nullptr;
  if (Status status = call.allocate(0, values.getType(), sizes, result))
    return status;
  if (Status status = fillElements(call, *result, &values))
    return status;
  AxisView view(result->getSizes(), size_t(axis));
  switch (indices.getType()) {
  case INVAR_FLOAT16:
  case INVAR_BFLOAT16:
  case INVAR_FLOAT32:
  case INVAR_FLOAT64:
    return setHot<double>(call, view, *result);
  default:
    return setHot<int64_t>(call, view, *result);
  }
}

/// Fills a result with the first number of a list, or with zeros if the list is empty.
template <typename T>
static Status fillWith(CallContext &call, InvarDataType type, Sizes sizes,
                       std::span<const T> list) {
  NumberResult<T> result;
  if (Status status = result.allocate(call, 0, type, sizes))
    return status;
  std::fill_n(result.data(), result.size(), list.empty() ? T(0) : list.front());
  return result.finish(call);
}

Status runtime::callConstantOfShape(CallContext &call) {
  std::span<const int64_t> sizes;
  if (Status status = readNumbers(call, 0, sizes))
    return status;
  InvarDataType type = call.getResultType(0).dataType;
  auto floats = call.getFloats("value");
  return floats.empty() ? fillWith(call, type, sizes, call.getInts("value"))
                        : fillWith(call, type, sizes, floats);
}

/// The number of steps of `delta` from `start` to `limit`, without `limit`.
static double countSteps(double start, double limit, double delta) {
  return std::max(std::ceil((limit - start) / delta), 0.0);
}
static int64_t countSteps(int64_t start, int64_t limit, int64_t delta) {
  if (delta > 0 ? start >= limit : start <= limit)
    return 0;
  // Unsigned differences and steps do not overflow.
  uint64_t apart = delta > 0 ? uint64_t(limit) - uint64_t(start)
                             : uint64_t(start) - uint64_t(limit);
  uint64_t step = delta > 0 ? uint64_t(delta) : -uint64_t(delta);
  return int64_t(std::min<uint64_t>((apart - 1) / step + 1, INT64_MAX));
}

template <typename T> static Status count(CallContext &call) {
  T start = 0, limit = 0, delta = 0;
  T *numbers[] = {&start, &limit, &delta};
  for (size_t i = 0; i < 3; ++i)
    if (Status status = readNumber(call, i, *numbers[i]))
      return status;
  if (delta == 0)
    return call.fail("expected steps other than 0, but got 0");
  T steps = countSteps(start, limit, delta);
  if (!(steps < T(INT64_MAX)))
    return call.fail("expected fewer than 2^63 steps, but got more");
  NumberResult<T> result;
  const int64_t sizes[] = {int64_t(steps)};
  if (Status status =
          result.allocate(call, 0, call.getTensor(0).getType(), sizes))
    return status;
  for (int64_t i = 0; i < result.size(); ++i)
    result[i] = start + delta * T(i);
  return result.finish(call);
}

Status runtime::callRange(CallContext &call) {
  InvarDataType type = call.getTensor(0).getType();
  bool isFloat = type == INVAR_FLOAT16 || type == INVAR_BFLOAT16 ||
                 type == INVAR_FLOAT32 || type == INVAR_FLOAT64;
  return isFloat ? count<double>(call) : count<int64_t>(call);
}
