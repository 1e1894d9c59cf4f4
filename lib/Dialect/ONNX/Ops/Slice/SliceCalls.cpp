// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements that are chosen by a condition or because they are not zero.
#include "runtime/Calls/Calls.h"
#include "runtime/Calls/Indices.h"
#include "runtime/Calls/Numbers.h"

#include <algorithm>

using namespace invar;
using namespace invar::runtime;

// NonZero

/// Calls `visit` with a test of an element by its index, `isZero(i)`. Returns false for
/// types that the operator does not support.
template <typename Visit>
static bool visitZeroTest(const Tensor &x, Visit visit) {
  // The mask ignores the sign of a zero.
  auto test = [&]<typename Bits>(Bits mask) {
    const Bits *elements = x.getData<Bits>();
    visit([=](int64_t i) { return (elements[i] & mask) == 0; });
    return true;
  };
  auto testPairs = [&]<typename Bits>(Bits mask) {
    const Bits *elements = x.getData<Bits>();
    visit([=](int64_t i) {
      return ((elements[2 * i] | elements[2 * i + 1]) & mask) == 0;
    });
    return true;
  };
  switch (x.getType()) {
  case INVAR_FLOAT16:
  case INVAR_BFLOAT16:
    return test(uint16_t(INT16_MAX));
  case INVAR_FLOAT32:
    return test(uint32_t(INT32_MAX));
  case INVAR_FLOAT64:
    return test(uint64_t(INT64_MAX));
  case INVAR_COMPLEX64:
    return testPairs(uint32_t(INT32_MAX));
  case INVAR_COMPLEX128:
    return testPairs(uint64_t(INT64_MAX));
  case INVAR_BOOL:
  case INVAR_INT8:
  case INVAR_UINT8:
    return test(uint8_t(UINT8_MAX));
  case INVAR_INT16:
  case INVAR_UINT16:
    return test(uint16_t(UINT16_MAX));
  case INVAR_INT32:
  case INVAR_UINT32:
    return test(uint32_t(UINT32_MAX));
  case INVAR_INT64:
  case INVAR_UINT64:
    return test(uint64_t(UINT64_MAX));
  case INVAR_STRING:
    visit([&x](int64_t i) { return x.getString(i).empty(); });
    return true;
  default:
    return false;
  }
}

namespace {
/// Writes the coordinates of elements: first those along the first axis for all
/// elements, then those along the next axis, and so on.
class CoordinateWriter {
public:
  CoordinateWriter(Sizes sizes, std::span<int64_t> result, int64_t count)
      : sizes(sizes), result(result), count(count) {}

  void write(int64_t index) {
    for (size_t axis = sizes.size(); axis-- > 0;) {
      result[size_t(int64_t(axis) * count + next)] = index % sizes[axis];
      index /= sizes[axis];
    }
    ++next;
  }

private:
  Sizes sizes;
  std::span<int64_t> result;
  int64_t count, next = 0;
};
} // namespace

Status runtime::callNonZero(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  Status status;
  bool hasType = visitZeroTest(x, [&](auto isZero) {
    int64_t count = 0;
    for (int64_t i = 0; i < x.getCount(); ++i)
      count += !isZero(i);
    Tensor *result = nullptr;
    // A scalar counts as a vector with one element.
    int64_t rank = std::max<int64_t>(x.rank, 1);
    status = call.allocate(0, INVAR_INT64, {rank, count}, result);
    if (status)
      return;
    static constexpr int64_t one = 1;
    CoordinateWriter writer(x.rank ? x.getSizes() : Sizes(&one, 1),
                            result->getElements<int64_t>(), count);
    for (int64_t i = 0; i < x.getCount(); ++i)
      if (!isZero(i))
        writer.write(i);
  });
  if (!hasType)
    return call.fail("expected numbers, bools or strings, but got ",
                     describe(&x));
  return status;
}

// Compress

Status runtime::callCompress(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  if (Status status = call.expectType(1, INVAR_BOOL))
    return status;
  auto condition = call.getTensor(1).getElements<const uint8_t>();
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
  condition = condition.first(
      size_t(std::min<int64_t>(int64_t(condition.size()), view.size)));
  std::span<int64_t> places;
  if (Status status = call.getScratch(int64_t(condition.size()), places))
    return status;
  size_t count = 0;
  for (size_t i = 0; i < condition.size(); ++i)
    if (condition[i])
      places[count++] = int64_t(i);
  sizes[size_t(axis)] = int64_t(count);
  Tensor *result = nullptr;
  if (Status status = call.allocate(0, x.getType(), sizes, result))
    return status;
  return pickAlong(call, x, view, places.first(count), *result);
}
