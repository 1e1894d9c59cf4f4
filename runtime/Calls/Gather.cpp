// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Calls.h"
#include "Indices.h"
#include "Numbers.h"

using namespace invar;
using namespace invar::runtime;

Status runtime::callGather(CallContext &call) {
  const Tensor &data = call.getTensor(0), &indices = call.getTensor(1);
  int64_t axis = call.getInt("axis", 0);
  if (Status status = call.normalizeAxis(axis, data.rank))
    return status;
  std::span<int64_t> places;
  if (Status status = readIndices(call, 1, data.getSize(size_t(axis)), places))
    return status;
  std::vector<int64_t> sizes = copySizes(data);
  sizes.erase(sizes.begin() + axis);
  sizes.insert(sizes.begin() + axis, indices.getSizes().begin(),
               indices.getSizes().end());
  Tensor *result = nullptr;
  if (Status status = call.allocate(0, data.getType(), sizes, result))
    return status;
  return pickAlong(call, data, AxisView(data.getSizes(), size_t(axis)), places,
                   *result);
}

Status runtime::callGatherElements(CallContext &call) {
  const Tensor &data = call.getTensor(0);
  int64_t axis = call.getInt("axis", 0);
  if (Status status = call.normalizeAxis(axis, data.rank))
    return status;
  Slices elements;
  if (Status status =
          locateElements(call, 1, data.getSizes(), size_t(axis), elements))
    return status;
  Tensor *result = nullptr;
  if (Status status = call.allocate(0, data.getType(),
                                    call.getTensor(1).getSizes(), result))
    return status;
  return pickSlices(call, data, elements, *result);
}

Status runtime::callGatherND(CallContext &call) {
  const Tensor &data = call.getTensor(0), &indices = call.getTensor(1);
  int64_t batchAxes = call.getInt("batch_dims", 0);
  Slices slices;
  if (Status status = locateSlices(call, 1, data.getSizes(), batchAxes, slices))
    return status;
  std::vector<int64_t> sizes = copySizes(indices);
  int64_t axes = sizes.back();
  sizes.pop_back();
  sizes.insert(sizes.end(), data.getSizes().begin() + batchAxes + axes,
               data.getSizes().end());
  Tensor *result = nullptr;
  if (Status status = call.allocate(0, data.getType(), sizes, result))
    return status;
  return pickSlices(call, data, slices, *result);
}
