// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/Pool.h"

#include "invar/Kernels/RegionPool.h"
#include "runtime/Calls/BoxCopy.h"
#include "runtime/Calls/Calls.h"
#include "runtime/Calls/Numbers.h"
#include "runtime/Calls/Window.h"

#include <algorithm>
#include <numeric>

using namespace invar;
using namespace invar::runtime;

// MaxPool and MaxUnpool

/// Fails unless a tensor has axes N and C before its spatial axes.
static Status expectImages(const CallContext &call, const Tensor &x) {
  if (x.rank >= 2)
    return Status::success();
  return call.fail("expected images N x C x …, but got ", describe(&x));
}

Status runtime::callMaxPool(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  if (Status status = expectImages(call, x))
    return status;
  WindowAxes window;
  if (Status status = readWindow(call, 1, x.getSizes().subspan(2), window))
    return status;
  std::vector<int64_t> sizes = {x.getSize(0), x.getSize(1)};
  for (const kernels::WindowAxis &axis : window)
    sizes.push_back(axis.output);
  bool byColumns = call.getInt("by_columns") != 0;
  auto pool = [&]<typename T>(T) -> Status {
    std::span<const T> from;
    if (Status status = readNumbers(call, 0, from))
      return status;
    NumberResult<T> to;
    if (Status status =
            to.allocate(call, call.findResult(0), x.getType(), sizes))
      return status;
    Tensor *places = nullptr;
    if (call.isWanted(call.findResult(1)))
      if (Status status =
              call.allocate(call.findResult(1), INVAR_INT64, sizes, places))
        return status;
    if (to.size() == 0)
      return Status::success();
    if (Status status = call.parallelFor(
            sizes[0] * sizes[1], 1, [&](int64_t first, int64_t last) {
              kernels::maxPool<T>(window, from.data(), first, last, to.data());
              if (places)
                kernels::locateMax<T>(window, byColumns, from.data(), first,
                                      last, places->getData<int64_t>());
            }))
      return status;
    return to.finish(call);
  };
  return x.getType() == INVAR_INT8 || x.getType() == INVAR_UINT8
             ? pool(float())
             : visitFloats(call, x.getType(), pool);
}

/// Reads sizes of images with the batch and channels of the first operand.
static Status readSizes(CallContext &call, size_t operand,
                        std::span<const int64_t> &sizes) {
  const Tensor &x = call.getTensor(0);
  if (Status status = readNumbers(call, operand, sizes))
    return status;
  if (sizes.size() == x.rank &&
      std::ranges::equal(sizes.first(2), x.getSizes().first(2)) &&
      countElements(sizes.data(), sizes.size()))
    return Status::success();
  return call.fail("expected sizes of images like ", describe(&x), ", but got ",
                   describeTensor(x.getType(), sizes));
}

/// Operand 2 has the sizes of the image that was pooled, in which positions count, and
/// operand 3 those of the result.
Status runtime::callMaxUnpool(CallContext &call) {
  const Tensor &x = call.getTensor(0), &places = call.getTensor(1);
  if (Status status = expectImages(call, x))
    return status;
  if (!std::ranges::equal(x.getSizes(), places.getSizes()))
    return call.fail("expected a place for each of ", describe(&x),
                     ", but got ", describe(&places));
  std::span<const int64_t> numbers, pooled, sizes;
  for (auto [operand, list] : {std::pair(2, &pooled), std::pair(3, &sizes)})
    if (Status status = readSizes(call, size_t(operand), *list))
      return status;
  for (size_t i = 2; i < sizes.size(); ++i)
    if (sizes[i] < pooled[i])
      return call.fail("expected an 'output_shape' of at least ",
                       describeTensor(x.getType(), pooled), ", but got ",
                       describeTensor(x.getType(), sizes));
  if (Status status = readNumbers(call, 1, numbers))
    return status;
  Tensor *result = nullptr;
  if (Status status = call.allocate(0, x.getType(), sizes, result))
    return status;
  if (Status status = fillElements(call, *result))
    return status;
  // The pooled image is at most as large as the result, so the product does not
  // overflow.
  int64_t count = countAll(pooled);
  Strides strides(sizes);
  for (size_t i = 0; i < numbers.size(); ++i) {
    int64_t place = numbers[i], at = 0;
    if (place < 0 || place >= count)
      return call.fail("expected places from 0 to ", count - 1, ", but got ",
                       place);
    for (size_t axis = pooled.size(); axis-- > 0; place /= pooled[axis])
      at += place % pooled[axis] * strides[axis];
    if (!copyElements(x, int64_t(i), *result, at, 1))
      return explainNoStrings();
  }
  return Status::success();
}

