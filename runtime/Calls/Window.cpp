// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Window.h"

#include <algorithm>
#include <cmath>

using namespace invar;
using namespace invar::runtime;
using kernels::WindowAxis;

static Status checkCountable(const CallContext &call, size_t i,
                             const WindowAxis &axis) {
  if (axis.isCountable() && axis.kernel >= 1)
    return Status::success();
  return call.fail("expected a window whose places can be counted, but got one "
                   "of ",
                   axis.kernel, " with stride ", axis.stride, ", dilation ",
                   axis.dilation, " and pads ", axis.padBegin, " and ",
                   axis.padEnd, " over spatial axis ", i, " of ", axis.image);
}

/// Reads the axes from the attributes. The number of window positions is computed
/// later.
static Status readAxes(const CallContext &call, Sizes image, Sizes kernel,
                       WindowAxes &window) {
  auto strides = call.getInts("strides"), dilations = call.getInts("dilations"),
       pads = call.getInts("pads");
  size_t count = image.size();
  auto fits = [](auto list, size_t length) {
    return list.empty() || list.size() == length;
  };
  if (kernel.size() != count || !fits(strides, count) ||
      !fits(dilations, count) || !fits(pads, 2 * count))
    return call.fail("expected a window over ", count, " axes, but got ",
                     kernel.size(), " sizes, ", strides.size(), " strides, ",
                     dilations.size(), " dilations and ", pads.size(), " pads");
  bool hasPads = !pads.empty() && call.getString("auto_pad", "NOTSET") ==
                                      std::string_view("NOTSET");
  for (size_t i = 0; i < count; ++i) {
    window.push_back({.image = image[i],
                      .kernel = kernel[i],
                      .output = 0,
                      .stride = strides.empty() ? 1 : strides[i],
                      .dilation = dilations.empty() ? 1 : dilations[i],
                      .padBegin = hasPads ? pads[i] : 0,
                      .padEnd = hasPads ? pads[count + i] : 0});
    if (Status status = checkCountable(call, i, window.back()))
      return status;
  }
  return Status::success();
}

static int64_t divideUp(int64_t a, int64_t b) {
  return a / b + (a % b > 0 ? 1 : 0);
}
static int64_t divideDown(int64_t a, int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

/// The number of window positions within a padded image.
static int64_t countPlaces(const WindowAxis &axis, int64_t room,
                           Overhang overhang) {
  switch (overhang) {
  case Overhang::Counted:
    // Windows begin before the padded end minus the extent, the last one up to a stride
    // later, but never in the padding after the image.
    return divideUp(std::min(room + axis.stride, axis.image + axis.padBegin),
                    axis.stride);
  case Overhang::Truncated:
    return room / axis.stride + 1;
  case Overhang::None:
    return divideDown(room, axis.stride) + 1;
  }
  return 0;
}

Status runtime::slideOver(const CallContext &call, Sizes image, Sizes kernel,
                          Overhang overhang, WindowAxes &window) {
  if (Status status = readAxes(call, image, kernel, window))
    return status;
  std::string_view autoPad = call.getString("auto_pad", "NOTSET");
  for (size_t i = 0; i < window.size(); ++i) {
    WindowAxis &axis = window[i];
    int64_t extent = (axis.kernel - 1) * axis.dilation + 1;
    if (autoPad.starts_with("SAME")) {
      axis.output = divideUp(axis.image, axis.stride);
      int64_t total = std::max<int64_t>(
          (axis.output - 1) * axis.stride + extent - axis.image, 0);
      axis.padBegin = autoPad == "SAME_LOWER" ? total - total / 2 : total / 2;
      axis.padEnd = total - axis.padBegin;
    } else {
      int64_t padded = axis.image + axis.padBegin + axis.padEnd;
      axis.output = countPlaces(axis, padded - extent, overhang);
      if (overhang == Overhang::None && padded < extent)
        return call.fail("expected a window that fits into the padded size ",
                         padded, " of spatial axis ", i, ", but got ", extent);
      axis.output = std::max<int64_t>(axis.output, 0);
    }
    if (Status status = checkCountable(call, i, axis))
      return status;
  }
  return Status::success();
}

Status runtime::spreadOver(const CallContext &call, Sizes places, Sizes kernel,
                           WindowAxes &window) {
  if (Status status = readAxes(call, places, kernel, window))
    return status;
  for (size_t i = 0; i < window.size(); ++i) {
    WindowAxis &axis = window[i];
    axis.output = std::max<int64_t>((axis.image - 1) * axis.stride +
                                        (axis.kernel - 1) * axis.dilation + 1 -
                                        axis.padBegin - axis.padEnd,
                                    0);
    if (Status status = checkCountable(call, i, axis))
      return status;
  }
  return Status::success();
}
