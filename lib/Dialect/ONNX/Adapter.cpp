// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Adapter.h"

#include "invar/Dialect/ONNX/Families.h"
#include "invar/Dialect/ONNX/ONNXDialect.h"
#include "invar/Dialect/ONNX/Ops/Constant.h"
#include "invar/Elements/ElementsBuilder.h"
#include "invar/Elements/IR/DataTypes.h"
#include "invar/Elements/IR/LazyElementsAttr.h"
#include "llvm/ADT/SmallString.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- NodeForm ----------------------------------------------------------------------===//

int64_t NodeForm::getInt(StringRef name, int64_t otherwise) const {
  auto attribute = dyn_cast_or_null<IntegerAttr>(attributes.get(name));
  return attribute ? attribute.getInt() : otherwise;
}

float NodeForm::getFloat(StringRef name, float otherwise) const {
  auto attribute = dyn_cast_or_null<FloatAttr>(attributes.get(name));
  return attribute ? attribute.getValue().convertToFloat() : otherwise;
}

StringRef NodeForm::getString(StringRef name, StringRef otherwise) const {
  auto attribute = dyn_cast_or_null<StringAttr>(attributes.get(name));
  return attribute ? attribute.getValue() : otherwise;
}

std::optional<ArrayRef<int64_t>> NodeForm::getInts(StringRef name) const {
  auto attribute = dyn_cast_or_null<DenseI64ArrayAttr>(attributes.get(name));
  return attribute ? std::optional(attribute.asArrayRef()) : std::nullopt;
}

//===-- AdaptContext ------------------------------------------------------------------===//

Value AdaptContext::constant(Elements elements) const {
  auto value = elements::LazyElementsAttr::get(builder.getContext(), std::move(elements));
  return ConstantOp::create(builder, loc, cast<ElementsAttr>(value));
}

Value AdaptContext::ints(ArrayRef<int64_t> values) const {
  int64_t size = int64_t(values.size());
  return constant(
      llvm::cantFail(ElementsBuilder().fromArray<DataType::Int64>(size, values)));
}

Value AdaptContext::floats(ArrayRef<float> values) const {
  int64_t size = int64_t(values.size());
  return constant(
      llvm::cantFail(ElementsBuilder().fromArray<DataType::Float32>(size, values)));
}

Value AdaptContext::scalar(DataType type, double value) const {
  ElementsBuilder elements;
  Elements number =
      llvm::cantFail(elements.splat(DataType::Float64, {}, WideNum::ofDouble(value)));
  return constant(llvm::cantFail(elements.cast(number, type)));
}

std::optional<Elements> AdaptContext::getConstant(Value value) const {
  auto constant = value ? value.getDefiningOp<ConstantOp>() : ConstantOp();
  if (!constant || !constant.getValue())
    return std::nullopt;
  FailureOr<Elements> content = elements::toElements(constant.getValue());
  return failed(content) ? std::nullopt : std::optional(*content);
}

/// Attributes were never large: what does not fit here stays an operand.
static constexpr int64_t mostAttributeInts = 1 << 16;

std::optional<SmallVector<int64_t>> AdaptContext::getInts(Value value) const {
  std::optional<Elements> content = getConstant(value);
  if (!content || getKind(content->getType()) != NumberKind::Signed ||
      content->numElements() > mostAttributeInts)
    return std::nullopt;
  SmallVector<WideNum> numbers(content->numElements());
  content->readWideNums(0, numbers);
  return llvm::map_to_vector(numbers, [](WideNum number) { return number.i; });
}

std::optional<double> AdaptContext::getNumber(Value value) const {
  std::optional<Elements> content = getConstant(value);
  if (!content || content->numElements() != 1 || !isNumeric(content->getType()))
    return std::nullopt;
  ElementsBuilder builder;
  llvm::Expected<Elements> number = builder.cast(*content, DataType::Float64);
  if (!number) {
    llvm::consumeError(number.takeError());
    return std::nullopt;
  }
  return number->at<double>(0);
}

std::optional<DataType> AdaptContext::getDataType(Value value) const {
  auto tensor = dyn_cast_or_null<TensorType>(value ? value.getType() : Type());
  return tensor ? elements::toDataType(tensor.getElementType()) : std::nullopt;
}

std::optional<int64_t> AdaptContext::getRank(Value value) const {
  auto tensor = dyn_cast_or_null<RankedTensorType>(value ? value.getType() : Type());
  return tensor ? std::optional(tensor.getRank()) : std::nullopt;
}

void AdaptContext::attributeToInput(NodeForm &node, StringRef name, size_t slot) const {
  auto values = dyn_cast_or_null<DenseI64ArrayAttr>(node.attributes.erase(name));
  if (values)
    node.setInput(slot, ints(values.asArrayRef()));
}

Refusal AdaptContext::inputToAttribute(NodeForm &node, size_t slot, StringRef name) const {
  Value input = node.getInput(slot);
  if (!input)
    return adapted;
  std::optional<SmallVector<int64_t>> values = getInts(input);
  if (!values)
    return ("'" + name + "' is an attribute there, but its value is not constant").str();
  node.attributes.set(name, builder.getDenseI64ArrayAttr(*values));
  node.setInput(slot, nullptr);
  return adapted;
}

//===-- AdapterTable ------------------------------------------------------------------===//

AdapterTable::AdapterTable() { addAllAdapters(*this); }

void AdapterTable::add(const Adapter &adapter, StringRef domain) {
  SmallVector<Adapter, 2> &list = byOperator[(domain + "::" + adapter.opType).str()];
  auto place = llvm::upper_bound(list, adapter, [](const Adapter &a, const Adapter &b) {
    return a.version < b.version;
  });
  list.insert(place, adapter);
}

ArrayRef<Adapter> AdapterTable::find(const NodeForm &node) const {
  SmallString<64> key;
  auto it = byOperator.find((node.domain + "::" + Twine(node.opType)).toStringRef(key));
  return it == byOperator.end() ? ArrayRef<Adapter>() : ArrayRef<Adapter>(it->second);
}

Refusal AdapterTable::upgrade(NodeForm &node, AdaptContext &context) const {
  // A hint to reuse memory that operators had before version 6; nobody heeds it.
  if (node.domain.empty() && context.version < 6)
    node.attributes.erase("consumed_inputs");
  for (const Adapter &adapter : find(node))
    if (adapter.version > context.version && adapter.up)
      if (Refusal refusal = adapter.up(node, context))
        return refusal;
  return adapted;
}

Refusal AdapterTable::downgrade(NodeForm &node, AdaptContext &context) const {
  for (const Adapter &adapter : llvm::reverse(find(node)))
    if (adapter.version > context.version && adapter.down)
      if (Refusal refusal = adapter.down(node, context))
        return refusal;
  return adapted;
}
