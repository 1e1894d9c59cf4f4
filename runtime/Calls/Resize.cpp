// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resizes images, one axis after the other.
#include "Calls.h"
#include "Indices.h"
#include "Numbers.h"
#include "invar/Kernels/Resample.h"

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

/// Attribute values by name; the first one is the default.
template <typename T>
using Names = std::initializer_list<std::pair<std::string_view, T>>;
} // namespace

template <typename T> static T findName(std::string_view name, Names<T> names) {
  for (auto [known, value] : names)
    if (known == name)
      return value;
  return names.begin()->second;
}

static Coordinates getCoordinates(const CallContext &call) {
  return findName<Coordinates>(
      call.getString("coordinate_transformation_mode", ""),
      {{"half_pixel", Coordinates::HalfPixel},
       {"half_pixel_symmetric", Coordinates::HalfPixelSymmetric},
       {"pytorch_half_pixel", Coordinates::PytorchHalfPixel},
       {"align_corners", Coordinates::AlignCorners},
       {"asymmetric", Coordinates::Asymmetric},
       {"tf_crop_and_resize", Coordinates::TfCropAndResize},
       {"tf_half_pixel_for_nn", Coordinates::TfHalfPixelForNN}});
}

static Nearest getNearest(const CallContext &call) {
  return findName<Nearest>(call.getString("nearest_mode", ""),
                           {{"round_prefer_floor", Nearest::HalfDown},
                            {"round_prefer_ceil", Nearest::HalfUp},
                            {"floor", Nearest::Floor},
                            {"ceil", Nearest::Ceil}});
}

