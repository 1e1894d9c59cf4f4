// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Joins tensors along an axis.
#include "runtime/Calls/BoxCopy.h"
#include "runtime/Calls/Calls.h"

#include <algorithm>
#include <vector>

using namespace invar::runtime;

/// Whether tensors have the same type, and the same sizes except for one axis.
static bool agreeBesides(const Tensor &a, const Tensor &b, int64_t axis) {
  if (a.getType() != b.getType() || a.rank != b.rank)
    return false;
  for (size_t i = 0; i < a.rank; ++i)
    if (int64_t(i) != axis && a.getSize(i) != b.getSize(i))
      return false;
  return true;
}

Status invar::runtime::callConcat(CallContext &call) {
  // The first tensor that has elements determines the rank and the other sizes.
  const Tensor *first = &call.getTensor(0);
  for (size_t i = 0; i < call.getNumOperands() && !first->getCount(); ++i)
    if (call.getTensor(i).getCount())
      first = &call.getTensor(i);
  int64_t axis = call.getInt("axis");
  if (Status status = call.normalizeAxis(axis, first->rank))
    return status;

  std::vector<const Tensor *> parts;
  int64_t size = 0;
  for (size_t i = 0; i < call.getNumOperands(); ++i) {
    const Tensor &part = call.getTensor(i);
    // As in ConcatOp::getParts: a tensor that adds nothing may have any shape.
    if (!part.getCount() &&
        (part.rank != first->rank || !part.getSize(size_t(axis))))
      continue;
    if (!agreeBesides(part, *first, axis))
      return call.fail("expected tensors to join along axis ", axis, " with ",
                       describe(first), ", but got ", describe(&part));
    if (__builtin_add_overflow(size, part.getSize(size_t(axis)), &size))
      return call.fail("expected a size below 2^63, but got more");
    if (part.getCount())
      parts.push_back(&part);
  }
  if (parts.size() == 1) {
    call.setResult(0, const_cast<Tensor *>(first));
    return Status::success();
  }
  std::vector<int64_t> sizes(first->getSizes().begin(),
                             first->getSizes().end());
  sizes[size_t(axis)] = size;
  Tensor *result = nullptr;
  if (Status status = call.allocate(0, first->getType(), sizes, result))
    return status;
  return joinAlong(call, parts, size_t(axis), *result);
}
