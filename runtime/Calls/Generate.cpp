// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "BoxCopy.h"
#include "Calls.h"
#include "Numbers.h"

#include <algorithm>

using namespace invar;
using namespace invar::runtime;

/// Puts the second of two values where an index, counted from the end if negative, says.
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
    // Indices between two places, as floats may be, are at none.
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

/// Fills a result with the first number of a list, or with zeros where there is none.
template <typename T>
static Status fillWith(CallContext &call, InvarDataType type, Sizes sizes,
                       std::span<const T> list) {
  NumberResult<T> result;
  if (Status status = result.allocate(call, 0, type, sizes))
    return status;
  std::fill_n(result.data(), result.size(), list.empty() ? T(0) : list.front());
  result.finish(call);
  return Status::success();
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
