// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/SameSizes.h"

#include "invar/Dialect/ONNX/ONNXDialect.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Returns the size of an axis in a type: a number or a name, null if it has neither.
static Attribute getSize(RankedTensorType type, int64_t axis) {
  if (!type.isDynamicDim(axis))
    return IntegerAttr::get(IndexType::get(type.getContext()),
                            type.getDimSize(axis));
  auto dims = dyn_cast_or_null<DimsAttr>(type.getEncoding());
  if (!dims || axis >= int64_t(dims.getNames().size()) ||
      dims.getNames()[axis].empty())
    return nullptr;
  return dims.getNames()[axis];
}

bool invar::haveSameSize(Value a, int64_t axisOfA, Value b, int64_t axisOfB) {
  auto first = dyn_cast<RankedTensorType>(a.getType());
  auto second = dyn_cast<RankedTensorType>(b.getType());
  if (!first || !second || axisOfA >= first.getRank() ||
      axisOfB >= second.getRank())
    return false;
  Attribute size = getSize(first, axisOfA);
  return size && size == getSize(second, axisOfB);
}

bool invar::haveSameShape(Value a, Value b) {
  auto first = dyn_cast<RankedTensorType>(a.getType());
  auto second = dyn_cast<RankedTensorType>(b.getType());
  return first && second && first.getRank() == second.getRank() &&
         llvm::all_of(llvm::seq(first.getRank()), [&](int64_t axis) {
           return haveSameSize(a, axis, b, axis);
         });
}
