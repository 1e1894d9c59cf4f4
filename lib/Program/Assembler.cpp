// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Assembler.h"

#include "Encoder.h"
#include "invar/Dialect/Runtime/Runtime.h"
#include "invar/Dialect/Runtime/Setting.h"
#include "invar/Elements/IR/DataTypes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace invar;

/// A number of 64 bits as two words, low word first.
static void append(Assembler::Words &words, uint64_t number) {
  words.push_back(uint32_t(number));
  words.push_back(uint32_t(number >> 32));
}

uint32_t Assembler::getString(StringRef text) {
  auto [entry, isNew] =
      stringNumbers.try_emplace(text, uint32_t(strings.size()));
  if (isNew)
    strings.push_back(text.str());
  return entry->second;
}

//===-- Types and constants ---------------------------------------------------===//

std::optional<uint32_t> invar::getDataType(Type element) {
  if (element.isIndex())
    return INVAR_INT64;
  if (std::optional<DataType> type = elements::toDataType(element))
    return uint32_t(*type);
  return std::nullopt;
}

uint32_t Assembler::getType(Type type, ArrayAttr dimNames) {
  Words words;
  if (auto tensor = dyn_cast<TensorType>(type)) {
    std::optional<uint32_t> element = getDataType(tensor.getElementType());
    if (!element)
      return INVAR_NONE;
    words = {INVAR_TYPE_TENSOR, *element};
    if (!tensor.hasRank()) {
      words.push_back(INVAR_NONE);
    } else {
      words.push_back(uint32_t(tensor.getRank()));
      for (auto [axis, size] : llvm::enumerate(tensor.getShape())) {
        append(words, uint64_t(ShapedType::isDynamic(size) ? -1 : size));
        auto name = dimNames && axis < dimNames.size()
                        ? dyn_cast<StringAttr>(dimNames[axis])
                        : StringAttr();
        words.push_back(name && !name.empty() ? getString(name) : INVAR_NONE);
      }
    }
  } else if (auto sequence = dyn_cast<rt::SequenceType>(type)) {
    words = {INVAR_TYPE_SEQUENCE, getType(sequence.getElementType())};
  } else if (auto optional = dyn_cast<rt::OptionalType>(type)) {
    words = {INVAR_TYPE_OPTIONAL, getType(optional.getElementType())};
  } else if (auto map = dyn_cast<rt::MapType>(type)) {
    std::optional<uint32_t> key = getDataType(map.getKeyType());
    uint32_t value = getType(RankedTensorType::get({}, map.getValueType()));
    if (!key || value == INVAR_NONE)
      return INVAR_NONE;
    words = {INVAR_TYPE_MAP, *key, value};
  } else {
    return INVAR_NONE;
  }
  auto [entry, isNew] = types.try_emplace(words, uint32_t(types.size()));
  if (isNew)
    typeWords.insert(typeWords.end(), words.begin(), words.end());
  return entry->second;
}

uint32_t Assembler::addConstant(uint32_t type, InvarConstantKind kind,
                                ConstantPlace place) {
  constantWords.insert(constantWords.end(), {type, uint32_t(kind)});
  append(constantWords, place.offset);
  append(constantWords, place.size);
  return numConstants++;
}

/// The place of a parameter consists of its number and size.
FailureOr<ConstantPlace> Assembler::findPlace(Value constant,
                                              bool isParameter) {
  if (!isParameter)
    return places.getStored(constant);
  FailureOr<uint32_t> number = places.getParameter(constant);
  if (failed(number))
    return failure();
  return ConstantPlace{*number, places.getParameters()[*number].size};
}

FailureOr<uint32_t> Assembler::getConstant(Value constant) {
  uint32_t type = getType(constant.getType());
  bool isParameter = places.isParameter(constant);
  FailureOr<ConstantPlace> place = findPlace(constant, isParameter);
  if (failed(place) || type == INVAR_NONE)
    return failure();
  return findConstant(
      type, isParameter ? INVAR_CONSTANT_PARAMETER : INVAR_CONSTANT_STORED,
      *place);
}

FailureOr<uint32_t> Assembler::getConstant(ElementsAttr content) {
  uint32_t type = getType(content.getShapedType());
  FailureOr<ConstantPlace> place = places.getStored(content);
  if (failed(place) || type == INVAR_NONE)
    return failure();
  return findConstant(type, INVAR_CONSTANT_STORED, *place);
}

/// The number of a constant, which is added if it is new.
uint32_t Assembler::findConstant(uint32_t type, InvarConstantKind kind,
                                 ConstantPlace place) {
  auto [known, isNew] =
      constantNumbers.try_emplace({type, kind, place.offset}, numConstants);
  return isNew ? addConstant(type, kind, place) : known->second;
}

