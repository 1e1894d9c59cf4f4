// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Adapter.h"

#include "invar/Dialect/ONNX/Families.h"
#include "invar/Dialect/ONNX/ONNXDialect.h"
#include "invar/Dialect/ONNX/Ops/Constant.h"
#include "invar/Elements/ElementsBuilder.h"
#include "invar/Elements/IR/DataTypes.h"
#include "invar/Elements/IR/LazyElementsAttr.h"
#include "llvm/ADT/SmallString.h"
#include <cmath>

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- NodeForm ----------------------------------------------------------------------===//

bool NodeForm::saysTheSame(const NodeForm &other) const {
  for (size_t i = 0; i < std::max(inputs.size(), other.inputs.size()); ++i)
    if (getInput(i) != other.getInput(i))
      return false;
  return domain == other.domain && opType == other.opType &&
         attributes == other.attributes;
}

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
  auto value = elements::LazyElementsAttr::get(builder.getContext(),
                                               std::move(elements));
  return ConstantOp::create(builder, loc, cast<ElementsAttr>(value));
}

Value AdaptContext::ints(ArrayRef<int64_t> values, DataType type) const {
  int64_t size = int64_t(values.size());
  if (type == DataType::Int32) {
    SmallVector<int32_t> narrow(values);
    return constant(llvm::cantFail(
        ElementsBuilder().fromArray<DataType::Int32>(size, narrow)));
  }
  return constant(llvm::cantFail(
      ElementsBuilder().fromArray<DataType::Int64>(size, values)));
}

Value AdaptContext::floats(ArrayRef<float> values) const {
  int64_t size = int64_t(values.size());
  return constant(llvm::cantFail(
      ElementsBuilder().fromArray<DataType::Float32>(size, values)));
}

Value AdaptContext::scalar(DataType type, double value) const {
  ElementsBuilder elements;
  Elements number = llvm::cantFail(
      elements.splat(DataType::Float64, {}, WideNum::ofDouble(value)));
  return constant(llvm::cantFail(elements.cast(number, type)));
}

std::optional<Elements> AdaptContext::getConstant(Value value) const {
  auto constant = value ? value.getDefiningOp<ConstantOp>() : ConstantOp();
  if (value && !constant && lookUp)
    return lookUp(value);
  if (!constant || !constant.getValue())
    return std::nullopt;
  FailureOr<Elements> content = elements::toElements(constant.getValue());
  return failed(content) ? std::nullopt : std::optional(*content);
}

/// Attributes are never larger than this; a longer list stays an operand.
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

std::optional<float> AdaptContext::getFloat(Value value) const {
  std::optional<double> number = getNumber(value);
  if (!number || (double(float(*number)) != *number && !std::isnan(*number)))
    return std::nullopt;
  return float(*number);
}

std::optional<DataType> AdaptContext::getDataType(Value value) const {
  auto tensor = dyn_cast_or_null<TensorType>(value ? value.getType() : Type());
  return tensor ? elements::toDataType(tensor.getElementType()) : std::nullopt;
}

std::optional<int64_t> AdaptContext::getRank(Value value) const {
  auto tensor =
      dyn_cast_or_null<RankedTensorType>(value ? value.getType() : Type());
  return tensor ? std::optional(tensor.getRank()) : std::nullopt;
}

std::optional<ArrayRef<int64_t>> AdaptContext::getShape(Value value) const {
  auto tensor =
      dyn_cast_or_null<RankedTensorType>(value ? value.getType() : Type());
  return tensor ? std::optional(tensor.getShape()) : std::nullopt;
}

Type AdaptContext::getType(Value like) const {
  auto tensor = dyn_cast_or_null<TensorType>(like ? like.getType() : Type());
  return tensor ? Type(UnrankedTensorType::get(tensor.getElementType()))
                : Type(UnknownType::get(builder.getContext()));
}

