// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/Unique.h"

#include "invar/Stop/Pieces.h"
#include "runtime/Calls/Calls.h"
#include "runtime/Calls/Indices.h"
#include "runtime/Calls/Numbers.h"

using namespace invar;
using namespace invar::runtime;
using kernels::Distinct;

namespace {
/// Rows of elements among which distinct ones are searched.
struct Rows {
  const Tensor &elements;
  int64_t count;
  bool isAscending;
};
} // namespace

/// For elements that are `width` numbers of type T each.
template <typename T>
static int64_t findDistinct(const Rows &rows, const T *numbers, int64_t width,
                            const Distinct &result) {
  int64_t length =
      rows.count ? rows.elements.getCount() / rows.count * width : 0;
  return kernels::findDistinct(numbers, length, rows.isAscending, result);
}

template <typename T>
static Status findDistinctNumbers(CallContext &call, const Rows &rows,
                                  const Distinct &result, int64_t &found) {
  std::span<const T> numbers;
  if (Status status = readNumbers(call, rows.elements, numbers))
    return status;
  found = findDistinct(rows, numbers.data(), 1, result);
  return Status::success();
}

static Status findDistinctStrings(CallContext &call, const Rows &rows,
                                  const Distinct &result, int64_t &found) {
  std::span<std::string_view> strings;
  if (Status status = call.getScratch(rows.elements.getCount(), strings))
    return status;
  for (size_t i = 0; i < strings.size(); ++i)
    strings[i] = rows.elements.getString(int64_t(i));
  found = findDistinct(rows, strings.data(), 1, result);
  return Status::success();
}

/// For elements of any type. Complex numbers are compared by the real part first.
static Status findDistinct(CallContext &call, const Rows &rows,
                           const Distinct &result, int64_t &found) {
  const Tensor &elements = rows.elements;
  switch (elements.getType()) {
  case INVAR_STRING:
    return findDistinctStrings(call, rows, result, found);
  case INVAR_COMPLEX64:
    found = findDistinct(rows, elements.getData<const float>(), 2, result);
    return Status::success();
  case INVAR_COMPLEX128:
    found = findDistinct(rows, elements.getData<const double>(), 2, result);
    return Status::success();
  case INVAR_FLOAT64:
    return findDistinctNumbers<double>(call, rows, result, found);
  case INVAR_INT2:
  case INVAR_INT4:
  case INVAR_INT8:
  case INVAR_INT16:
  case INVAR_INT32:
  case INVAR_INT64:
    return findDistinctNumbers<int64_t>(call, rows, result, found);
  case INVAR_BOOL:
  case INVAR_UINT2:
  case INVAR_UINT4:
  case INVAR_UINT8:
  case INVAR_UINT16:
  case INVAR_UINT32:
  case INVAR_UINT64:
    return findDistinctNumbers<uint64_t>(call, rows, result, found);
  default:
    return findDistinctNumbers<float>(call, rows, result, found);
  }
}

/// Moves an axis of the tensor to the front.
static Status moveToFront(CallContext &call, const Tensor &x, Sizes sizes,
                          size_t axis, const Tensor *&moved) {
  AxisView view(sizes, axis);
  moved = &x;
  if (view.outer == 1)
    return Status::success();
  Tensor *copied = nullptr;
  // Temporary: its number is beyond all results.
  if (Status status =
          call.allocate(call.getNumResults(), x.getType(),
                        {view.size, view.outer, view.inner}, copied))
    return status;
  BoxCopy copy(x, 0, *copied, 0);
  copy.addAxis(view.size, view.inner, view.outer * view.inner);
  copy.addAxis(view.outer, view.size * view.inner, view.inner);
  copy.addAxis(view.inner, 1, 1);
  moved = copied;
  return copy.run(call);
}

Status runtime::callUnique(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  // Without an axis, the tensor is flattened.
  std::vector<int64_t> sizes = {x.getCount()};
  int64_t axis = 0;
  if (call.findAttribute("axis") && x.rank) {
    axis = call.getInt("axis");
    if (Status status = call.normalizeAxis(axis, x.rank))
      return status;
    sizes = copySizes(x);
  }
  AxisView view(sizes, size_t(axis));
  const Tensor *rows = nullptr;
  if (Status status = moveToFront(call, x, sizes, size_t(axis), rows))
    return status;
  Distinct distinct;
  for (std::span<int64_t> *numbers : {&distinct.firsts, &distinct.counts,
                                      &distinct.inverses, &distinct.scratch})
    if (Status status = call.getScratch(view.size, *numbers))
      return status;
  int64_t found = 0;
  bool isAscending = call.getInt("sorted") != 0;
  if (Status status =
          findDistinct(call, {*rows, view.size, isAscending}, distinct, found))
    return status;
  if (Status status = call.checkStopped())
    return status;

  auto firsts = distinct.firsts.first(size_t(found));
  sizes[size_t(axis)] = found;
  Tensor *picked = nullptr;
  if (Status status =
          call.allocate(call.findResult(0), x.getType(), sizes, picked))
    return status;
  if (Status status = pickAlong(call, x, view, firsts, *picked))
    return status;
  std::span<const int64_t> others[] = {firsts, distinct.inverses,
                                       distinct.counts.first(size_t(found))};
  for (size_t i = 0; i < std::size(others); ++i) {
    Tensor *numbers = nullptr;
    if (Status status = call.allocate(call.findResult(i + 1), INVAR_INT64,
                                      {int64_t(others[i].size())}, numbers))
      return status;
    forPieces(others[i].size(), [&](size_t from, size_t to) {
      std::copy(others[i].begin() + from, others[i].begin() + to,
                numbers->getData<int64_t>() + from);
    });
  }
  return call.checkStopped();
}
