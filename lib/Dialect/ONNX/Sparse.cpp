// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Sparse.h"

#include "invar/Elements/IR/DataTypes.h"
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

/// Returns the number of each listed element in row-major order.
static llvm::Expected<std::vector<int64_t>>
findPlaces(const Elements &indices, ArrayRef<int64_t> shape, int64_t count,
           const FoldOptions &options) {
  if (indices.getType() != DataType::Int64)
    return notFolded("expected indices of type int64, but got " +
                     getName(indices.getType()));
  auto numbers = indices.getArray<int64_t>(options.evaluation);
  if (!numbers)
    return numbers.takeError();
  // A single index for an element is its number in row-major order.
  int64_t size = *countElements(shape);
  ArrayRef<int64_t> limits = indices.getRank() == 2 ? shape : ArrayRef(size);
  if (numbers->get().size() != size_t(count) * limits.size())
    return notFolded("expected " + Twine(size_t(count) * limits.size()) +
                     " indices for " + Twine(count) + " values, but got " +
                     Twine(numbers->get().size()));
  std::vector<int64_t> places;
  places.reserve(size_t(count));
  const int64_t *next = numbers->begin();
  for (int64_t i = 0; i < count; ++i) {
    int64_t place = 0;
    for (int64_t limit : limits) {
      int64_t index = *next++;
      if (index < 0 || index >= limit)
        return notFolded("expected indices from 0 to " + Twine(limit - 1) +
                         ", but got " + Twine(index));
      place = place * limit + index;
    }
    places.push_back(place);
  }
  return places;
}

/// Writes values to their positions and zeros elsewhere.
template <typename Lane>
static void scatter(ArrayRef<Lane> values, ArrayRef<int64_t> places,
                    MutableArrayRef<Lane> dense) {
  llvm::fill(dense, Lane());
  for (auto [place, value] : llvm::zip_equal(places, values))
    dense[size_t(place)] = value;
}

llvm::Expected<Elements> invar::onnx::expandSparse(SparseAttr sparse,
                                                   const FoldOptions &options) {
  llvm::Expected<Elements> values = toTensor(sparse.getValues());
  if (!values)
    return values.takeError();
  llvm::Expected<Elements> indices = toTensor(sparse.getIndices());
  if (!indices)
    return indices.takeError();
  RankedTensorType type = sparse.getType();
  ArrayRef<int64_t> shape = type.getShape();
  DataType element = values->getType();
  if (!type.hasStaticShape() ||
      elements::toDataType(type.getElementType()) != element)
    return notFolded("its values do not have its type");
  if (llvm::Error error = checkWork(shape, options))
    return error;
  auto places = findPlaces(*indices, shape, values->numElements(), options);
  if (!places)
    return places.takeError();
  auto size = size_t(*countElements(shape));
  if (element == DataType::Float8E8M0 && places->size() < size)
    return notFolded("expected a type that has a zero, but got " +
                     getName(element));
  ElementsBuilder builder(options.evaluation);
  if (places->empty() && isNumeric(element))
    return builder.splat(element, shape, WideNum::ofUnsigned(0));
  return dispatch(element, [&](auto tag) -> llvm::Expected<Elements> {
    using Lane = typename decltype(tag)::Lane;
    auto lanes = values->getArray<Lane>(options.evaluation);
    if (!lanes)
      return lanes.takeError();
    // Strings have no lazy form.
    if constexpr (std::is_same_v<Lane, StringRef>) {
      std::vector<StringRef> dense(size);
      scatter<Lane>(*lanes, *places, dense);
      return builder.fromStrings(shape, dense);
    }
    auto listed = std::make_shared<ElementsArray<Lane>>(std::move(*lanes));
    auto kernel = [listed, size, places = std::move(*places)](
                      void *out, const EvalOptions &) {
      scatter<Lane>(*listed, places, {static_cast<Lane *>(out), size});
    };
    return builder.compute(element, shape, Hasher().add("sparse").finish(),
                           {*values, *indices}, std::move(kernel));
  });
}

uint64_t invar::onnx::getStoredBytes(SparseAttr sparse) {
  uint64_t bytes = 0;
  for (ElementsAttr part : {sparse.getValues(), sparse.getIndices()})
    if (FailureOr<Elements> content = elements::toElements(part);
        succeeded(content))
      bytes += content->sizeInBytes();
  return bytes;
}
