// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators along the lines of one axis: cumulative sums and products, and the best
// elements.
#include "invar/Kernels/Lines.h"
#include "runtime/Calls/Calls.h"
#include "runtime/Calls/Indices.h"
#include "runtime/Calls/Numbers.h"

#include <algorithm>

using namespace invar;
using namespace invar::runtime;

/// Calls `visit` with a zero of a type in which the tensor's numbers are compared
/// exactly. Fails if they are not numbers.
template <typename Visit>
static Status visitComparable(CallContext &call, const Tensor &tensor,
                              Visit visit) {
  Status status;
  bool areNumbers =
      kernels::visitNumberType(tensor.getType(), [&]<typename Number>(Number) {
        if constexpr (Number::isFloat)
          status =
              Number::type == INVAR_FLOAT64 ? visit(double()) : visit(float());
        else if constexpr (std::is_signed_v<typename Number::Lane>)
          status = visit(int64_t());
        else
          status = visit(uint64_t());
      });
  return areNumbers ? std::move(status) : expectNumbers(call, tensor);
}

/// The lines of the first operand along the axis that operand `i` gives.
static Status readLines(CallContext &call, size_t i, int64_t &axis,
                        kernels::LineView &view) {
  const Tensor &x = call.getTensor(0);
  if (Status status = call.readInteger(i, axis))
    return status;
  if (Status status = call.normalizeAxis(axis, x.rank))
    return status;
  view = AxisView(x.getSizes(), size_t(axis));
  return Status::success();
}

// CumSum, CumProd

template <typename Combine>
static Status accumulate(CallContext &call, Combine combine) {
  const Tensor &x = call.getTensor(0);
  int64_t axis = 0;
  kernels::LineView view;
  if (Status status = readLines(call, 1, axis, view))
    return status;
  return visitComparable(call, x, [&]<typename T>(T) -> Status {
    std::span<const T> from;
    if (Status status = readNumbers(call, 0, from))
      return status;
    NumberResult<T> to;
    if (Status status = to.allocate(call, 0, x.getType(), x.getSizes()))
      return status;
    if (x.getCount() == 0)
      return Status::success();
    kernels::Cumulation order{call.getInt("exclusive") != 0,
                              call.getInt("reverse") != 0};
    if (Status status = call.parallelFor(
            view.count(), std::max<int64_t>(1, 16384 / view.size),
            [&](int64_t first, int64_t last) {
              kernels::accumulateLines(view, order, combine, from.data(),
                                       to.data(), first, last);
            }))
      return status;
    return to.finish(call);
  });
}

Status runtime::callCumSum(CallContext &call) {
  return accumulate(call, kernels::Sum());
}
Status runtime::callCumProd(CallContext &call) {
  return accumulate(call, kernels::Product());
}

// TopK

Status runtime::callTopK(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  int64_t k = 0, axis = 0;
  kernels::LineView view;
  if (Status status = call.readInteger(1, k))
    return status;
  if (Status status = readLines(call, 2, axis, view))
    return status;
  if (k < 0 || k > view.size)
    return call.fail("expected 'K' to be from 0 to ", view.size, ", but got ",
                     k);
  bool isGreatest = call.getInt("largest") != 0;
  std::vector<int64_t> sizes = copySizes(x);
  sizes[size_t(axis)] = k;
  Tensor *values = nullptr, *indices = nullptr;
  if (Status status =
          call.allocate(call.findResult(0), x.getType(), sizes, values))
    return status;
  if (Status status =
          call.allocate(call.findResult(1), INVAR_INT64, sizes, indices))
    return status;
  if (values->getCount() == 0)
    return Status::success();
  auto *places = indices->getData<int64_t>();
  int64_t grain = std::max<int64_t>(1, 4096 / view.size);
  if (Status status = visitComparable(call, x, [&]<typename T>(T) -> Status {
        std::span<const T> numbers;
        if (Status status = readNumbers(call, 0, numbers))
          return status;
        return call.parallelFor(
            view.count(), grain, [&](int64_t first, int64_t last) {
              kernels::findBestOfLines(view, k, isGreatest, numbers.data(),
                                       first, last, places);
            });
      }))
    return status;
  // The values are copied as they are: computing may have been in another type.
  Slices elements{{}, 1};
  if (Status status = call.getScratch(values->getCount(), elements.rows))
    return status;
  if (Status status = call.parallelFor(
          view.count(), grain, [&](int64_t first, int64_t last) {
            for (int64_t line = first; line < last; ++line)
              for (int64_t i = 0, at = view.begin(line, k); i < k;
                   ++i, at += view.inner)
                elements.rows[size_t(at)] =
                    view.begin(line) + places[at] * view.inner;
          }))
    return status;
  return pickSlices(call, x, elements, *values);
}
