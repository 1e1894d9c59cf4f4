// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Frontend/Import/ImportTypes.h"

#include "invar/Dialect/ONNX/ONNXDialect.h"
#include "invar/Elements/IR/DataTypes.h"
#include "invar/Support/ElementCount.h"
#include "invar/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace invar;

static llvm::Expected<Type> importElementType(MLIRContext *context,
                                              int64_t number) {
  if (number == 0)
    return onnx::UnknownType::get(context);
  std::optional<DataType> type = dataTypeFromNumber(number);
  if (!type)
    return badInput("expected the number of a data type, but got " +
                    Twine(number));
  return elements::toType(context, *type);
}

bool invar::isPlaceholder(StringRef name) {
  StringRef text = name.trim();
  if (text.consume_front("unk__")) // tf2onnx, onnxruntime
    return llvm::all_of(text, llvm::isDigit);
  // Written by Paddle, by the converters of Caffe2 and Keras, and by those that print
  // Python values. A number is not a name.
  int64_t number;
  return text.empty() || text == "?" || !text.getAsInteger(10, number) ||
         text.equals_insensitive("none") || text.equals_insensitive("unknown");
}

static llvm::Expected<Type>
importTensorType(MLIRContext *context, const TypeView &view, DimNames kept) {
  llvm::Expected<Type> element = importElementType(context, view.elementType);
  if (!element)
    return element.takeError();
  if (!view.hasShape)
    return UnrankedTensorType::get(*element);
  SmallVector<int64_t> shape;
  SmallVector<StringAttr> names;
  bool named = false;
  for (const DimensionView &dim : view.dims) {
    bool known = dim.value && *dim.value >= 0;
    shape.push_back(known ? *dim.value : ShapedType::kDynamic);
    bool isName =
        !known && (kept == DimNames::All || !isPlaceholder(dim.param));
    StringRef name = isName ? dim.param : StringRef();
    names.push_back(StringAttr::get(context, name));
    named |= !name.empty();
  }
  if (!ElementCount::allows(shape))
    return badInput("expected a shape of at most " + Twine(ElementCount::most) +
                    " elements, but got more");
  Attribute encoding =
      named ? onnx::DimsAttr::get(context, names) : Attribute();
  return RankedTensorType::get(shape, *element, encoding);
}

llvm::Expected<Type> invar::importType(MLIRContext *context,
                                       const TypeView &view, DimNames kept) {
  auto importElement = [&]() -> llvm::Expected<Type> {
    if (!view.element)
      return onnx::UnknownType::get(context);
    return importType(context, *view.element, kept);
  };
  switch (view.kind) {
  case TypeView::Kind::None:
    return onnx::UnknownType::get(context);
  case TypeView::Kind::Tensor:
    return importTensorType(context, view, kept);
  case TypeView::Kind::Opaque:
    return onnx::OpaqueType::get(context, view.opaqueDomain, view.opaqueName);
  case TypeView::Kind::SparseTensor: {
    llvm::Expected<Type> dense = importTensorType(context, view, kept);
    if (!dense)
      return dense.takeError();
    return onnx::SparseTensorType::get(context, *dense);
  }
  case TypeView::Kind::Sequence:
  case TypeView::Kind::Optional: {
    llvm::Expected<Type> element = importElement();
    if (!element)
      return element.takeError();
    if (view.kind == TypeView::Kind::Sequence)
      return onnx::SequenceType::get(context, *element);
    return onnx::OptionalType::get(context, *element);
  }
  case TypeView::Kind::Map: {
    llvm::Expected<Type> key = importElementType(context, view.elementType);
    if (!key)
      return key.takeError();
    llvm::Expected<Type> value = importElement();
    if (!value)
      return value.takeError();
    return onnx::MapType::get(context, *key, *value);
  }
  }
  llvm_unreachable("every kind of type was handled");
}

DictionaryAttr invar::importEntries(MLIRContext *context,
                                    ArrayRef<EntryView> entries) {
  NamedAttrList list;
  for (const EntryView &entry : entries)
    if (!entry.key.empty())
      list.set(entry.key, StringAttr::get(context, entry.value));
  return list.getDictionary(context);
}

DictionaryAttr
invar::importAnnotations(MLIRContext *context,
                         ArrayRef<TensorAnnotationView> annotations) {
  NamedAttrList list;
  for (const TensorAnnotationView &annotation : annotations)
    if (!annotation.tensorName.empty())
      list.set(annotation.tensorName,
               importEntries(context, annotation.quantParameterTensorNames));
  return list.getDictionary(context);
}
