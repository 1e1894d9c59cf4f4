// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Window.h"

#include <algorithm>

using namespace invar;
using namespace invar::runtime;
using kernels::WindowAxis;

Status runtime::readWindow(const CallContext &call, size_t operand,
                           WindowAxes &window) {
  constexpr size_t members = 7;
  if (Status status = call.expectType(operand, INVAR_INT64))
    return status;
  const Tensor &rows = call.getTensor(operand);
  if (rows.rank != 2 || rows.getSize(1) != members)
    return call.fail("expected a window of ", members,
                     " numbers for each axis, but got ", describe(&rows));
  const int64_t *row = rows.getData<const int64_t>();
  for (int64_t i = 0; i < rows.getSize(0); ++i, row += members) {
    WindowAxis axis{.image = row[0],
                    .kernel = row[1],
                    .output = row[2],
                    .stride = row[3],
                    .dilation = row[4],
                    .padBegin = row[5],
                    .padEnd = row[6]};
    if (!axis.isCountable() || axis.kernel < 1)
      return call.fail("expected a window whose places can be counted, but got "
                       "one of ",
                       axis.kernel, " with stride ", axis.stride, ", dilation ",
                       axis.dilation, " and pads ", axis.padBegin, " and ",
                       axis.padEnd, " over spatial axis ", i, " of ",
                       axis.image);
    window.push_back(axis);
  }
  return Status::success();
}

Status runtime::readWindow(const CallContext &call, size_t operand, Sizes image,
                           WindowAxes &window) {
  if (Status status = readWindow(call, operand, window))
    return status;
  if (!std::ranges::equal(window, image, {}, &WindowAxis::image))
    return call.fail("expected a window over ", image.size(),
                     " axes of the image's sizes, but got ",
                     describe(call.getOperand(operand)));
  return Status::success();
}
