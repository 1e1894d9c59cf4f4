// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ConstantPlaces.h"

#include "invar/Elements/IR/DataTypes.h"
#include "invar/Elements/IR/LazyElementsAttr.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace invar;

/// Each begins a line of the cache.
static constexpr uint64_t alignment = 64;

/// Bytes that a constant takes in the store.
static FailureOr<uint64_t> getStoredSize(const Elements &content) {
  uint64_t count = uint64_t(content.numElements());
  if (content.getType() == DataType::String) {
    uint64_t size = 8 * count;
    auto strings = content.getArray<StringRef>();
    if (!strings) {
      llvm::consumeError(strings.takeError());
      return failure();
    }
    for (StringRef text : *strings)
      size += text.size();
    return size;
  }
  return count * getLaneSize(content.getType());
}

FailureOr<ConstantPlace> ConstantPlaces::getStored(ElementsAttr value) {
  auto known = storedPlaces.find(value);
  if (known != storedPlaces.end())
    return known->second;
  // Indices are int64 to the runtime.
  ElementsAttr content = value;
  if (auto indices = dyn_cast<DenseIntElementsAttr>(value);
      indices && indices.getElementType().isIndex())
    content =
        indices.mapValues(IntegerType::get(value.getContext(), 64),
                          [](const APInt &n) { return n.sextOrTrunc(64); });
  FailureOr<Elements> elements = elements::toElements(content);
  if (failed(elements))
    return failure();
  FailureOr<uint64_t> size = ::getStoredSize(*elements);
  if (failed(size))
    return failure();
  ConstantPlace place{storedSize, *size};
  stored.push_back({std::move(*elements), place.offset, place.size});
  storedSize += llvm::alignTo(*size, alignment);
  return storedPlaces[value] = place;
}

FailureOr<ConstantPlace> ConstantPlaces::getFolded(int64_t id, Type type) {
  auto known = foldedPlaces.find(id);
  if (known != foldedPlaces.end())
    return known->second;
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return failure();
  uint64_t lane = 8;
  if (!tensor.getElementType().isIndex()) {
    std::optional<DataType> element =
        elements::toDataType(tensor.getElementType());
    if (!element || *element == DataType::String)
      return failure();
    lane = getLaneSize(*element);
  }
  ConstantPlace place{foldedSize, uint64_t(tensor.getNumElements()) * lane};
  foldedSize += llvm::alignTo(place.size, alignment);
  return foldedPlaces[id] = place;
}
