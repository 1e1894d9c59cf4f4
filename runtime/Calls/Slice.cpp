// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators that take parts of tensors, by position or by a condition.
#include "BoxCopy.h"
#include "Calls.h"
#include "Indices.h"
#include "Numbers.h"

#include <algorithm>

using namespace invar;
using namespace invar::runtime;

// Slice

namespace {
/// The part of an axis that is taken.
struct Part {
  int64_t start = 0, step = 1, size;
};
} // namespace

/// A position on an axis; a negative one counts from the end. Clamped to [0, most].
static int64_t limit(int64_t place, int64_t size, int64_t most) {
  return place < 0 ? std::max<int64_t>(place + size, 0) : std::min(place, most);
}

static Part cut(int64_t size, int64_t start, int64_t end, int64_t step) {
  // A backward step is a forward step on the mirrored axis, where position p is -1 - p.
  bool isBackwards = step < 0;
  if (isBackwards) {
    // The largest numbers mean the end, in either direction.
    bool isToEnd = end == INT32_MAX || end == INT64_MAX;
    start = -1 - start;
    end = isToEnd ? INT64_MAX : -1 - end;
  }
  // For backward steps, the first position must exist.
  int64_t first =
      limit(start, size, isBackwards ? std::max<int64_t>(size - 1, 0) : size);
  int64_t length = std::max<int64_t>(limit(end, size, size) - first, 0);
  // No step needs to be longer than the axis.
  int64_t stride =
      std::min<uint64_t>(isBackwards ? 0 - uint64_t(step) : uint64_t(step),
                         uint64_t(INT32_MAX) << 16);
  return {isBackwards ? size - 1 - first : first,
          isBackwards ? -stride : stride,
          length / stride + (length % stride != 0)};
}

/// Reads the parts of all axes, or of the listed ones.
static Status readParts(CallContext &call, std::vector<Part> &parts) {
  const Tensor &data = call.getTensor(0);
  for (int64_t size : data.getSizes())
    parts.push_back({.size = size});
  std::span<const int64_t> starts, ends, axes, steps;
  if (Status status = readNumbers(call, 1, starts))
    return status;
  if (Status status = readNumbers(call, 2, ends))
    return status;
  if (call.getOperand(3))
    if (Status status = readNumbers(call, 3, axes))
      return status;
  if (call.getOperand(4))
    if (Status status = readNumbers(call, 4, steps))
      return status;
  if (starts.size() > parts.size() || ends.size() != starts.size() ||
      (call.getOperand(3) && axes.size() != starts.size()) ||
      (call.getOperand(4) && steps.size() != starts.size()))
    return call.fail("expected starts, ends, axes and steps of at most ",
                     parts.size(), " axes, but got ", starts.size(), ", ",
                     ends.size(), ", ", axes.size(), " and ", steps.size());
  std::vector<bool> isCut(parts.size());
  for (size_t i = 0; i < starts.size(); ++i) {
    int64_t axis = axes.empty() ? int64_t(i) : axes[i];
    int64_t step = steps.empty() ? 1 : steps[i];
    if (Status status = call.normalizeAxis(axis, data.rank))
      return status;
    if (step == 0)
      return call.fail("expected steps other than 0, but got 0 for axis ",
                       axis);
    if (isCut[size_t(axis)])
      return call.fail("expected different axes, but got ", axis, " twice");
    isCut[size_t(axis)] = true;
    parts[size_t(axis)] =
        cut(data.getSize(size_t(axis)), starts[i], ends[i], step);
  }
  return Status::success();
}

Status runtime::callSlice(CallContext &call) {
  const Tensor &data = call.getTensor(0);
  std::vector<Part> parts;
  if (Status status = readParts(call, parts))
    return status;
  std::vector<int64_t> sizes;
  for (const Part &part : parts)
    sizes.push_back(part.size);
  Tensor *result = nullptr;
  if (Status status = call.allocate(0, data.getType(), sizes, result))
    return status;
  if (result->getCount() == 0)
    return Status::success();
  Strides from(data.getSizes()), to(sizes);
  int64_t offset = 0;
  for (size_t axis = 0; axis < parts.size(); ++axis)
    offset += parts[axis].start * from[axis];
  BoxCopy copy(data, offset, *result, 0);
  for (size_t axis = 0; axis < parts.size(); ++axis)
    copy.addAxis(sizes[axis], parts[axis].step * from[axis], to[axis]);
  return copy.run(call);
}

// Split

