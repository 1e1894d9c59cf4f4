// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise operators on types that no loop of a program supports, strings and
// complex numbers, and on tensors of unknown rank.
#include "Broadcast.h"

#include "Calls.h"
#include "Numbers.h"

#include <algorithm>
#include <string>

using namespace invar;
using namespace invar::runtime;

bool runtime::broadcastTo(std::vector<int64_t> &sizes, Sizes others) {
  if (sizes.size() < others.size())
    sizes.insert(sizes.begin(), others.size() - sizes.size(), 1);
  for (size_t i = 0; i < others.size(); ++i) {
    int64_t &size = sizes[sizes.size() - others.size() + i];
    if (size == 1)
      size = others[i];
    else if (others[i] != 1 && others[i] != size)
      return false;
  }
  return true;
}

std::vector<int64_t> runtime::stridesIn(Sizes sizes, const Tensor &tensor) {
  Strides own(tensor.getSizes());
  std::vector<int64_t> strides(sizes.size());
  size_t added = sizes.size() - tensor.rank;
  for (size_t i = 0; i < tensor.rank; ++i)
    strides[added + i] = tensor.getSize(i) == 1 ? 0 : own[i];
  return strides;
}

/// Compares the elements of two operands as T, which represents them exactly.
template <typename T>
static Status compareNumbers(CallContext &call, const Broadcast<2> &pairs,
                             bool *isEqual) {
  std::span<const T> x, y;
  if (Status status = readNumbers(call, 0, x))
    return status;
  if (Status status = readNumbers(call, 1, y))
    return status;
  pairs.visit([&](int64_t i, const std::array<int64_t, 2> &from) {
    isEqual[i] = x[size_t(from[0])] == y[size_t(from[1])];
  });
  return Status::success();
}

Status runtime::callEqual(CallContext &call) {
  const Tensor &x = call.getTensor(0), &y = call.getTensor(1);
  if (Status status = call.expectType(1, x.getType()))
    return status;
  Broadcast<2> pairs;
  if (Status status = pairs.read(call))
    return status;
  Tensor *result = nullptr;
  if (Status status = call.allocate(0, INVAR_BOOL, pairs.getSizes(), result))
    return status;
  bool *isEqual = result->getData<bool>();
  switch (x.getType()) {
  case INVAR_STRING:
    pairs.visit([&](int64_t i, const std::array<int64_t, 2> &from) {
      isEqual[i] = x.getString(from[0]) == y.getString(from[1]);
    });
    return Status::success();
  case INVAR_INT64:
    return compareNumbers<int64_t>(call, pairs, isEqual);
  case INVAR_UINT64:
    return compareNumbers<uint64_t>(call, pairs, isEqual);
  default:
    return compareNumbers<double>(call, pairs, isEqual);
  }
}

/// Copies a tensor, broadcast to `sizes`, to a result with that number of elements.
static Status expand(CallContext &call, const Tensor &x, Sizes sizes,
                     Tensor &result) {
  std::vector<int64_t> from = stridesIn(sizes, x);
  Strides to(sizes);
  BoxCopy copy(x, 0, result, 0);
  for (size_t i = 0; i < sizes.size(); ++i)
    copy.addAxis(sizes[i], from[i], to[i]);
  return copy.run(call);
}

Status runtime::callBroadcast(CallContext &call) {
  size_t count = call.getNumOperands();
  if (call.getNumResults() != count + 1)
    return call.fail("expected a result for each operand, and their sizes");
  std::vector<int64_t> sizes;
  for (size_t i = 0; i < count; ++i)
    if (!broadcastTo(sizes, call.getTensor(i).getSizes()))
      return call.fail("expected tensors that broadcast, but got ",
                       describe(&call.getTensor(0)), " and ",
                       describe(&call.getTensor(i)));
  std::optional<int64_t> length = countElements(sizes.data(), sizes.size());
  if (!length)
    return explainNoTensor(call.getTensor(0).getType(), sizes);
  for (size_t i = 0; i < count; ++i) {
    const Tensor &x = call.getTensor(i);
    Tensor *list = nullptr;
    if (Status status = call.allocate(i, x.getType(), {*length}, list))
      return status;
    if (Status status = expand(call, x, sizes, *list))
      return status;
  }
  Tensor *list = nullptr;
  if (Status status =
          call.allocate(count, INVAR_INT64, {int64_t(sizes.size())}, list))
    return status;
  std::copy(sizes.begin(), sizes.end(), list->getData<int64_t>());
  return Status::success();
}
