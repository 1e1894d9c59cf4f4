// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes types, attributes and tensors.
#include "Exporter.h"

#include "invar/Elements/IR/DataTypes.h"
#include "invar/Elements/IR/LazyElementsAttr.h"
#include "invar/Frontend/Import/ImportTypes.h"
#include "invar/Frontend/Wire/Fields.h"
#include "invar/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

void Exporter::exportEntries(uint32_t field, DictionaryAttr entries,
                             WireMessage &message,
                             ArrayRef<EntryView> declared) {
  if (!entries)
    return;
  if (!declared.empty() &&
      importEntries(module.getContext(), declared) == entries) {
    for (const EntryView &entry : declared)
      addVerbatim(entry.whole, message);
    return;
  }
  for (NamedAttribute entry : entries) {
    WireMessage item(writer);
    item.addString(field::entry::Key, entry.getName().getValue());
    if (auto value = dyn_cast<StringAttr>(entry.getValue()))
      item.addString(field::entry::Value, value.getValue());
    message.addMessage(field, std::move(item));
  }
}

//===-- Types -------------------------------------------------------------------------===//

static int64_t numberOf(Type element) {
  std::optional<DataType> type = elements::toDataType(element);
  return type ? int64_t(*type) : 0;
}

static WireMessage exportTensorType(WireWriter &writer, TensorType type) {
  WireMessage message(writer);
  if (int64_t number = numberOf(type.getElementType()))
    message.addInt(field::type::TensorElemType, number);
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!ranked)
    return message;
  auto names = dyn_cast_or_null<DimsAttr>(ranked.getEncoding());
  WireMessage shape(writer);
  for (auto [i, size] : llvm::enumerate(ranked.getShape())) {
    WireMessage dim(writer);
    if (!ShapedType::isDynamic(size))
      dim.addInt(field::type::DimValue, size);
    else if (names && i < names.getNames().size() &&
             !names.getNames()[i].empty())
      dim.addString(field::type::DimParam, names.getNames()[i].getValue());
    shape.addMessage(field::type::ShapeDim, std::move(dim));
  }
  message.addMessage(field::type::TensorShape, std::move(shape));
  return message;
}

WireMessage Exporter::exportType(Type type) {
  WireMessage message(writer);
  auto wrap = [&](uint32_t field, Type element) {
    WireMessage inner(writer);
    inner.addMessage(field::type::ElementElemType, exportType(element));
    message.addMessage(field, std::move(inner));
  };
  if (auto tensor = dyn_cast<TensorType>(type)) {
    message.addMessage(field::type::Tensor, exportTensorType(writer, tensor));
  } else if (auto sparse = dyn_cast<SparseTensorType>(type)) {
    if (auto dense = dyn_cast<TensorType>(sparse.getDenseType()))
      message.addMessage(field::type::SparseTensor,
                         exportTensorType(writer, dense));
  } else if (auto sequence = dyn_cast<SequenceType>(type)) {
    wrap(field::type::Sequence, sequence.getElementType());
  } else if (auto optional = dyn_cast<OptionalType>(type)) {
    wrap(field::type::Optional, optional.getElementType());
  } else if (auto map = dyn_cast<MapType>(type)) {
    WireMessage inner(writer);
    inner.addInt(field::type::MapKeyType, numberOf(map.getKeyType()));
    inner.addMessage(field::type::MapValueType, exportType(map.getValueType()));
    message.addMessage(field::type::Map, std::move(inner));
  } else if (auto opaque = dyn_cast<onnx::OpaqueType>(type)) {
    WireMessage inner(writer);
    inner.addString(field::type::OpaqueDomain, opaque.getDomain());
    inner.addString(field::type::OpaqueName, opaque.getName());
    message.addMessage(field::type::Opaque, std::move(inner));
  }
  return message;
}

//===-- Tensors -----------------------------------------------------------------------===//

static void addReference(WireWriter &writer, const DataReference &place,
                         WireMessage &message) {
  std::pair<StringRef, std::string> entries[] = {
      {"location", place.location},
      {"offset", std::to_string(place.offset)},
      {"length", std::to_string(place.length)}};
  for (auto &[key, value] : entries) {
    WireMessage entry(writer);
    entry.addString(field::entry::Key, key);
    entry.addString(field::entry::Value, value);
    message.addMessage(field::tensor::ExternalData, std::move(entry));
  }
  message.addInt(field::tensor::DataLocation, 1);
}

llvm::Expected<WireMessage>
Exporter::exportTensor(ElementsAttr value, StringRef name, bool mayBeExternal) {
  FailureOr<Elements> content = elements::toElements(value);
  if (failed(content))
    return badInput(path + ": '" + name +
                    "': expected a constant of an ONNX type, but got " +
                    llvm::to_string(value.getShapedType()));
  WireMessage message(writer);
  message.addInts(field::tensor::Dims, content->getShape());
  message.addInt(field::tensor::DataType, int64_t(content->getType()));
  if (content->getType() == DataType::String) {
    SmallVector<StringRef> strings(content->numElements());
    content->read<StringRef>(0, strings);
    message.addStrings(field::tensor::StringData, strings);
    if (!name.empty())
      message.addString(field::tensor::Name, name);
    return std::move(message);
  }
  if (!name.empty())
    message.addString(field::tensor::Name, name);
  if (mayBeExternal) {
    llvm::Expected<std::optional<DataReference>> place = data->place(*content);
    if (!place)
      return place.takeError();
    if (*place) {
      addReference(writer, **place, message);
      return std::move(message);
    }
  }
  uint64_t size = content->sizeInBytes();
  // Copying a few bytes is cheaper than referring to them.
  constexpr uint64_t small = 256;
  std::optional<FileRange> range = content->getFileRange();
  if (size <= small) {
    std::string bytes(size, '\0');
    content->readBytes(
        0, MutableArrayRef(reinterpret_cast<uint8_t *>(bytes.data()), size));
    message.addString(field::tensor::RawData, bytes);
  } else if (range) {
    message.addRange(field::tensor::RawData, range->file, range->range);
  } else {
    message.addStream(
        field::tensor::RawData, size,
        [content = *content, how = options.evaluation](OutputFile &out) {
          auto write = [&](ArrayRef<uint8_t> bytes) {
            return out.write(llvm::toStringRef(bytes));
          };
          return content.streamBytes(write, how);
        });
  }
  return std::move(message);
}