static Filter getFilter(const CallContext &call) {
  return {call.getString("mode", "nearest") == "cubic" ? Interpolation::Cubic
                                                       : Interpolation::Linear,
          call.getFloat("cubic_coeff_a", -0.75),
          call.getInt("antialias", 0) != 0,
          call.getInt("exclude_outside", 0) != 0};
}

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
  double value = call.getFloat("extrapolation_value", 0);
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
  double otherwise = call.getFloat("extrapolation_value", 0);
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
                     std::vector<AxisChange> changes, Nearest nearest) {
  const Tensor &x = call.getTensor(0);
  // The positions of an axis are stored in a table, so its size is limited.
  constexpr int64_t mostPlaces = int64_t(1) << 26;
  for (const AxisChange &change : changes) {
    auto [from, to] = std::pair(change.resized.from, change.resized.to);
    if (from == 0 && to != 0)
      return call.fail("expected something to resize to ", to, ", but axis ",
                       change.axis, " is empty");
    if (to > mostPlaces)
      return call.fail("expected an axis of up to ", mostPlaces,
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
  return call.getString("mode", "nearest") == "nearest"
             ? takeNearest(call, x, changes, nearest)
             : interpolate(call, x, sizes, changes, getFilter(call));
}

// Operands and attributes

/// Converts a float to a size.
static Status toSize(const CallContext &call, float number, int64_t &size) {
  if (!(number >= 0 && number < 0x1p62f))
    return call.fail("expected a size of at least 0, but got ",
                     std::to_string(number));
  size = int64_t(number);
  return Status::success();
}

/// Computes the new size of a scaled axis. Multiplies in float, like other runtimes.
static Status scaleSize(const CallContext &call, double scale, int64_t from,
                        int64_t &to) {
  if (!(scale > 0))
    return call.fail("expected scales greater than 0, but got ",
                     std::to_string(scale));
  return toSize(call, std::floor(float(scale) * float(from)), to);
}

/// The common scale of all axes that keeps the aspect ratio.
template <typename T>
static T getCommonScale(const CallContext &call, std::span<const T> scales) {
  return call.getString("keep_aspect_ratio_policy", "") == "not_larger"
             ? *std::ranges::min_element(scales)
             : *std::ranges::max_element(scales);
}

/// Reads the scales and new sizes of these axes. The call gives either scales or sizes;
/// an empty list counts as left out.
static Status readScales(CallContext &call, std::span<const size_t> axes,
                         std::vector<double> &scales,
                         std::vector<int64_t> &sizes) {
  const Tensor &x = call.getTensor(0);
  sizes = copySizes(x);
  const Tensor *given = call.getOptionalTensor(2);
  bool hasScales =
      given && (given->getCount() != 0 || !call.getOptionalTensor(3));
  if (!hasScales && !call.getOptionalTensor(3))
    return call.fail("expected 'scales' or 'sizes', but got neither");
  size_t operand = hasScales ? 2 : 3;
  if (Status status = call.expectCount(operand, int64_t(axes.size())))
    return status;
  if (hasScales) {
    std::span<const float> numbers;
    if (Status status = readNumbers(call, 2, numbers))
      return status;
    scales.assign(numbers.begin(), numbers.end());
    for (size_t i = 0; i < axes.size(); ++i)
      if (Status status =
              scaleSize(call, scales[i], x.getSize(axes[i]), sizes[axes[i]]))
        return status;
    return Status::success();
  }
  std::span<const int64_t> numbers;
  if (Status status = readNumbers(call, 3, numbers))
    return status;
  // Divides in float, like other runtimes; the difference matters near a half.
  std::vector<float> factors;
  for (size_t i = 0; i < axes.size(); ++i) {
    int64_t from = x.getSize(axes[i]);
    scales.push_back(from ? double(numbers[i]) / double(from) : 1);
    factors.push_back(from ? float(numbers[i]) / float(from) : 1);
    sizes[axes[i]] = numbers[i];
  }
  if (call.getString("keep_aspect_ratio_policy", "stretch") == "stretch" ||
      axes.empty())
    return Status::success();
  std::ranges::fill(scales, getCommonScale<double>(call, scales));
  float factor = getCommonScale<float>(call, factors);
  for (size_t axis : axes)
    if (Status status = toSize(
            call, std::round(factor * float(x.getSize(axis))), sizes[axis]))
      return status;
  return Status::success();
}

static Status readAxes(const CallContext &call, std::vector<size_t> &axes) {
  size_t rank = call.getTensor(0).rank;
  auto given = call.getInts("axes");
  if (!call.findAttribute("axes"))
    for (size_t axis = 0; axis < rank; ++axis)
      axes.push_back(axis);
  for (int64_t axis : given) {
    if (Status status = call.normalizeAxis(axis, int64_t(rank)))
      return status;
    if (std::ranges::find(axes, size_t(axis)) != axes.end())
      return call.fail("expected different axes, but got ", axis, " twice");
    axes.push_back(size_t(axis));
  }
  return Status::success();
}

Status runtime::callResize(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  std::vector<size_t> axes;
  if (Status status = readAxes(call, axes))
    return status;
  std::vector<double> scales;
  std::vector<int64_t> sizes;
  if (Status status = readScales(call, axes, scales, sizes))
    return status;
  Coordinates coordinates = getCoordinates(call);
  std::span<const double> crop;
  if (coordinates == Coordinates::TfCropAndResize) {
    if (!call.getOperand(1))
      return call.fail("expected 'roi' to crop, but got none");
    if (Status status = call.expectCount(1, 2 * int64_t(axes.size())))
      return status;
    if (Status status = readNumbers(call, 1, crop))
      return status;
  }
  std::vector<AxisChange> changes;
  for (size_t i = 0; i < axes.size(); ++i) {
    ResizedAxis resized{
        x.getSize(axes[i]), sizes[axes[i]], scales[i], coordinates, 0, 1};
    if (!crop.empty()) {
      resized.cropStart = crop[i];
      resized.cropEnd = crop[axes.size() + i];
    }
    bool isUnchanged = resized.scale == 1 && resized.from == resized.to &&
                       resized.cropStart == 0 && resized.cropEnd == 1 &&
                       coordinates != Coordinates::TfHalfPixelForNN;
    if (!isUnchanged)
      changes.push_back({axes[i], resized});
  }
  return resize(call, sizes, std::move(changes), getNearest(call));
}

Status runtime::callUpsample(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  if (Status status = call.expectCount(1, x.rank))
    return status;
  std::span<const float> scales;
  if (Status status = readNumbers(call, 1, scales))
    return status;
  std::vector<int64_t> sizes = copySizes(x);
  std::vector<AxisChange> changes;
  for (size_t axis = 0; axis < x.rank; ++axis) {
    if (Status status =
            scaleSize(call, double(scales[axis]), x.getSize(axis), sizes[axis]))
      return status;
    if (scales[axis] != 1)
      changes.push_back({axis,
                         {x.getSize(axis), sizes[axis], double(scales[axis]),
                          Coordinates::Asymmetric, 0, 1}});
  }
  return resize(call, sizes, std::move(changes), Nearest::Floor);
}