void Assembler::addParameter(const ParameterPlace &parameter) {
  parameterWords.insert(parameterWords.end(),
                        {getString(parameter.name), getType(parameter.type)});
  append(parameterWords,
         parameter.place ? parameter.place->offset : ~uint64_t(0));
  ++numParameters;
}

FailureOr<uint32_t> Assembler::getFolded(int64_t id, Type type) {
  uint32_t number = getType(type);
  FailureOr<ConstantPlace> place = places.getFolded(id, type);
  if (failed(place) || number == INVAR_NONE)
    return failure();
  return addConstant(number, INVAR_CONSTANT_FOLDED, *place);
}

//===-- Attributes ------------------------------------------------------------===//

namespace {
/// The values of one setting as words.
struct Values {
  Assembler &assembler;
  InvarAttributeKind kind = INVAR_ATTRIBUTE_INTS;
  uint32_t count = 0;
  Assembler::Words words;

  void beginFloats() { kind = INVAR_ATTRIBUTE_FLOATS; }
  void addInt(int64_t number) {
    kind = INVAR_ATTRIBUTE_INTS;
    append(words, uint64_t(number));
    ++count;
  }
  void addFloat(double number) {
    kind = INVAR_ATTRIBUTE_FLOATS;
    append(words, llvm::bit_cast<uint64_t>(number));
    ++count;
  }
  void addString(StringRef text) {
    kind = INVAR_ATTRIBUTE_STRINGS;
    words.push_back(assembler.getString(text));
    ++count;
  }
  bool addType(Type type) {
    std::optional<uint32_t> number = getDataType(type);
    addInt(number.value_or(0));
    return number.has_value();
  }
};
} // namespace

FailureOr<uint32_t> Assembler::getAttributes(DictionaryAttr attributes,
                                             std::string &failed) {
  Words words = {uint32_t(attributes.size())};
  for (NamedAttribute attribute : attributes) {
    Values values{*this};
    if (!rt::visitSetting(attribute.getValue(), values)) {
      failed = attribute.getName().str();
      return failure();
    }
    words.insert(words.end(), {getString(attribute.getName()),
                               uint32_t(values.kind), values.count});
    words.insert(words.end(), values.words.begin(), values.words.end());
  }
  auto [entry, isNew] =
      attributeLists.try_emplace(words, uint32_t(attributeLists.size()));
  if (isNew)
    attributeWords.insert(attributeWords.end(), words.begin(), words.end());
  return entry->second;
}

//===-- Code ------------------------------------------------------------------===//

void Assembler::beginNode(StringRef name) {
  uint32_t number = getString(name);
  if (!nodes.empty() && nodes.back() == number)
    return;
  if (nodes.size() >= 2 && nodes[nodes.size() - 2] == getPosition())
    nodes.back() = number;
  else
    nodes.insert(nodes.end(), {getPosition(), number});
}

void Assembler::emit(InvarOpcode opcode, ArrayRef<uint32_t> operands) {
  code.push_back(opcode);
  code.insert(code.end(), operands.begin(), operands.end());
}

void Assembler::emitNumber(uint32_t to, uint64_t bits) {
  emit(INVAR_OP_NUMBER, {to, uint32_t(bits), uint32_t(bits >> 32)});
}

uint32_t Assembler::emitJump(InvarOpcode opcode,
                             std::optional<uint32_t> condition) {
  if (condition)
    emit(opcode, {*condition, 0});
  else
    emit(opcode, 0);
  return getPosition() - 1;
}

Assembler::Words Assembler::finish() {
  InvarProgramHeader header = {};
  header.magic = INVAR_PROGRAM_MAGIC;
  header.num_strings = uint32_t(strings.size());
  header.num_types = uint32_t(types.size());
  header.num_parameters = numParameters;
  header.num_constants = numConstants;
  header.num_attribute_lists = uint32_t(attributeLists.size());
  header.num_inputs = uint32_t(inputs.size() / 3);
  header.num_outputs = uint32_t(outputs.size() / 2);
  header.num_nodes = uint32_t(nodes.size() / 2);
  header.num_code_words = uint32_t(code.size());
  header.num_number_registers = numNumbers;
  header.num_object_registers = numObjects;
  header.num_blocks = numBlocks;
  header.source = source;

  Words words;
  words.resize(sizeof(header) / 4);
  memcpy(words.data(), &header, sizeof(header));
  for (const std::string &text : strings) {
    words.push_back(uint32_t(text.size()));
    size_t at = words.size();
    words.resize(at + llvm::divideCeil(text.size(), 4));
    memcpy(words.data() + at, text.data(), text.size());
  }
  words.insert(words.end(), typeWords.begin(), typeWords.end());
  for (const Words &table : {parameterWords, constantWords, attributeWords,
                             inputs, outputs, nodes, code})
    words.insert(words.end(), table.begin(), table.end());
  return words;
}