// Regions of images

/// Allocates a result of `grid` for each box and lets `pool(x, boxes, y)` compute it.
template <typename Pool>
static Status poolBoxes(CallContext &call, const kernels::RegionGrid &grid,
                        int64_t boxSize, Pool pool) {
  const Tensor &x = call.getTensor(0), &boxes = call.getTensor(1);
  if (x.rank != 4 || boxes.rank != 2 || boxes.getSize(1) != boxSize)
    return call.fail("expected images N x C x H x W and boxes of ", boxSize,
                     " numbers, but got ", describe(&x), " and ",
                     describe(&boxes));
  if (grid.height < 1 || grid.width < 1)
    return call.fail("expected boxes to be cut into parts, but got ",
                     grid.height, " x ", grid.width);
  if (x.getSize(2) == 0 || x.getSize(3) == 0)
    return call.fail("expected images with elements, but got ", describe(&x));
  int64_t sizes[] = {boxes.getSize(0), x.getSize(1), grid.height, grid.width};
  return visitFloats(call, x.getType(), [&]<typename T>(T) -> Status {
    std::span<const T> elements, corners;
    if (Status status = readNumbers(call, 0, elements))
      return status;
    if (Status status = readNumbers(call, 1, corners))
      return status;
    NumberResult<T> y;
    if (Status status = y.allocate(call, 0, x.getType(), sizes))
      return status;
    if (Status status = pool(refer(elements, x), corners.data(), y.data()))
      return status;
    return y.finish(call);
  });
}

/// Fails unless each box refers to an existing image.
static Status checkImages(const CallContext &call,
                          std::span<const int64_t> images) {
  int64_t count = call.getTensor(0).getSize(0);
  for (int64_t image : images)
    if (image < 0 || image >= count)
      return call.fail("expected images from 0 to ", count - 1, ", but got ",
                       image);
  return Status::success();
}

/// The parts into which a box is cut.
static kernels::RegionGrid readGrid(const CallContext &call) {
  return {call.getInt("height"), call.getInt("width"),
          float(call.getFloat("scale"))};
}

Status runtime::callMaxRoiPool(CallContext &call) {
  kernels::RegionGrid grid = readGrid(call);
  return poolBoxes(
      call, grid, 5,
      [&]<typename T>(kernels::TensorRef<const T> x, const T *boxes,
                      T *y) -> Status {
        int64_t count = call.getTensor(1).getSize(0);
        for (int64_t i = 0; i < count; ++i)
          if (int64_t image = kernels::truncateToInt64(double(boxes[i * 5]));
              Status status = checkImages(call, {&image, 1}))
            return status;
        return call.parallelFor(count, 1, [&](int64_t from, int64_t to) {
          kernels::maxRegionPool(grid, x, boxes, from, to, y);
        });
      });
}

Status runtime::callRoiAlign(CallContext &call) {
  kernels::RegionGrid grid = readGrid(call);
  kernels::RegionSampling sampling{std::max<int64_t>(call.getInt("samples"), 0),
                                   call.getInt("half_pixel") != 0,
                                   call.getInt("takes_greatest") != 0};
  return poolBoxes(
      call, grid, 4,
      [&]<typename T>(kernels::TensorRef<const T> x, const T *boxes,
                      T *y) -> Status {
        int64_t count = call.getTensor(1).getSize(0);
        std::span<const int64_t> images;
        if (Status status = call.expectCount(2, count))
          return status;
        if (Status status = readNumbers(call, 2, images))
          return status;
        if (Status status = checkImages(call, images))
          return status;
        // The number of samples of a box depends on its corners.
        int64_t mostSamples =
            (int64_t(1) << 36) / std::max<int64_t>(x.size(1), 1);
        int64_t samples = 0;
        for (int64_t i = 0; i < count; ++i)
          if (__builtin_add_overflow(
                  samples, kernels::countSamples(grid, sampling, boxes + i * 4),
                  &samples) ||
              samples > mostSamples)
            return call.fail("expected boxes of up to ", mostSamples,
                             " samples, but got more");
        return call.parallelFor(count, 1, [&](int64_t from, int64_t to) {
          kernels::alignRegions(grid, sampling, x, boxes, images.data(), from,
                                to, y);
        });
      });
}