llvm::Expected<WireMessage> Exporter::exportSparse(SparseAttr value,
                                                   StringRef name) {
  llvm::Expected<WireMessage> values =
      exportTensor(value.getValues(), name, /*mayBeExternal=*/false);
  if (!values)
    return values.takeError();
  llvm::Expected<WireMessage> indices =
      exportTensor(value.getIndices(), "", /*mayBeExternal=*/false);
  if (!indices)
    return indices.takeError();
  WireMessage message(writer);
  message.addMessage(field::sparse::Values, std::move(*values));
  message.addMessage(field::sparse::Indices, std::move(*indices));
  message.addInts(field::sparse::Dims, value.getType().getShape());
  return std::move(message);
}

//===-- Attributes --------------------------------------------------------------------===//

llvm::Expected<WireMessage>
Exporter::exportAttribute(StringRef name, Attribute value, bool isWeight) {
  WireMessage message(writer);
  message.addString(field::attribute::Name, name);
  auto finish = [&](AttributeKind kind) -> llvm::Expected<WireMessage> {
    message.addInt(field::attribute::Type, int64_t(kind));
    return std::move(message);
  };
  auto addTensor = [&](uint32_t field, Attribute tensor) -> llvm::Error {
    llvm::Expected<WireMessage> inner =
        isa<SparseAttr>(tensor) ? exportSparse(cast<SparseAttr>(tensor), "")
                                : exportTensor(cast<ElementsAttr>(tensor), "",
                                               /*mayBeExternal=*/isWeight);
    if (!inner)
      return inner.takeError();
    message.addMessage(field, std::move(*inner));
    return llvm::Error::success();
  };
  if (auto parameter = dyn_cast<ParameterAttr>(value)) {
    message.addInt(field::attribute::Type, int64_t(parameter.getKind()));
    message.addString(field::attribute::RefAttrName, parameter.getName());
    return std::move(message);
  }
  if (auto list = dyn_cast<ListAttr>(value))
    return finish(list.getKind());
  if (auto number = dyn_cast<IntegerAttr>(value)) {
    message.addInt(field::attribute::I, number.getInt());
    return finish(AttributeKind::Int);
  }
  if (auto number = dyn_cast<FloatAttr>(value)) {
    message.addFloat(field::attribute::F, number.getValue().convertToFloat());
    return finish(AttributeKind::Float);
  }
  if (auto text = dyn_cast<StringAttr>(value)) {
    message.addString(field::attribute::S, text.getValue());
    return finish(AttributeKind::String);
  }
  if (auto numbers = dyn_cast<DenseI64ArrayAttr>(value)) {
    message.addInts(field::attribute::Ints, numbers.asArrayRef());
    return finish(AttributeKind::Ints);
  }
  if (auto numbers = dyn_cast<DenseF32ArrayAttr>(value)) {
    message.addFloats(field::attribute::Floats, numbers.asArrayRef());
    return finish(AttributeKind::Floats);
  }
  if (auto type = dyn_cast<TypeAttr>(value)) {
    message.addMessage(field::attribute::Tp, exportType(type.getValue()));
    return finish(AttributeKind::TypeProto);
  }
  if (isa<SparseAttr>(value)) {
    if (llvm::Error error = addTensor(field::attribute::SparseTensor, value))
      return error;
    return finish(AttributeKind::SparseTensor);
  }
  if (isa<ElementsAttr>(value)) {
    if (llvm::Error error = addTensor(field::attribute::T, value))
      return error;
    return finish(AttributeKind::Tensor);
  }
  auto list = dyn_cast<ArrayAttr>(value);
  if (!list)
    return badInput(path + ": attribute '" + name +
                    "': expected a value that ONNX has, but got " +
                    llvm::to_string(value));
  AttributeKind kind = AttributeKind::Strings;
  for (Attribute item : list) {
    if (auto text = dyn_cast<StringAttr>(item)) {
      message.addString(field::attribute::Strings, text.getValue());
    } else if (auto type = dyn_cast<TypeAttr>(item)) {
      kind = AttributeKind::TypeProtos;
      message.addMessage(field::attribute::TypeProtos,
                         exportType(type.getValue()));
    } else {
      bool sparse = isa<SparseAttr>(item);
      kind = sparse ? AttributeKind::SparseTensors : AttributeKind::Tensors;
      if (llvm::Error error = addTensor(sparse ? field::attribute::SparseTensors
                                               : field::attribute::Tensors,
                                        item))
        return error;
    }
  }
  return finish(kind);
}
