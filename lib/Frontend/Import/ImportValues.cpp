// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Imports tensors and attributes. A tensor's bytes stay in their file.
#include "Importer.h"
#include "invar/Frontend/Import/ImportTypes.h"

#include "invar/Elements/IR/DataTypes.h"
#include "invar/Elements/IR/LazyElementsAttr.h"
#include "invar/Support/ElementCount.h"
#include "invar/Support/Error.h"

using namespace mlir;
using namespace invar;

/// The content of a tensor, as a buffer over its file or over separate memory.
static llvm::Expected<BufferRef> makeBuffer(TensorData data) {
  int64_t count = int64_t(data.count);
  if (data.type == DataType::String)
    return Buffer::copyStrings(data.strings);
  ArrayRef<uint8_t> bytes = llvm::arrayRefFromStringRef(data.bytes);
  // A tensor without bytes does not refer to the file.
  if (data.file && !bytes.empty())
    return Buffer::mapped(data.type, count, bytes, data.file);
  if (data.owned)
    return Buffer::unowned(data.type, count, bytes,
                           std::shared_ptr<uint8_t[]>(std::move(data.owned)));
  return Buffer::unowned(data.type, count, bytes);
}

llvm::Expected<ElementsAttr> Importer::importTensor(const TensorView &tensor) {
  llvm::Expected<TensorData> data = readTensor(tensor, wire, files);
  if (!data)
    return data.takeError();
  referringTensors += tensor.dataLocation != 0;
  ArrayRef<int64_t> shape = data->shape;
  llvm::Expected<BufferRef> buffer = makeBuffer(std::move(*data));
  if (!buffer)
    return buffer.takeError();
  llvm::Expected<Elements> content = elements.fromBuffer(*buffer, shape);
  if (!content)
    return content.takeError();
  return cast<ElementsAttr>(elements::LazyElementsAttr::get(context, *content));
}

llvm::Expected<onnx::SparseAttr>
Importer::importSparse(const SparseTensorView &sparse) {
  if (!sparse.values || !sparse.indices)
    return badInput("expected values and indices, but got only one of them");
  StringRef name = sparse.values->name;
  llvm::Expected<ElementsAttr> values = importTensor(*sparse.values);
  if (!values)
    return values.takeError();
  llvm::Expected<ElementsAttr> indices = importTensor(*sparse.indices);
  if (!indices)
    return indices.takeError();
  if (!countElements(sparse.dims) || !ElementCount::allows(sparse.dims))
    return badInput("sparse tensor '" + name + "': expected dims of at most " +
                    Twine(ElementCount::most) + " elements, but got others");
  ShapedType valuesType = values->getShapedType(),
             indicesType = indices->getShapedType();
  bool fits = valuesType.getRank() == 1 &&
              indicesType.getElementType().isInteger(64) &&
              (indicesType.getRank() == 1 ||
               (indicesType.getRank() == 2 &&
                indicesType.getDimSize(1) == int64_t(sparse.dims.size()))) &&
              indicesType.getDimSize(0) == valuesType.getDimSize(0);
  if (!fits)
    return badInput(
        "sparse tensor '" + name +
        "': expected int64 indices of shape [n] or [n, rank] for values of "
        "shape [n], but got other shapes or types");
  auto type = RankedTensorType::get(sparse.dims, valuesType.getElementType());
  return onnx::SparseAttr::get(context, *values, *indices, type);
}

llvm::Expected<Attribute>
Importer::importAttribute(const AttributeView &attribute) {
  if (!attribute.refAttrName.empty())
    return onnx::ParameterAttr::get(context, attribute.refAttrName,
                                    attribute.kind);
  SmallVector<Attribute> list;
  switch (attribute.kind) {
  case AttributeKind::Float:
    return builder.getF32FloatAttr(attribute.floats.front());
  case AttributeKind::Int:
    return builder.getI64IntegerAttr(attribute.ints.front());
  case AttributeKind::String:
    return builder.getStringAttr(attribute.strings.front());
  case AttributeKind::Floats:
    return builder.getDenseF32ArrayAttr(attribute.floats);
  case AttributeKind::Ints:
    return builder.getDenseI64ArrayAttr(attribute.ints);
  case AttributeKind::Strings:
    return builder.getStrArrayAttr(attribute.strings);
  case AttributeKind::Tensor:
  case AttributeKind::Tensors:
    for (const TensorView &tensor : attribute.tensors) {
      llvm::Expected<ElementsAttr> value = importTensor(tensor);
      if (!value)
        return value.takeError();
      list.push_back(*value);
    }
    break;
  case AttributeKind::SparseTensor:
  case AttributeKind::SparseTensors:
    for (const SparseTensorView &sparse : attribute.sparseTensors) {
      llvm::Expected<onnx::SparseAttr> value = importSparse(sparse);
      if (!value)
        return value.takeError();
      list.push_back(*value);
    }
    break;
  case AttributeKind::TypeProto:
  case AttributeKind::TypeProtos:
    for (const TypeView &type : attribute.types) {
      llvm::Expected<Type> value = importType(context, type);
      if (!value)
        return value.takeError();
      list.push_back(TypeAttr::get(*value));
    }
    break;
  case AttributeKind::Graphs:
    break;
  case AttributeKind::Graph:
    llvm_unreachable("graphs become regions");
  case AttributeKind::Undefined:
    return badInput("expected an attribute with a value, but got none");
  }
  bool single = attribute.kind == AttributeKind::Tensor ||
                attribute.kind == AttributeKind::SparseTensor ||
                attribute.kind == AttributeKind::TypeProto;
  if (list.empty())
    return onnx::ListAttr::get(context, attribute.kind);
  return single ? list.front() : builder.getArrayAttr(list);
}
