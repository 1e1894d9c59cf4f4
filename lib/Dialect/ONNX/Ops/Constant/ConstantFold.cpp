// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Folding.h"
#include "invar/Dialect/ONNX/Ops/Constant.h"
#include "invar/Elements/IR/LazyElementsAttr.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static llvm::Expected<Elements> toTensor(ElementsAttr attribute) {
  FailureOr<Elements> tensor = elements::toElements(attribute);
  if (failed(tensor))
    return notFolded("its content is not there");
  return std::move(*tensor);
}

/// The dense form: zero (or empty) but where an element is listed, either by its number in
/// row-major order or by an index for each axis.
static llvm::Expected<Elements> toDense(Folding &fold, SparseAttr sparse) {
  llvm::Expected<Elements> values = toTensor(sparse.getValues());
  llvm::Expected<Elements> indices = toTensor(sparse.getIndices());
  if (!values || !indices)
    return llvm::joinErrors(values.takeError(), indices.takeError());
  ArrayRef<int64_t> shape = sparse.getType().getShape();
  if (llvm::Error error = fold.checkWork(shape))
    return error;
  auto numbers = fold.read<int64_t>(*indices);
  if (!numbers)
    return numbers.takeError();
  int64_t count = values->numElements();
  size_t axes = indices->getRank() == 2 ? shape.size() : 1;
  if (numbers->get().size() != size_t(count) * axes)
    return notFolded("expected an index for each value, but got " +
                     Twine(numbers->get().size()));
  int64_t size = *countElements(shape);
  std::vector<int64_t> places;
  for (int64_t i = 0; i < count; ++i) {
    int64_t place = 0;
    for (size_t axis = 0; axis < axes; ++axis) {
      int64_t limit = axes == 1 && indices->getRank() != 2 ? size : shape[axis];
      int64_t index = (*numbers)[size_t(i) * axes + axis];
      if (index < 0 || index >= limit)
        return notFolded("expected indices below " + Twine(limit) +
                         ", but got " + Twine(index));
      place = place * limit + index;
    }
    places.push_back(place);
  }
  return dispatch(values->getType(), [&](auto tag) -> llvm::Expected<Elements> {
    using Lane = typename decltype(tag)::Lane;
    auto lanes = values->getArray<Lane>(fold.getOptions().evaluation);
    if (!lanes)
      return lanes.takeError();
    std::unique_ptr<Lane[]> dense(new (std::nothrow) Lane[size_t(size)]());
    if (!dense)
      return noMemoryFor(uint64_t(size), sizeof(Lane));
    for (auto [place, lane] : llvm::zip(places, *lanes))
      dense[size_t(place)] = lane;
    return fold.getBuilder().fromLanes(values->getType(), shape, dense.get(),
                                       size_t(size));
  });
}

FoldResult ConstantOp::computeValues(Folding &fold) {
  const ElementsBuilder &builder = fold.getBuilder();
  using enum DataType;
  if (ElementsAttr value = getValueAttr())
    return toTensor(value);
  if (SparseAttr sparse = getSparseValueAttr())
    return toDense(fold, sparse);
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
