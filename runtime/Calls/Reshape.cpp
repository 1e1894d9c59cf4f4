// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators that change only the shape, if the shape is known only at run time.
#include "Calls.h"
#include "Numbers.h"

#include <algorithm>

using namespace invar;
using namespace invar::runtime;

/// Makes the first operand the result, viewed with `sizes`. The counts of elements must
/// be equal.
static Status viewAs(CallContext &call, Sizes sizes) {
  auto &x = const_cast<Tensor &>(call.getTensor(0));
  if (countElements(sizes.data(), sizes.size()) != x.getCount())
    return call.fail("expected sizes for the elements of ", describe(&x),
                     ", but got ", describeTensor(x.getType(), sizes));
  Tensor *view =
      Tensor::createView(call.getArena(), &x, sizes, x.getCount(), 0);
  if (!view)
    return explainNoTensor(x.getType(), sizes);
  call.adoptResult(0, view);
  return Status::success();
}

Status runtime::callReshape(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  std::span<const int64_t> shape;
  if (Status status = readNumbers(call, 1, shape))
    return status;
  bool keepsZeros = call.getInt("allowzero", 0) != 0;
  std::vector<int64_t> sizes(shape.begin(), shape.end());
  // The product of all sizes except the unknown one.
  int64_t known = 1, *open = nullptr;
  for (size_t i = 0; i < sizes.size(); ++i) {
    int64_t &size = sizes[i];
    bool isCopied = size == 0 && !keepsZeros;
    if (isCopied && i < x.rank)
      size = x.getSize(i);
    else if (isCopied)
      return call.fail("expected an axis ", i, " to copy the size of, but got ",
                       describe(&x));
    bool isSecond = size == -1 && open;
    if (isSecond || size < -1 ||
        (size >= 0 && __builtin_mul_overflow(known, size, &known)))
      return call.fail("expected sizes, one of them -1 at most, but got ",
                       describeTensor(x.getType(), shape));
    if (size == -1)
      open = &size;
  }
  if (open && !known)
    return call.fail("expected no empty size beside -1, but got ",
                     describeTensor(x.getType(), shape));
  if (open)
    *open = x.getCount() / known;
  return viewAs(call, sizes);
}

Status runtime::callFlatten(CallContext &call) {
  Sizes sizes = call.getTensor(0).getSizes();
  int64_t axis = call.getInt("axis", 1), rank = int64_t(sizes.size());
  if (axis < -rank || axis > rank)
    return call.fail("expected an axis from ", -rank, " to ", rank,
                     ", but got ", axis);
  size_t outer = size_t(axis < 0 ? axis + rank : axis);
  auto countAll = [](Sizes part) {
    return countElements(part.data(), part.size()).value_or(0);
  };
  int64_t flat[] = {countAll(sizes.first(outer)),
                    countAll(sizes.subspan(outer))};
  return viewAs(call, flat);
}

/// Marks the axes that the second operand lists.
static Status markAxes(CallContext &call, std::vector<bool> &isListed) {
  std::span<const int64_t> axes;
  if (Status status = readNumbers(call, 1, axes))
    return status;
  for (int64_t axis : axes) {
    if (Status status = call.normalizeAxis(axis, int64_t(isListed.size())))
      return status;
    isListed[size_t(axis)] = true;
  }
  return Status::success();
}

Status runtime::callSqueeze(CallContext &call) {
  Sizes sizes = call.getTensor(0).getSizes();
  std::vector<bool> isGone(sizes.size());
  bool isListed = call.getOperand(1);
  if (isListed)
    if (Status status = markAxes(call, isGone))
      return status;
  std::vector<int64_t> rest;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (isGone[i] && sizes[i] != 1)
      return call.fail("expected a size of 1 along axis ", i, ", but got ",
                       sizes[i]);
    if (isListed ? !isGone[i] : sizes[i] != 1)
      rest.push_back(sizes[i]);
  }
  return viewAs(call, rest);
}

Status runtime::callUnsqueeze(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  int64_t added = call.getTensor(1).getCount();
  if (added > int64_t(maxRank))
    return call.fail("expected at most ", maxRank, " axes, but got ", added);
  std::vector<bool> isNew(size_t(x.rank + added));
  if (Status status = markAxes(call, isNew))
    return status;
  if (std::ranges::count(isNew, true) != added)
    return call.fail("expected axes that differ, but got one twice");
  std::vector<int64_t> sizes;
  for (size_t i = 0, next = 0; i < isNew.size(); ++i)
    sizes.push_back(isNew[i] ? 1 : x.getSize(next++));
  return viewAs(call, sizes);
}

// Sizes

/// Makes a negative axis count from the front, and clamps it to [0, rank].
static int64_t clampAxis(int64_t axis, int64_t rank) {
  return std::clamp<int64_t>(axis < 0 ? axis + rank : axis, 0, rank);
}

Status runtime::callShape(CallContext &call) {
  Sizes sizes = call.getTensor(0).getSizes();
  auto rank = int64_t(sizes.size());
  int64_t start = clampAxis(call.getInt("start", 0), rank),
          end = clampAxis(call.getInt("end", rank), rank);
  Sizes part =
      sizes.subspan(size_t(start), size_t(std::max<int64_t>(end - start, 0)));
  Tensor *result = nullptr;
  if (Status status =
          call.allocate(0, INVAR_INT64, {int64_t(part.size())}, result))
    return status;
  std::ranges::copy(part, result->getData<int64_t>());
  return Status::success();
}

Status runtime::callSize(CallContext &call) {
  Tensor *result = nullptr;
  if (Status status = call.allocate(0, INVAR_INT64, {}, result))
    return status;
  *result->getData<int64_t>() = call.getTensor(0).getCount();
  return Status::success();
}
