// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Type.h"

#include <algorithm>

using namespace invar::runtime;

std::string invar::runtime::describeTensor(InvarDataType type, Sizes sizes) {
  std::string text = std::string("tensor(") + getName(type) + ")[";
  for (size_t axis = 0; axis < sizes.size(); ++axis)
    text.append(axis ? "," : "").append(std::to_string(sizes[axis]));
  return text + "]";
}

static std::string describeMap(InvarDataType key, InvarDataType value) {
  return std::string("map(") + getName(key) + ", tensor(" + getName(value) +
         "))";
}

std::string invar::runtime::describe(const Type &type) {
  if (type.kind == INVAR_TYPE_SEQUENCE)
    return "sequence(" + describe(*type.element) + ")";
  if (type.kind == INVAR_TYPE_OPTIONAL)
    return "optional(" + describe(*type.element) + ")";
  if (type.kind == INVAR_TYPE_MAP)
    return describeMap(type.keyType, type.element->dataType);
  std::string text = std::string("tensor(") + getName(type.dataType) + ")";
  if (!type.isRanked)
    return text;
  text += "[";
  for (size_t axis = 0; axis < type.sizes.size(); ++axis) {
    text += axis ? "," : "";
    if (type.sizes[axis] >= 0)
      text += std::to_string(type.sizes[axis]);
    else
      text += type.names[axis] ? type.names[axis] : "?";
  }
  return text + "]";
}

std::string invar::runtime::describe(const Value *value) {
  if (!value)
    return "nothing";
  auto *mutableValue = const_cast<Value *>(value);
  if (const Tensor *tensor = asTensor(mutableValue))
    return describeTensor(tensor->getType(), tensor->getSizes());
  if (const Sequence *sequence = asSequence(mutableValue)) {
    if (sequence->getItems().empty())
      return "an empty sequence";
    return "sequence(" + describe(sequence->getItems().front()) + ")";
  }
  if (const Map *map = asMap(mutableValue))
    return describeMap(map->getKeys().getType(), map->getValues().getType());
  const Value *item = asOptional(mutableValue)->getItem();
  return item ? "optional(" + describe(item) + ")" : "an empty optional";
}

static bool matchesTensor(const Tensor &tensor, const Type &type) {
  if (tensor.getType() != type.dataType)
    return false;
  if (!type.isRanked)
    return true;
  Sizes sizes = tensor.getSizes();
  return std::equal(sizes.begin(), sizes.end(), type.sizes.begin(),
                    type.sizes.end(), [](int64_t size, int64_t wanted) {
                      return wanted < 0 || size == wanted;
                    });
}

std::optional<uint64_t> invar::runtime::countBytes(const Type &type) {
  if (type.kind != INVAR_TYPE_TENSOR || !type.isRanked ||
      type.dataType == INVAR_STRING)
    return std::nullopt;
  return countBytes(type.dataType, type.sizes.data(), type.sizes.size());
}

bool invar::runtime::matches(const Value *value, const Type &type) {
  if (!value || value->kind != type.kind)
    return false;
  if (type.kind == INVAR_TYPE_TENSOR)
    return matchesTensor(*static_cast<const Tensor *>(value), type);
  if (type.kind == INVAR_TYPE_SEQUENCE) {
    auto items = static_cast<const Sequence *>(value)->getItems();
    return std::all_of(items.begin(), items.end(), [&](const Value *item) {
      return matches(item, *type.element);
    });
  }
  if (type.kind == INVAR_TYPE_MAP) {
    const auto &map = *static_cast<const Map *>(value);
    return map.getKeys().getType() == type.keyType &&
           map.getValues().getType() == type.element->dataType;
  }
  const Value *item = static_cast<const Optional *>(value)->getItem();
  return !item || matches(item, *type.element);
}
