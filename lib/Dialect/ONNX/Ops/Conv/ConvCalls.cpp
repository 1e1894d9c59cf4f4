// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/Col2Im.h"
#include "invar/Kernels/DeformConv.h"
#include "runtime/Calls/Calls.h"
#include "runtime/Calls/Numbers.h"
#include "runtime/Calls/Window.h"

#include <algorithm>

using namespace invar;
using namespace invar::runtime;

// Col2Im

template <typename T>
static Status addBlocks(CallContext &call, const WindowAxes &window,
                        Sizes sizes) {
  std::span<const T> columns;
  if (Status status = readNumbers(call, 0, columns))
    return status;
  NumberResult<T> images;
  if (Status status =
          images.allocate(call, 0, call.getTensor(0).getType(), sizes))
    return status;
  if (Status status = call.parallelFor(
          sizes[0] * sizes[1], 16, [&](int64_t from, int64_t to) {
            kernels::addBlocks<T>(window, columns.data(), from, to,
                                  images.data());
          }))
    return status;
  return images.finish(call);
}

Status runtime::callCol2Im(CallContext &call) {
  const Tensor &columns = call.getTensor(0);
  WindowAxes window;
  if (Status status = readWindow(call, 1, window))
    return status;
  int64_t taps = 1, places = 1;
  bool canCount = true;
  for (const kernels::WindowAxis &axis : window)
    canCount = canCount && !__builtin_mul_overflow(taps, axis.kernel, &taps) &&
               !__builtin_mul_overflow(places, axis.output, &places);
  if (!canCount || columns.rank != 3 || columns.getSize(1) % taps != 0 ||
      columns.getSize(2) != places)
    return call.fail("expected blocks of ", taps, " elements at ", places,
                     " places, but got ", describe(&columns));
  std::vector<int64_t> sizes = {columns.getSize(0), columns.getSize(1) / taps};
  for (const kernels::WindowAxis &axis : window)
    sizes.push_back(axis.image);
  Status status;
  bool areNumbers =
      kernels::visitNumberType(columns.getType(), [&]<typename Number>(Number) {
        if constexpr (Number::type == INVAR_FLOAT64)
          status = addBlocks<double>(call, window, sizes);
        else if constexpr (Number::isFloat)
          status = addBlocks<float>(call, window, sizes);
        else if constexpr (std::is_signed_v<typename Number::Lane>)
          status = addBlocks<int64_t>(call, window, sizes);
        else
          status = addBlocks<uint64_t>(call, window, sizes);
      });
  if (!areNumbers)
    return call.fail("elements of type ", getName(columns.getType()),
                     " are not added");
  return status;
}

// DeformConv

namespace {
struct DeformConv {
  kernels::Convolution convolution;
  int64_t offsetGroups;
};
} // namespace

/// Checks the sizes of the other operands against those of X and W.
static Status checkDeformConv(const CallContext &call, const DeformConv &op,
                              const WindowAxes &window) {
  const Tensor &x = call.getTensor(0), &w = call.getTensor(1);
  const kernels::Convolution &own = op.convolution;
  int64_t channels = x.getSize(1), features = w.getSize(0);
  bool areRight =
      own.groups >= 1 && features % own.groups == 0 && channels > 0 &&
      channels % own.groups == 0 && channels / own.groups == own.channels &&
      op.offsetGroups >= 1 && channels % op.offsetGroups == 0 &&
      w.getSize(2) == window[0].kernel && w.getSize(3) == window[1].kernel;
  if (!areRight)
    return call.fail("expected weights for ", own.groups, " groups and ",
                     op.offsetGroups, " groups of offsets of ", describe(&x),
                     ", but got ", describe(&w));
  // The offsets have an entry for each tap, axis and position, the masks one for each
  // tap and position. The weights exist in memory, so products of their sizes do not
  // overflow.
  int64_t taps = window[0].kernel * window[1].kernel * op.offsetGroups;
  int64_t masks[] = {x.getSize(0), taps, window[0].output, window[1].output};
  int64_t offsets[] = {masks[0], 2 * taps, masks[2], masks[3]};
  auto expectSizes = [&](size_t operand, Sizes sizes) -> Status {
    const Tensor *tensor = call.getOptionalTensor(operand);
    if (!tensor || std::ranges::equal(tensor->getSizes(), sizes))
      return Status::success();
    return call.fail("expected operand ", operand, " to be ",
                     describeTensor(tensor->getType(), sizes), ", but got ",
                     describe(tensor));
  };
  if (Status status = expectSizes(2, offsets))
    return status;
  if (call.getOperand(3))
    if (Status status = call.expectCount(3, features))
      return status;
  return expectSizes(4, masks);
}

Status runtime::callDeformConv(CallContext &call) {
  const Tensor &x = call.getTensor(0), &w = call.getTensor(1);
  if (Status status = call.expectRank(0, 4))
    return status;
  if (Status status = call.expectRank(1, 4))
    return status;
  WindowAxes window;
  if (Status status = readWindow(call, 5, x.getSizes().subspan(2), window))
    return status;
  DeformConv op;
  op.offsetGroups = call.getInt("offset_groups");
  op.convolution = {.window = window,
                    .batch = x.getSize(0),
                    .groups = call.getInt("groups"),
                    .channels = w.getSize(1),
                    .features = 0};
  if (Status status = checkDeformConv(call, op, window))
    return status;
  op.convolution.features = w.getSize(0) / op.convolution.groups;
  int64_t sizes[] = {x.getSize(0), w.getSize(0), window[0].output,
                     window[1].output};
  return visitFloats(call, x.getType(), [&]<typename T>(T) -> Status {
    std::span<const T> operands[5];
    for (size_t i = 0; i < std::size(operands); ++i)
      if (call.getOperand(i))
        if (Status status = readNumbers(call, i, operands[i]))
          return status;
    NumberResult<T> y;
    if (Status status = y.allocate(call, 0, x.getType(), sizes))
      return status;
    if (y.size() == 0)
      return Status::success();
    auto [image, weights, offsets, bias, masks] = operands;
    kernels::DeformedTaps<T> taps{op.offsetGroups, offsets.data(),
                                  call.getOperand(4) ? masks.data() : nullptr};
    if (Status status = call.parallelFor(
            kernels::countConvolutionBlocks(op.convolution), 1,
            [&](int64_t from, int64_t to) {
              kernels::convolveDeformed(
                  op.convolution, taps, image.data(), weights.data(),
                  call.getOperand(3) ? bias.data() : nullptr, from, to,
                  y.data());
            }))
      return status;
    return y.finish(call);
  });
}