Status runtime::callSplit(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  int64_t axis = call.getInt("axis", 0);
  if (Status status = call.normalizeAxis(axis, x.rank))
    return status;
  int64_t whole = x.getSize(size_t(axis));
  std::vector<int64_t> parts;
  if (call.getOperand(1)) {
    std::span<const int64_t> given;
    if (Status status = readNumbers(call, 1, given))
      return status;
    parts.assign(given.begin(), given.end());
  } else {
    auto count = call.getInt("num_outputs", int64_t(call.getNumResults()));
    if (count < 1 || count > int64_t(UINT16_MAX))
      return call.fail("expected to split into 1 to ", UINT16_MAX,
                       " parts, but got ", count);
    int64_t size = whole / count + (whole % count != 0);
    parts.assign(size_t(count), size);
    parts.back() = whole - size * (count - 1);
  }
  int64_t rest = whole;
  for (int64_t part : parts) {
    if (part < 0 || part > rest)
      return call.fail("expected parts of ", whole, " in sum, but got ", part,
                       " where ", rest, " are left");
    rest -= part;
  }
  if (rest != 0)
    return call.fail("expected parts of ", whole, " in sum, but got ",
                     whole - rest);
  std::vector<int64_t> sizes = copySizes(x);
  int64_t place = 0;
  for (size_t i = 0; i < parts.size(); place += parts[i], ++i) {
    size_t output = call.findResult(i);
    if (!call.isWanted(output))
      continue;
    sizes[size_t(axis)] = parts[i];
    Tensor *part = nullptr;
    if (Status status = call.allocate(output, x.getType(), sizes, part))
      return status;
    if (Status status = cutAlong(call, x, size_t(axis), place, *part))
      return status;
  }
  return Status::success();
}

// CenterCropPad

Status runtime::callCenterCropPad(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  std::span<const int64_t> given;
  if (Status status = readNumbers(call, 1, given))
    return status;
  auto axes = call.getInts("axes");
  size_t count = axes.empty() ? x.rank : axes.size();
  if (given.size() != count)
    return call.fail("expected sizes of ", count, " axes, but got ",
                     given.size());
  std::vector<int64_t> sizes = copySizes(x);
  for (size_t i = 0; i < count; ++i) {
    int64_t axis = axes.empty() ? int64_t(i) : axes[i];
    if (Status status = call.normalizeAxis(axis, x.rank))
      return status;
    sizes[size_t(axis)] = given[i];
  }
  Tensor *result = nullptr;
  if (Status status = call.allocate(0, x.getType(), sizes, result))
    return status;
  if (Status status = fillElements(call, *result))
    return status;
  // If the difference is odd, the extra element is after the centre.
  Strides from(x.getSizes()), to(sizes);
  int64_t fromOffset = 0, toOffset = 0;
  for (size_t axis = 0; axis < x.rank; ++axis) {
    int64_t more = sizes[axis] - x.getSize(axis);
    if (more < 0)
      fromOffset += -more / 2 * from[axis];
    else
      toOffset += more / 2 * to[axis];
  }
  BoxCopy copy(x, fromOffset, *result, toOffset);
  for (size_t axis = 0; axis < x.rank; ++axis)
    copy.addAxis(std::min(sizes[axis], x.getSize(axis)), from[axis], to[axis]);
  return copy.run(call);
}

// Trilu

Status runtime::callTrilu(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  if (x.rank < 2)
    return call.fail("expected matrices, but got ", describe(&x));
  int64_t k = 0;
  if (Status status = readNumber(call, 1, k))
    return status;
  bool isUpper = call.getInt("upper", 1) != 0;
  Tensor *result = nullptr;
  if (Status status = call.allocate(0, x.getType(), x.getSizes(), result))
    return status;
  if (Status status = fillElements(call, *result))
    return status;
  int64_t width = x.getSize(x.rank - 1u), height = x.getSize(x.rank - 2u);
  if (x.getCount() == 0)
    return Status::success();
  // Beyond the corners all or nothing is kept, so clamping changes nothing and avoids
  // overflow.
  k = std::clamp(k, -height, width);
  for (int64_t row = 0; row < x.getCount() / width; ++row) {
    // The diagonal, and the side that is kept.
    int64_t corner = row % height + k;
    int64_t first = isUpper ? std::clamp<int64_t>(corner, 0, width) : 0;
    int64_t last = isUpper ? width : std::clamp<int64_t>(corner + 1, 0, width);
    if (!copyElements(x, row * width + first, *result, row * width + first,
                      last - first))
      return explainNoStrings();
  }
  return Status::success();
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
    axis = call.getInt("axis", 0);
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
