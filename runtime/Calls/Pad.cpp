// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "BoxCopy.h"
#include "Calls.h"
#include "Indices.h"
#include "Numbers.h"

#include <algorithm>

using namespace invar;
using namespace invar::runtime;

namespace {
/// The elements to add at the ends of an axis; negative to remove them.
struct Border {
  int64_t begin = 0, end = 0;

  bool isNone() const { return begin == 0 && end == 0; }
};
} // namespace

/// The maximum length of a border, so that sums of sizes never overflow.
static constexpr int64_t longest = int64_t(1) << 60;

/// Reads the borders of all axes, or of the listed ones.
static Status readBorders(CallContext &call, std::vector<Border> &borders) {
  const Tensor &x = call.getTensor(0);
  borders.resize(x.rank);
  std::span<const int64_t> pads, axes;
  if (Status status = readNumbers(call, 1, pads))
    return status;
  std::vector<int64_t> all(x.rank);
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = int64_t(i);
  axes = all;
  if (call.getOperand(3))
    if (Status status = readNumbers(call, 3, axes))
      return status;
  if (pads.size() != 2 * axes.size())
    return call.fail("expected 'pads' to have ", 2 * axes.size(),
                     " numbers, but got ", pads.size());
  for (size_t i = 0; i < axes.size(); ++i) {
    int64_t axis = axes[i];
    if (Status status = call.normalizeAxis(axis, x.rank))
      return status;
    borders[size_t(axis)] = {pads[i], pads[axes.size() + i]};
  }
  for (size_t i = 0; i < borders.size(); ++i) {
    auto [begin, end] = borders[i];
    int64_t size = x.getSize(i);
    bool isLong = size > longest || begin > longest || end > longest;
    if (isLong || begin < -size || end < -size || size + begin + end < 0)
      return call.fail("expected borders of axis ", i, " that leave 0 to ",
                       longest, " of ", size, " elements, but got ", begin,
                       " and ", end);
  }
  return Status::success();
}

/// Crops a tensor, and fills borders with one element.
static Status padWithElement(CallContext &call, const Tensor &x,
                             std::span<const Border> borders) {
  std::vector<int64_t> sizes = copySizes(x);
  for (size_t i = 0; i < sizes.size(); ++i)
    sizes[i] += borders[i].begin + borders[i].end;
  const Tensor *element = call.getOptionalTensor(2);
  if (element) {
    if (Status status = call.expectType(2, x.getType()))
      return status;
    if (Status status = call.expectCount(2, 1))
      return status;
  }
  Tensor *result = nullptr;
  if (Status status = call.allocate(0, x.getType(), sizes, result))
    return status;
  if (Status status = fillElements(call, *result, element))
    return status;
  Strides from(x.getSizes()), to(sizes);
  int64_t fromOffset = 0, toOffset = 0;
  std::vector<int64_t> common;
  for (size_t i = 0; i < sizes.size(); ++i) {
    auto [begin, end] = borders[i];
    fromOffset += std::max<int64_t>(-begin, 0) * from[i];
    toOffset += std::max<int64_t>(begin, 0) * to[i];
    common.push_back(std::max<int64_t>(
        x.getSize(i) + std::min<int64_t>(begin, 0) + std::min<int64_t>(end, 0),
        0));
  }
  BoxCopy copy(x, fromOffset, *result, toOffset);
  for (size_t i = 0; i < sizes.size(); ++i)
    copy.addAxis(common[i], from[i], to[i]);
  return copy.run(call);
}

/// Maps a position on an infinite axis to one on an axis of `size` elements.
static int64_t locate(std::string_view mode, int64_t place, int64_t size) {
  if (mode == "edge")
    return std::clamp<int64_t>(place, 0, size - 1);
  // With "reflect", the axis and its mirror image repeat; each end occurs once.
  int64_t period = mode == "wrap" ? size : std::max<int64_t>(2 * (size - 1), 1);
  int64_t turn = (place % period + period) % period;
  return mode == "wrap" ? turn : std::min(turn, period - turn);
}

/// Lists the elements of an axis that the result takes, in order.
static Status listPlaces(CallContext &call, std::string_view mode, int64_t size,
                         Border border, std::span<int64_t> &places) {
  // Cropped elements are not repeated.
  int64_t cropped = std::max<int64_t>(-border.begin, 0);
  int64_t rest = size - cropped + std::min<int64_t>(border.end, 0);
  int64_t wanted = size + border.begin + border.end;
  if (rest <= 0 && wanted > 0)
    return call.fail("expected something to fill the border with");
  if (Status status = call.getScratch(wanted, places))
    return status;
  int64_t before = std::max<int64_t>(border.begin, 0);
  for (int64_t i = 0; i < wanted; ++i)
    places[size_t(i)] = cropped + locate(mode, i - before, rest);
  return Status::success();
}

Status runtime::callPad(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  std::vector<Border> borders;
  if (Status status = readBorders(call, borders))
    return status;
  std::string_view mode = call.getString("mode", "constant");
  if (mode == "constant")
    return padWithElement(call, x, borders);
  // Process the axes that change, one by one.
  std::vector<size_t> axes;
  for (size_t i = 0; i < borders.size(); ++i)
    if (!borders[i].isNone())
      axes.push_back(i);
  if (axes.empty()) {
    call.setResult(0, const_cast<Tensor *>(&x));
    return Status::success();
  }
  const Tensor *from = &x;
  for (size_t axis : axes) {
    std::span<int64_t> places;
    if (Status status =
            listPlaces(call, mode, x.getSize(axis), borders[axis], places))
      return status;
    std::vector<int64_t> sizes = copySizes(*from);
    sizes[axis] = int64_t(places.size());
    // All but the last tensor are temporary: their result number is beyond all results.
    size_t result = axis == axes.back() ? 0 : call.getNumResults();
    Tensor *to = nullptr;
    if (Status status = call.allocate(result, x.getType(), sizes, to))
      return status;
    if (Status status = pickAlong(call, *from, AxisView(from->getSizes(), axis),
                                  places, *to))
      return status;
    from = to;
  }
  return Status::success();
}
