// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds programs for tests like assembly, with C++ functions as kernels:
//
//   ProgramBuilder b;
//   auto x = b.input("x", b.tensor(INVAR_FLOAT32, {"N"}));
//   auto n = b.number(), y = b.object();
//   b.emit(INVAR_OP_SIZE, n, x, 0);
//   b.emit(INVAR_OP_ALLOCATE, y, INVAR_FLOAT32, List{n});
//   b.emit(INVAR_OP_KERNEL, b.kernel({run, plan, "twice"}), List{x, y}, List{n});
//   b.output("y", b.tensor(INVAR_FLOAT32, {"N"}));
//   b.emit(INVAR_OP_RETURN, List{y});
//   Session session = b.load();
#ifndef INVAR_UNITTESTS_RUNTIME_PROGRAMBUILDER_H
#define INVAR_UNITTESTS_RUNTIME_PROGRAMBUILDER_H

#include "invar-c/Abi.h"
#include "invar-c/Program.h"
#include "invar-c/Session.h"

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace invar::testing {

using List = std::vector<uint32_t>;

/// A size or its name.
using Size = std::variant<int, const char *>;

struct Label {
  uint32_t number;
};

class ProgramBuilder {
public:
  uint32_t string(std::string text) {
    strings.push_back(std::move(text));
    return uint32_t(strings.size() - 1);
  }

  // Types
  uint32_t tensor(InvarDataType type, const std::vector<Size> &sizes) {
    List words = {INVAR_TYPE_TENSOR, uint32_t(type), uint32_t(sizes.size())};
    for (const Size &size : sizes) {
      bool isNamed = std::holds_alternative<const char *>(size);
      append(words, isNamed ? -1 : std::get<int>(size));
      words.push_back(isNamed ? string(std::get<const char *>(size))
                              : INVAR_NONE);
    }
    return addType(words);
  }
  uint32_t anyTensor(InvarDataType type) {
    return addType({INVAR_TYPE_TENSOR, uint32_t(type), INVAR_NONE});
  }
  uint32_t sequence(uint32_t type) {
    return addType({INVAR_TYPE_SEQUENCE, type});
  }
  uint32_t optional(uint32_t type) {
    return addType({INVAR_TYPE_OPTIONAL, type});
  }
  uint32_t map(InvarDataType key, InvarDataType value) {
    uint32_t type = tensor(value, {});
    return addType({INVAR_TYPE_MAP, uint32_t(key), type});
  }
  uint32_t addType(const List &words) {
    types.insert(types.end(), words.begin(), words.end());
    return numTypes++;
  }

  // Registers
  uint32_t number() { return numNumbers++; }
  uint32_t object() { return numObjects++; }
  uint32_t block() { return numBlocks++; }
  /// Inputs must be added before other objects.
  uint32_t input(std::string name, uint32_t type,
                 uint32_t defaultConstant = INVAR_NONE) {
    inputs.push_back(string(std::move(name)));
    inputs.push_back(type);
    inputs.push_back(defaultConstant);
    return object();
  }
  void output(std::string name, uint32_t type) {
    outputs.push_back(string(std::move(name)));
    outputs.push_back(type);
  }

  // Tables
  template <typename T>
  uint32_t constant(uint32_t type, const std::vector<T> &elements) {
    return constantBytes(type, elements.data(), elements.size() * sizeof(T));
  }
  uint32_t constantBytes(uint32_t type, const void *bytes, size_t size) {
    store.resize((store.size() + 63) / 64 * 64);
    size_t offset = store.size();
    store.insert(store.end(), static_cast<const char *>(bytes),
                 static_cast<const char *>(bytes) + size);
    return addConstant(type, offset, size);
  }
  uint32_t addConstant(uint32_t type, uint64_t offset, uint64_t size,
                       uint32_t kind = INVAR_CONSTANT_STORED) {
    constants.insert(constants.end(), {type, kind});
    append(constants, int64_t(offset));
    append(constants, int64_t(size));
    return numConstants++;
  }
  /// A named weight; without an offset, it is not in the store.
  uint32_t parameter(std::string name, uint32_t type,
                     uint64_t offset = ~uint64_t(0)) {
    parameters.push_back(string(std::move(name)));
    parameters.push_back(type);
    append(parameters, int64_t(offset));
    return numParameters++;
  }
  uint32_t kernel(InvarKernel kernel) {
    kernels.push_back(kernel);
    return uint32_t(kernels.size() - 1);
  }

  struct Attribute {
    const char *name;
    std::variant<std::vector<int64_t>, std::vector<double>,
                 std::vector<std::string>>
        values;
  };
  uint32_t attributes(const std::vector<Attribute> &list) {
    List words = {uint32_t(list.size())};
    for (const Attribute &attribute : list) {
      words.push_back(string(attribute.name));
      words.push_back(uint32_t(attribute.values.index()));
      std::visit(
          [&](const auto &values) {
            words.push_back(uint32_t(values.size()));
            for (const auto &value : values)
              append(words, value);
          },
          attribute.values);
    }
    attributeLists.insert(attributeLists.end(), words.begin(), words.end());
    return numAttributeLists++;
  }

  // Code
  void node(std::string name) {
    nodes.push_back(uint32_t(code.size()));
    nodes.push_back(string(std::move(name)));
  }
  /// Operands are words, integers of 64 bits (int64_t), lists and labels.
  template <typename... Operands>
  void emit(InvarOpcode opcode, const Operands &...operands) {
    code.push_back(opcode);
    (append(operands), ...);
  }
  /// A CALL; without a list it has no attributes.
  void call(std::string name, const List &operands, const List &results,
            const List &resultTypes, uint32_t list = INVAR_NONE) {
    emit(INVAR_OP_CALL, string(std::move(name)),
         list == INVAR_NONE ? attributes({}) : list, operands, results,
         resultTypes);
  }
  Label label() {
    labels.push_back(INVAR_NONE);
    return {uint32_t(labels.size() - 1)};
  }
  void place(Label label) { labels[label.number] = uint32_t(code.size()); }
  /// A number register that holds `value`.
  uint32_t immediate(int64_t value) {
    uint32_t n = number();
    emit(INVAR_OP_NUMBER, n, value);
    return n;
  }
  uint32_t immediate(double value) {
    int64_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    return immediate(bits);
  }

  InvarProgramHeader header() const {
    return {INVAR_PROGRAM_MAGIC,
            uint32_t(strings.size()),
            numTypes,
            numParameters,
            numConstants,
            numAttributeLists,
            uint32_t(inputs.size() / 3),
            uint32_t(outputs.size() / 2),
            uint32_t(nodes.size() / 2),
            uint32_t(code.size()),
            numNumbers,
            numObjects,
            numBlocks,
            numFolds,
            {uint32_t(foldedSize), uint32_t(foldedSize >> 32)},
            INVAR_NONE,
            {1, 2, 3, 4}};
  }

  /// Adds a program that computes constants, and the offsets of its outputs.
  void fold(const List &program, const std::vector<uint64_t> &offsets) {
    folds.push_back(uint32_t(program.size()));
    folds.insert(folds.end(), program.begin(), program.end());
    for (uint64_t offset : offsets)
      append(folds, int64_t(offset));
    ++numFolds;
  }

  List words() const {
    List words;
    auto add = [&](const List &more) {
      words.insert(words.end(), more.begin(), more.end());
    };
    InvarProgramHeader first = header();
    words.resize(sizeof(first) / sizeof(uint32_t));
    std::memcpy(words.data(), &first, sizeof(first));
    for (const std::string &text : strings) {
      words.push_back(uint32_t(text.size()));
      List bytes((text.size() + 3) / 4);
      std::memcpy(bytes.data(), text.data(), text.size());
      add(bytes);
    }
    for (const List *table : {&types, &parameters, &constants, &attributeLists,
                              &inputs, &outputs, &nodes})
      add(*table);
    List placed = code;
    for (auto [at, label] : jumps)
      placed[at] = labels[label];
    add(placed);
    add(folds);
    return words;
  }

  List code;
  std::vector<InvarKernel> kernels;
  std::vector<char> store;
  uint64_t foldedSize = 0;

private:
  static void append(List &words, int64_t value) {
    words.push_back(uint32_t(value));
    words.push_back(uint32_t(uint64_t(value) >> 32));
  }
  static void append(List &words, int value) { append(words, int64_t(value)); }
  static void append(List &words, double value) {
    int64_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    append(words, bits);
  }
  void append(List &words, const std::string &value) {
    words.push_back(string(value));
  }

  void append(const List &list) {
    code.push_back(uint32_t(list.size()));
    code.insert(code.end(), list.begin(), list.end());
  }
  void append(Label label) {
    jumps.push_back({code.size(), label.number});
    code.push_back(0);
  }
  template <typename T>
    requires std::is_integral_v<T> || std::is_enum_v<T>
  void append(T word) {
    if constexpr (sizeof(T) == 8)
      append(code, int64_t(word));
    else
      code.push_back(uint32_t(word));
  }

  std::vector<std::string> strings;
  List types, parameters, constants, attributeLists, inputs, outputs, nodes,
      folds;
  uint32_t numFolds = 0;
  uint32_t numTypes = 0, numParameters = 0, numConstants = 0;
  uint32_t numAttributeLists = 0;
  uint32_t numNumbers = 0, numObjects = 0, numBlocks = 0;
  std::vector<std::pair<size_t, uint32_t>> jumps;
  List labels;
};

} // namespace invar::testing

#endif // INVAR_UNITTESTS_RUNTIME_PROGRAMBUILDER_H
