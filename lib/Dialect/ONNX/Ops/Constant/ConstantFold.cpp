// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Folding.h"
#include "invar/Dialect/ONNX/Ops/Constant.h"
#include "invar/Dialect/ONNX/Sparse.h"
#include "invar/Elements/IR/LazyElementsAttr.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

FoldResult ConstantOp::computeValues(Folding &fold) {
  const ElementsBuilder &builder = fold.getBuilder();
  using enum DataType;
  if (ElementsAttr value = getValueAttr()) {
    FailureOr<Elements> tensor = elements::toElements(value);
    if (failed(tensor))
      return notFolded("its content is not there");
    return std::move(*tensor);
  }
  if (SparseAttr sparse = getSparseValueAttr())
    return expandSparse(sparse, fold.getOptions());
  if (auto value = getValueFloat())
    return builder.fromArray<Float32>({}, *value);
  if (auto values = getValueFloats())
    return builder.fromArray<Float32>(int64_t(values->size()), *values);
  if (auto value = getValueInt())
    return builder.fromArray<Int64>({}, *value);
  if (auto values = getValueInts())
    return builder.fromArray<Int64>(int64_t(values->size()), *values);
  if (auto value = getValueString())
    return builder.fromStrings({}, *value);
  SmallVector<StringRef> strings;
  for (Attribute string : getValueStrings().value_or(ArrayRef<Attribute>()))
    strings.push_back(cast<StringAttr>(string).getValue());
  return builder.fromStrings(int64_t(strings.size()), strings);
}
