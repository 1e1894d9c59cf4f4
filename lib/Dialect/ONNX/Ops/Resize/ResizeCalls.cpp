// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resizes images, one axis after the other.
#include "invar/Kernels/Resample.h"
#include "runtime/Calls/Calls.h"
#include "runtime/Calls/Indices.h"
#include "runtime/Calls/Numbers.h"

#include <algorithm>
#include <cmath>
#include <utility>

using namespace invar;
using namespace invar::kernels;
using namespace invar::runtime;
using runtime::Sizes;

namespace {
/// One axis of a tensor and how it is resized.
struct AxisChange {
  size_t axis;
  ResizedAxis resized;
};
} // namespace

// Nearest element

/// Resizes one axis of a tensor. `result` is the number of a result, or beyond all
/// results for a temporary tensor. Elements outside of the input become `otherwise`.
static Status takeNearest(CallContext &call, const Tensor &x,
                          const AxisChange &change, Nearest nearest,
                          const Tensor &otherwise, size_t result,
                          Tensor *&taken) {
  std::vector<int64_t> sizes = copySizes(x);
  sizes[change.axis] = change.resized.to;
  if (Status status = call.allocate(result, x.getType(), sizes, taken))
    return status;
  if (taken->getCount() == 0)
    return Status::success();
  std::vector<int64_t> places = findNearest(change.resized, nearest), outside;
  for (size_t i = 0; i < places.size(); ++i)
    if (places[i] < 0) {
      outside.push_back(int64_t(i));
      places[i] = 0;
    }
  if (Status status = pickAlong(call, x, AxisView(x.getSizes(), change.axis),
                                places, *taken))
    return status;
  AxisView view(sizes, change.axis);
  for (int64_t place : outside) {
    BoxCopy copy(otherwise, 0, *taken, place * view.inner);
    copy.addAxis(view.outer, 0, view.size * view.inner);
    copy.addAxis(view.inner, 0, 1);
    if (Status status = copy.run(call))
      return status;
  }
  return Status::success();
}

static Status takeNearest(CallContext &call, const Tensor &x,
                          std::span<const AxisChange> changes,
                          Nearest nearest) {
  Tensor *otherwise = nullptr;
  size_t temporary = call.getNumResults();
  if (Status status = call.allocate(temporary, x.getType(), {}, otherwise))
    return status;
  // Only numbers can lie outside.
  double value = call.getFloat("outside");
  if (Status status = Cast(INVAR_FLOAT64, x.getType())
                          ? convertNumbers(call, INVAR_FLOAT64, &value,
                                           x.getType(), otherwise->getData(), 1)
                          : fillElements(call, *otherwise))
    return status;
  const Tensor *from = &x;
  for (const AxisChange &change : changes) {
    Tensor *taken = nullptr;
    if (Status status =
            takeNearest(call, *from, change, nearest, *otherwise,
                        &change == &changes.back() ? 0 : temporary, taken))
      return status;
    from = taken;
  }
  return Status::success();
}

// Weighted sums

/// Rounds to integers and clamps to the range of a type.
static Status saturate(CallContext &call, InvarDataType type,
                       const NumberResult<double> &numbers) {
  Status status;
  visitNumberType(type, [&]<typename Number>(Number) {
    if constexpr (Number::isInteger) {
      constexpr bool isSigned = std::is_signed_v<typename Number::Lane>;
      double highest = std::ldexp(1.0, int(Number::bits) - isSigned);
      double lowest = isSigned ? -highest : 0;
      // The greatest double that the type can represent.
      highest = Number::bits > 53 ? std::nextafter(highest, 0) : highest - 1;
      status = call.parallelFor(
          numbers.size(), 4096, [&](int64_t first, int64_t last) {
            for (int64_t i = first; i < last; ++i) {
              double number = std::nearbyint(numbers[i]);
              // NaN becomes the lowest number.
              numbers[i] =
                  number >= lowest ? std::min(number, highest) : lowest;
            }
          });
    }
  });
  return status;
}

template <typename T>
static Status interpolate(CallContext &call, const Tensor &x, Sizes sizes,
                          std::span<const AxisChange> changes,
                          const Filter &filter, T otherwise) {
  std::span<const T> from;
  if (Status status = readNumbers(call, x, from))
    return status;
  NumberResult<T> y;
  if (Status status = y.allocate(call, 0, x.getType(), sizes))
    return status;
  std::vector<int64_t> shape = copySizes(x);
  for (const AxisChange &change : changes) {
    shape[change.axis] = change.resized.to;
    AxisView view(shape, change.axis);
    std::span<T> to(y.data(), size_t(y.size()));
    if (&change != &changes.back())
      if (Status status =
              call.getScratch(view.outer * view.size * view.inner, to))
        return status;
    if (to.empty())
      return Status::success();
    Taps taps = findTaps(change.resized, filter);
    if (Status status = call.parallelFor(
            view.outer * view.size, std::max<int64_t>(1, 16384 / view.inner),
            [&](int64_t first, int64_t last) {
              resample<T>(from.data(), change.resized.from, view.inner, taps,
                          otherwise, first, last, to.data());
            }))
      return status;
    from = to;
  }
  // Integers are truncated, like in onnxruntime. With overshooting filters, which
  // onnxruntime does not have for integers, they are rounded and saturated.
  if constexpr (std::is_same_v<T, double>)
    if (filter.antialias || filter.interpolation == Interpolation::Cubic)
      if (Status status = saturate(call, x.getType(), y))
        return status;
  return y.finish(call);
}