Type AdaptContext::getType(Value like, ArrayRef<int64_t> shape) const {
  auto tensor = dyn_cast_or_null<TensorType>(like ? like.getType() : Type());
  return tensor ? Type(RankedTensorType::get(shape, tensor.getElementType()))
                : Type(UnknownType::get(builder.getContext()));
}

void AdaptContext::setInt(NodeForm &node, StringRef name, int64_t value) const {
  node.attributes.set(name, builder.getI64IntegerAttr(value));
}

void AdaptContext::setFloat(NodeForm &node, StringRef name, float value) const {
  node.attributes.set(name, builder.getF32FloatAttr(value));
}

void AdaptContext::setString(NodeForm &node, StringRef name,
                             StringRef value) const {
  node.attributes.set(name, builder.getStringAttr(value));
}

void AdaptContext::attributeToInput(NodeForm &node, StringRef name,
                                    size_t slot) const {
  std::optional<ArrayRef<int64_t>> values = node.getInts(name);
  if (!values)
    return;
  node.setInput(slot, ints(*values));
  node.attributes.erase(name);
}

Refusal AdaptContext::inputToAttribute(NodeForm &node, size_t slot,
                                       StringRef name) const {
  Value input = node.getInput(slot);
  if (!input)
    return adapted;
  std::optional<SmallVector<int64_t>> values = getInts(input);
  if (!values)
    return ("'" + name +
            "' is an attribute there, but its value is not constant")
        .str();
  node.attributes.set(name, builder.getDenseI64ArrayAttr(*values));
  node.setInput(slot, nullptr);
  return adapted;
}

//===-- Ways down that many operators share -------------------------------------------===//

static std::string noAttribute(StringRef name, int64_t version) {
  return ("version " + Twine(version) + " has no attribute '" + name + "'")
      .str();
}

static bool saysOnly(Attribute attribute, int64_t value) {
  if (auto number = dyn_cast<IntegerAttr>(attribute))
    return number.getInt() == value;
  auto list = dyn_cast<DenseI64ArrayAttr>(attribute);
  return list &&
         llvm::all_of(list.asArrayRef(), [&](int64_t x) { return x == value; });
}

static bool saysOnly(Attribute attribute, StringRef value) {
  auto text = dyn_cast<StringAttr>(attribute);
  return text && text.getValue() == value;
}

template <typename T>
static Adapter::Function dropIfOnly(StringRef name, T value) {
  return [=](NodeForm &node, AdaptContext &context) -> Refusal {
    Attribute given = node.attributes.get(name);
    if (given && !saysOnly(given, value))
      return noAttribute(name, context.version);
    node.attributes.erase(name);
    return adapted;
  };
}

Adapter::Function onnx::dropIfDefault(StringRef attribute, int64_t value) {
  return dropIfOnly(attribute, value);
}

Adapter::Function onnx::dropIfDefault(StringRef attribute, StringRef value) {
  return dropIfOnly(attribute, value);
}

Adapter::Function onnx::refuseIfGiven(StringRef attribute) {
  return [=](NodeForm &node, AdaptContext &context) -> Refusal {
    if (node.attributes.get(attribute))
      return noAttribute(attribute, context.version);
    return adapted;
  };
}

Refusal onnx::countFromFront(MutableArrayRef<int64_t> axes,
                             std::optional<int64_t> rank) {
  for (int64_t &axis : axes) {
    if (axis >= 0)
      continue;
    if (!rank)
      return "axis " + std::to_string(axis) +
             " counts from the back of an unknown rank";
    if (axis < -*rank)
      return "axis " + std::to_string(axis) + " is out of range";
    axis += *rank;
  }
  return adapted;
}

