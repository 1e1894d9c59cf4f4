// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Elements/IR/LazyElementsAttr.h"

#include "DenseForm.h"
#include "LazyElementsStorage.h"
#include "invar/Elements/ElementsBuilder.h"
#include "invar/Elements/IR/DataTypes.h"
#include "invar/Elements/IR/Pool.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace invar;
using namespace invar::elements;

MLIR_DEFINE_EXPLICIT_TYPE_ID(invar::elements::LazyElementsAttr)

LazyElementsAttr LazyElementsAttr::get(MLIRContext *context,
                                       Elements elements) {
  Pool &pool = Pool::get(context);
  auto type = RankedTensorType::get(elements.getShape(),
                                    toType(context, elements.getType()));
  LazyElementsAttr attribute = Base::get(context, type, pool.nextId());
  attribute.getImpl()->content = std::move(elements);
  pool.add(attribute);
  return attribute;
}

RankedTensorType LazyElementsAttr::getType() const { return getImpl()->type; }

bool LazyElementsAttr::isSplat() const { return getElements().isSplat(); }

const Elements &LazyElementsAttr::getElements() const {
  assert(!isDisposed() && "a constant read after nothing was said to need it");
  return *getImpl()->content;
}

bool LazyElementsAttr::isDisposed() const { return !getImpl()->content; }

void LazyElementsAttr::dispose() const { getImpl()->content.reset(); }

//===-- ElementsAttr ------------------------------------------------------------------===//

template <typename F>
static mlir::detail::ElementsAttrIndexer indexWith(const Elements &content,
                                                   F at) {
  auto range = llvm::map_range(
      llvm::seq<int64_t>(0, std::max<int64_t>(content.numElements(), 1)), at);
  return mlir::detail::ElementsAttrIndexer::nonContiguous(content.isSplat(),
                                                          range.begin());
}

static Attribute attributeAt(const Elements &content, Type type,
                             int64_t index) {
  if (isa<StringType>(type))
    return StringAttr::get(content.at<StringRef>(index), type);
  if (auto complex = dyn_cast<ComplexType>(type)) {
    std::complex<APFloat> value = complexAt(content, complex, index);
    Type part = complex.getElementType();
    return ArrayAttr::get(type.getContext(),
                          {FloatAttr::get(part, value.real()),
                           FloatAttr::get(part, value.imag())});
  }
  if (auto number = dyn_cast<FloatType>(type))
    return FloatAttr::get(type, floatAt(content, number, index));
  return IntegerAttr::get(type, bitsAt(content, index));
}

FailureOr<mlir::detail::ElementsAttrIndexer>
LazyElementsAttr::getValuesImpl(TypeID id) const {
  const Elements &content = getElements();
  Type type = getElementType();
  if (id == TypeID::get<Attribute>())
    return indexWith(content, [content, type](int64_t i) {
      return attributeAt(content, type, i);
    });
  if (id == TypeID::get<APInt>() && isa<IntegerType>(type))
    return indexWith(content,
                     [content](int64_t i) { return bitsAt(content, i); });
  if (auto number = dyn_cast<FloatType>(type);
      number && id == TypeID::get<APFloat>())
    return indexWith(content, [content, number](int64_t i) {
      return floatAt(content, number, i);
    });
  if (auto complex = dyn_cast<ComplexType>(type);
      complex && id == TypeID::get<std::complex<APFloat>>())
    return indexWith(content, [content, complex](int64_t i) {
      return complexAt(content, complex, i);
    });
  return dispatch(
      content.getType(),
      [&](auto tag) -> FailureOr<mlir::detail::ElementsAttrIndexer> {
        using Lane = typename decltype(tag)::Lane;
        if (id != TypeID::get<Lane>())
          return failure();
        if (const void *lanes = content.getLanesInPlace())
          return mlir::detail::ElementsAttrIndexer::contiguous<Lane>(
              content.isSplat(), static_cast<const Lane *>(lanes));
        return indexWith(content,
                         [content](int64_t i) { return content.at<Lane>(i); });
      });
}

//===-- To and from dense -------------------------------------------------------------===//

DenseElementsAttr elements::toDense(LazyElementsAttr attribute) {
  const Elements &content = attribute.getElements();
  if (content.getType() == DataType::String) {
    SmallVector<StringRef> strings(content.isSplat() ? 1
                                                     : content.numElements());
    content.read<StringRef>(0, strings);
    return DenseStringElementsAttr::get(attribute.getType(), strings);
  }
  std::vector<char> bytes(getDenseSize(content));
  readDenseBytes(content, 0, bytes);
  return DenseElementsAttr::getFromRawBuffer(attribute.getType(), bytes);
}

/// Elements from `bytes` in dense storage form: one byte each for packed types, one bit
/// each for bools. `bytes` must outlive the result.
static FailureOr<Elements> fromDenseBytes(DataType type,
                                          ArrayRef<int64_t> shape,
                                          ArrayRef<char> bytes, bool isSplat) {
  ElementsBuilder builder;
  int64_t count = isSplat ? 1 : ShapedType::getNumElements(shape);
  SmallVector<int64_t> stored(isSplat ? ArrayRef<int64_t>() : shape);
  llvm::Expected<Elements> result = [&]() -> llvm::Expected<Elements> {
    if (type == DataType::Bool) {
      auto bits = std::make_unique<bool[]>(count);
      for (int64_t i = 0; i < count; ++i)
        bits[i] = bytes[i / 8] >> (i % 8) & 1;
      return builder.fromLanes(type, stored, bits.get(), count);
    }
    if (isPacked(type))
      return builder.fromLanes(type, stored, bytes.data(), count);
    auto buffer = Buffer::unowned(
        type, count,
        {reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()});
    if (!buffer)
      return buffer.takeError();
    return builder.fromBuffer(*buffer, stored);
  }();
  if (result && isSplat)
    result = builder.expand(*result, shape);
  if (result)
    return *result;
  llvm::consumeError(result.takeError());
  return failure();
}

FailureOr<Elements> elements::toElements(ElementsAttr attribute) {
  if (auto lazy = dyn_cast<LazyElementsAttr>(attribute))
    return lazy.getElements();
  auto type = dyn_cast<RankedTensorType>(attribute.getShapedType());
  if (!type)
    return failure();
  std::optional<DataType> element = toDataType(type.getElementType());
  if (!element)
    return failure();
  if (auto strings = dyn_cast<DenseStringElementsAttr>(attribute)) {
    ElementsBuilder builder;
    bool isSplat = strings.isSplat();
    auto result =
        builder.fromStrings(isSplat ? ArrayRef<int64_t>() : type.getShape(),
                            strings.getRawStringData());
    if (result && isSplat)
      result = builder.expand(*result, type.getShape());
    if (result)
      return *result;
    llvm::consumeError(result.takeError());
    return failure();
  }
  if (auto dense = dyn_cast<DenseElementsAttr>(attribute))
    return fromDenseBytes(*element, type.getShape(), dense.getRawData(),
                          dense.isSplat());
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attribute)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob ||
        blob->getData().size() < getDenseSize(*element, type.getNumElements()))
      return failure();
    return fromDenseBytes(*element, type.getShape(), blob->getData(), false);
  }
  return failure();
}