static Status interpolate(CallContext &call, const Tensor &x, Sizes sizes,
                          std::span<const AxisChange> changes,
                          const Filter &filter) {
  double otherwise = call.getFloat("outside");
  switch (x.getType()) {
  case INVAR_FLOAT16:
  case INVAR_BFLOAT16:
  case INVAR_FLOAT32:
    return interpolate(call, x, sizes, changes, filter, float(otherwise));
  default:
    return interpolate(call, x, sizes, changes, filter, otherwise);
  }
}

/// Resizes the given axes. The result has `sizes`.
static Status resize(CallContext &call, Sizes sizes,
                     std::vector<AxisChange> changes) {
  const Tensor &x = call.getTensor(0);
  // The positions of an axis are stored in a table, so its size is limited.
  for (const AxisChange &change : changes) {
    auto [from, to] = std::pair(change.resized.from, change.resized.to);
    if (from == 0 && to != 0)
      return call.fail("expected something to resize to ", to, ", but axis ",
                       change.axis, " is empty");
    if (to > ResizedAxis::mostPlaces)
      return call.fail("expected an axis of up to ", ResizedAxis::mostPlaces,
                       " places, but got ", to);
  }
  if (changes.empty()) {
    call.setResult(0, call.getOperand(0));
    return Status::success();
  }
  // Shrink first, so that later axes have less to do.
  std::ranges::sort(changes, {}, [](const AxisChange &change) {
    return std::pair(change.resized.scale, change.axis);
  });
  if (call.getInt("takes_nearest"))
    return takeNearest(call, x, changes, Nearest(call.getInt("nearest")));
  return interpolate(call, x, sizes, changes,
                     {Interpolation(call.getInt("interpolation")),
                      call.getFloat("cubic_coefficient"),
                      call.getInt("antialias") != 0,
                      call.getInt("exclude_outside") != 0});
}

/// Reads the scale of each resized axis. Without scales, it follows from the sizes that
/// the caller asked for, which differ from those of the result if all axes have one
/// scale.
static Status readScales(CallContext &call, std::span<const int64_t> axes,
                         std::vector<double> &scales) {
  const Tensor &x = call.getTensor(0);
  if (axes.empty()) // A scalar has none.
    return Status::success();
  bool hasScales = call.getOperand(2);
  size_t operand = hasScales ? 2 : 4;
  if (!call.getOperand(operand))
    return call.fail("expected scales or sizes, but got neither");
  if (Status status = call.expectCount(operand, int64_t(axes.size())))
    return status;
  if (hasScales) {
    std::span<const float> numbers;
    if (Status status = readNumbers(call, operand, numbers))
      return status;
    for (float scale : numbers)
      if (!(scale > 0))
        return call.fail("expected scales greater than 0, but got ",
                         std::to_string(scale));
    scales.assign(numbers.begin(), numbers.end());
    return Status::success();
  }
  std::span<const int64_t> numbers;
  if (Status status = readNumbers(call, operand, numbers))
    return status;
  for (size_t i = 0; i < axes.size(); ++i)
    scales.push_back(getScale(x.getSize(size_t(axes[i])), numbers[i]));
  keepAspect(Aspect(call.getInt("aspect")), scales);
  return Status::success();
}

static Status readAxes(const CallContext &call,
                       std::span<const int64_t> &axes) {
  int64_t rank = call.getTensor(0).rank;
  axes = call.getInts("axes");
  for (size_t i = 0; i < axes.size(); ++i)
    if (axes[i] < 0 || axes[i] >= rank ||
        std::ranges::find(axes.first(i), axes[i]) != axes.begin() + long(i))
      return call.fail("expected different axes from 0 to ", rank - 1,
                       ", but got ", axes[i]);
  return Status::success();
}

/// Operands are a tensor, the sizes of the result, the scales of the resized axes or
/// nothing, the part to crop or nothing, and the sizes that were asked for or nothing.
Status runtime::callResize(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  std::span<const int64_t> axes, sizes;
  if (Status status = readAxes(call, axes))
    return status;
  if (Status status = call.expectCount(1, x.rank))
    return status;
  if (Status status = readNumbers(call, 1, sizes))
    return status;
  std::vector<double> scales;
  if (Status status = readScales(call, axes, scales))
    return status;
  std::span<const double> crop;
  if (call.getOperand(3)) {
    if (Status status = call.expectCount(3, 2 * int64_t(axes.size())))
      return status;
    if (Status status = readNumbers(call, 3, crop))
      return status;
  }
  auto coordinates = Coordinates(call.getInt("coordinates"));
  std::vector<int64_t> possible = copySizes(x);
  for (int64_t axis : axes)
    possible[size_t(axis)] = sizes[size_t(axis)];
  if (!std::ranges::equal(possible, sizes))
    return call.fail("expected the sizes of ", describe(&x),
                     " for axes that are not resized, but got ",
                     describeTensor(x.getType(), sizes));
  std::vector<AxisChange> changes;
  for (size_t i = 0; i < axes.size(); ++i) {
    auto axis = size_t(axes[i]);
    ResizedAxis resized{x.getSize(axis), sizes[axis], scales[i],
                        coordinates,     0,           1};
    if (!crop.empty()) {
      resized.cropStart = crop[i];
      resized.cropEnd = crop[axes.size() + i];
    }
    if (!resized.isUnchanged())
      changes.push_back({axis, resized});
  }
  return resize(call, sizes, std::move(changes));
}