Adapter::Function onnx::countFromFront(StringRef attribute) {
  return [=](NodeForm &node, AdaptContext &context) -> Refusal {
    Attribute given = node.attributes.get(attribute);
    std::optional<int64_t> rank = context.getRank(node.getInput(0));
    // The older specification does not mention negative axes, but models contain them
    // and runtimes accept them. Keeping them is better than refusing the node.
    if (!rank)
      return adapted;
    if (auto list = dyn_cast_or_null<DenseI64ArrayAttr>(given)) {
      SmallVector<int64_t> axes(list.asArrayRef());
      if (Refusal refusal = countFromFront(axes, rank))
        return refusal;
      node.attributes.set(attribute,
                          context.builder.getDenseI64ArrayAttr(axes));
    } else if (isa_and_nonnull<IntegerAttr>(given)) {
      int64_t axis = node.getInt(attribute, 0);
      if (Refusal refusal = countFromFront(axis, rank))
        return refusal;
      context.setInt(node, attribute, axis);
    }
    return adapted;
  };
}

//===-- AdapterTable ------------------------------------------------------------------===//

AdapterTable::AdapterTable() { addAllAdapters(*this); }

void AdapterTable::add(const Adapter &adapter, StringRef domain) {
  auto &list = byOperator[(domain + "::" + adapter.opType).str()].adapters;
  auto place =
      llvm::upper_bound(list, adapter, [](const Adapter &a, const Adapter &b) {
        return a.version < b.version;
      });
  list.insert(place, adapter);
}

void AdapterTable::add(std::initializer_list<Adapter> adapters,
                       StringRef domain) {
  for (const Adapter &adapter : adapters)
    add(adapter, domain);
}

void AdapterTable::exist(std::initializer_list<FirstVersion> operators,
                         StringRef domain) {
  for (const FirstVersion &first : operators)
    byOperator[(domain + "::" + first.opType).str()].firstVersion =
        first.version;
}

const AdapterTable::Entry &AdapterTable::find(const NodeForm &node) const {
  SmallString<64> key;
  auto it = byOperator.find(
      (node.domain + "::" + Twine(node.opType)).toStringRef(key));
  return it == byOperator.end() ? nothingToDo : it->second;
}

int64_t AdapterTable::getFirstVersion(StringRef domain, StringRef type) const {
  auto it = byOperator.find((domain + "::" + type).str());
  return it == byOperator.end() ? nothingToDo.firstVersion
                                : it->second.firstVersion;
}

Refusal AdapterTable::raise(NodeForm &node, AdaptContext &context,
                            int64_t version) const {
  std::string type = node.opType;
  for (const Adapter &adapter : find(node).adapters) {
    if (adapter.version <= version || !adapter.up)
      continue;
    if (Refusal refusal = adapter.up(node, context))
      return refusal;
    if (node.opType != type)
      return raise(node, context, adapter.version);
  }
  return adapted;
}

Refusal AdapterTable::lower(NodeForm &node, AdaptContext &context,
                            int64_t version) const {
  std::string type = node.opType;
  const Entry &entry = find(node);
  for (const Adapter &adapter : llvm::reverse(entry.adapters)) {
    if (adapter.version >= version || adapter.version <= context.version ||
        !adapter.down)
      continue;
    bool isOldForm = context.asRead && !adapter.up;
    NodeForm before = isOldForm ? node : NodeForm();
    if (Refusal refusal = adapter.down(node, context)) {
      if (!isOldForm)
        return refusal;
      node = std::move(before);
    }
    if (node.opType != type)
      return lower(node, context, adapter.version);
  }
  if (context.version < entry.firstVersion && !context.asRead)
    return "'" + type + "' exists since version " +
           std::to_string(entry.firstVersion);
  return adapted;
}

static void dropTrailingGaps(NodeForm &node) {
  while (!node.inputs.empty() && !node.inputs.back())
    node.inputs.pop_back();
}

Refusal AdapterTable::upgrade(NodeForm &node, AdaptContext &context) const {
  // Before version 6 operators had this hint to reuse memory; runtimes ignore it.
  if (node.domain.empty() && context.version < 6)
    node.attributes.erase("consumed_inputs");
  Refusal refusal = raise(node, context, context.version);
  dropTrailingGaps(node);
  return refusal;
}

Refusal AdapterTable::downgrade(NodeForm &node, AdaptContext &context) const {
  Refusal refusal = lower(node, context, afterAllVersions);
  dropTrailingGaps(node);
  return refusal;
}
