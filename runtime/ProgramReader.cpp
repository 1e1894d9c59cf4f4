// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Program.h"

#include <algorithm>
#include <cstring>

using namespace invar::runtime;

namespace {
struct Opcode {
  const char *name, *operands;
};
constexpr Opcode opcodes[] = {
#define INVAR_OPCODE(NAME, OPERANDS) {#NAME, OPERANDS},
    INVAR_OPCODES(INVAR_OPCODE)
#undef INVAR_OPCODE
};

/// Reads on after a failure as if there were zeros, and does not forget it: so the steps of
/// reading need not each look whether the last one went well. Loops do.
class Reader {
public:
  Reader(std::span<const uint32_t> words, uint32_t numKernels,
         uint64_t storeSize, Program &program)
      : words(words), numKernels(numKernels), storeSize(storeSize),
        program(program) {}

  Status read() {
    readHeader();
    readStrings();
    readTypes();
    readConstants();
    readAttributes();
    readPorts(program.inputs, header.num_inputs);
    readPorts(program.outputs, header.num_outputs);
    readNodes();
    readCode();
    if (!failure && at != words.size())
      expect(false, "the program's end, but got ", words.size() - at,
             " words more");
    return std::move(failure);
  }

private:
  bool isGood() const { return !failure; }

  template <typename... Parts>
  bool expect(bool condition, const Parts &...parts) {
    if (!condition && !failure)
      failure =
          fail(INVAR_BAD_MODEL, "program word ", at, ": expected ", parts...);
    return condition;
  }

  uint32_t readWord() {
    if (expect(at < words.size(), "a word, but the program ends") && isGood())
      return words[at++];
    return 0;
  }

  int64_t readInteger() {
    uint64_t low = readWord();
    return int64_t(low | uint64_t(readWord()) << 32);
  }

  /// A number that must be less than `limit`.
  uint32_t readNumber(size_t limit, const char *what) {
    uint32_t number = readWord();
    if (isGood())
      expect(number < limit, "the number of ", what, " below ", limit,
             ", but got ", number);
    return number;
  }

  /// The element of that number, or null after a failure.
  template <typename Table> auto *readElement(Table &table, const char *what) {
    uint32_t number = readNumber(table.size(), what);
    return isGood() ? &table[number] : nullptr;
  }
  const std::string *readString() {
    return readElement(program.strings, "a string");
  }
  const Type *readType() { return readElement(program.types, "a type"); }

  /// A count of things that take a word each at least.
  uint32_t checkCount(uint32_t count) {
    if (isGood())
      expect(count <= words.size() - at, "no more entries than the ",
             words.size() - at, " words that are left, but got ", count);
    return isGood() ? count : 0;
  }
  uint32_t readCount() { return checkCount(readWord()); }

  void readHeader() {
    constexpr size_t size = sizeof(header) / sizeof(uint32_t);
    if (!expect(words.size() >= size, "a header of ", size, " words, but got ",
                words.size()))
      return;
    std::memcpy(&header, words.data(), sizeof(header));
    expect(header.magic == INVAR_PROGRAM_MAGIC, "the number ",
           INVAR_PROGRAM_MAGIC, " of a program, but got ", header.magic);
    at = size;
    // Every register is mentioned somewhere, and inputs are in the first ones.
    expect(header.num_number_registers <= words.size() &&
               header.num_object_registers <= words.size(),
           "no more registers than words, but got ",
           header.num_number_registers, " and ", header.num_object_registers);
    expect(header.num_inputs <= header.num_object_registers,
           "a register for each of ", header.num_inputs, " inputs, but got ",
           header.num_object_registers);
    program.numNumbers = header.num_number_registers;
    program.numObjects = header.num_object_registers;
  }

  void readStrings() {
    uint32_t count = checkCount(header.num_strings);
    program.strings.reserve(count);
    for (uint32_t i = 0; i < count && isGood(); ++i) {
      uint64_t length = readWord();
      uint64_t size = (length + 3) / 4;
      if (!isGood() || !expect(size <= words.size() - at, "a string of ",
                               length, " bytes, but the program ends"))
        return;
      const char *bytes = reinterpret_cast<const char *>(words.data() + at);
      program.strings.emplace_back(bytes, length);
      at += size;
    }
  }

  void readTypes() {
    uint32_t count = checkCount(header.num_types);
    for (uint32_t i = 0; i < count && isGood(); ++i) {
      Type type;
      uint32_t kind = readWord();
      if (!expect(kind <= INVAR_TYPE_OPTIONAL, "a kind of type, but got ",
                  kind))
        return;
      type.kind = InvarTypeKind(kind);
      if (kind == INVAR_TYPE_TENSOR)
        readTensorType(type);
      else
        type.element = readType();
      expect(countNesting(type) <= maxDepth, "at most ", maxDepth,
             " types in each other, but got more");
      program.types.push_back(std::move(type));
    }
  }

  static unsigned countNesting(const Type &type) {
    unsigned depth = 0;
    for (const Type *inner = type.element; inner; inner = inner->element)
      ++depth;
    return depth;
  }

  void readTensorType(Type &type) {
    type.dataType = readDataType();
    uint32_t rank = readWord();
    type.isRanked = rank != INVAR_NONE;
    if (!type.isRanked ||
        !expect(rank <= maxRank, "at most ", maxRank, " axes, but got ", rank))
      return;
    for (uint32_t axis = 0; axis < rank && isGood(); ++axis) {
      int64_t size = readInteger();
      expect(size >= -1, "a size, but got ", size);
      type.sizes.push_back(size);
      uint32_t name = readWord();
      if (name != INVAR_NONE && isGood())
        expect(name < program.strings.size(), "the number of a string below ",
               program.strings.size(), ", but got ", name);
      type.names.push_back(name == INVAR_NONE || !isGood()
                               ? nullptr
                               : program.strings[name].c_str());
    }
  }

  InvarDataType readDataType() {
    uint32_t type = readWord();
    if (isGood())
      expect(getElementSize(type) != 0, "a data type, but got ", type);
    return isGood() ? InvarDataType(type) : INVAR_FLOAT32;
  }

  void readConstants() {
    uint32_t count = checkCount(header.num_constants);
    program.constants.reserve(count);
    for (uint32_t i = 0; i < count && isGood(); ++i) {
      const Type *type = readType();
      uint64_t offset = uint64_t(readInteger()), size = uint64_t(readInteger());
      if (isGood())
        checkConstant({type, offset, size});
      program.constants.push_back({type, offset, size});
    }
  }

  void checkConstant(const Constant &constant) {
    auto [type, offset, size] = constant;
    expect(offset <= storeSize && size <= storeSize - offset,
           "a constant in the store's ", storeSize, " bytes, but got ", size,
           " from ", offset);
    expect(offset % Arena::alignment == 0, "an offset that is a multiple of ",
           Arena::alignment, ", but got ", offset);
    // Strings begin with their lengths; their sum is checked when they are read.
    bool areStrings = type->dataType == INVAR_STRING;
    std::optional<int64_t> bytes;
    if (type->kind == INVAR_TYPE_TENSOR && type->isRanked)
      bytes = countBytes(areStrings ? INVAR_INT64 : type->dataType,
                         type->sizes.data(), type->sizes.size());
    if (!bytes ||
        (areStrings ? size < uint64_t(*bytes) : size != uint64_t(*bytes)))
      expect(false, "the bytes of a tensor of known sizes, but got ", size,
             " of ", describe(*type));
  }

  void readAttributes() {
    uint32_t count = checkCount(header.num_attribute_lists);
    for (uint32_t i = 0; i < count && isGood(); ++i) {
      Attributes &list = program.attributes.emplace_back();
      uint32_t entries = readCount();
      for (uint32_t entry = 0; entry < entries && isGood(); ++entry)
        list.push_back(readAttribute());
    }
  }

  Attribute readAttribute() {
    Attribute attribute = {readString(), INVAR_ATTRIBUTE_INTS, {}, {}, {}};
    uint32_t kind = readWord();
    if (!expect(kind <= INVAR_ATTRIBUTE_STRINGS,
                "a kind of attribute, but got ", kind))
      return attribute;
    attribute.kind = InvarAttributeKind(kind);
    uint32_t count = readCount();
    for (uint32_t i = 0; i < count && isGood(); ++i) {
      if (kind == INVAR_ATTRIBUTE_INTS) {
        attribute.ints.push_back(readInteger());
      } else if (kind == INVAR_ATTRIBUTE_FLOATS) {
        int64_t bits = readInteger();
        std::memcpy(&attribute.floats.emplace_back(), &bits, sizeof(bits));
      } else if (const std::string *string = readString()) {
        attribute.strings.push_back(*string);
      }
    }
    return attribute;
  }

  void readPorts(std::vector<Port> &ports, uint32_t count) {
    count = checkCount(count);
    ports.reserve(count);
    for (uint32_t i = 0; i < count && isGood(); ++i) {
      const std::string *name = readString();
      ports.push_back({name, readType()});
    }
  }

  void readNodes() {
    uint32_t count = checkCount(header.num_nodes);
    program.nodes.reserve(count);
    for (uint32_t i = 0; i < count && isGood(); ++i) {
      uint32_t first = readWord();
      uint32_t least = i ? program.nodes.back().firstWord : 0;
      expect(first >= least && first <= header.num_code_words,
             "the words of nodes to ascend from ", least, " to ",
             header.num_code_words, ", but got ", first);
      program.nodes.push_back({first, readString()});
    }
  }

  // Code

  void readCode() {
    uint32_t count = checkCount(header.num_code_words);
    if (!isGood())
      return;
    codeBegin = at;
    program.code.assign(words.begin() + at, words.begin() + at + count);
    isInstruction.assign(count, false);
    uint32_t last = INVAR_NUM_OPCODES;
    while (at < codeBegin + count && isGood()) {
      isInstruction[at - codeBegin] = true;
      last = readInstruction();
    }
    if (isGood())
      expect(at == codeBegin + count, "the code to have ", count,
             " words, but its last instruction ends behind ", at - codeBegin);
    expect(last == INVAR_OP_RETURN || last == INVAR_OP_JUMP,
           "the code to end with a RETURN or JUMP");
    for (uint32_t target : targets)
      expect(target < count && isInstruction[target],
             "a jump to an instruction, but got word ", target);
    for (size_t i = 0; i < program.calls.size() && isGood(); ++i)
      findLastUses(program.calls[i], callWords[i]);
  }

  uint32_t readInstruction() {
    size_t begin = at;
    uint32_t opcode = readNumber(INVAR_NUM_OPCODES, "an opcode");
    if (!isGood())
      return opcode;
    counts.clear();
    for (const char *operand = opcodes[opcode].operands; *operand; ++operand) {
      uint32_t count = 1;
      if (*operand == '*') {
        ++operand;
        counts.push_back(count = readCount());
      }
      for (uint32_t i = 0; i < count && isGood(); ++i)
        readOperand(*operand, opcode == INVAR_OP_CALL);
    }
    if (isGood())
      checkInstruction(InvarOpcode(opcode), begin);
    return opcode;
  }

  void readOperand(char operand, bool isOfCall) {
    switch (operand) {
    case 'n':
    case 'N':
      readNumber(program.numNumbers, "a number register");
      break;
    case 'o':
    case 'O':
      if (isOfCall && at < words.size() && words[at] == INVAR_NONE)
        readWord();
      else
        readNumber(program.numObjects, "an object register");
      break;
    case 'i':
      readInteger();
      break;
    case 't':
      readType();
      break;
    case 'c':
      readNumber(program.constants.size(), "a constant");
      break;
    case 's':
      readString();
      break;
    case 'a':
      readNumber(program.attributes.size(), "a list of attributes");
      break;
    case 'k':
      readNumber(numKernels, "a kernel");
      break;
    case 'd':
      readDataType();
      break;
    case 'w':
      readWord();
      break;
    case 'j':
      targets.push_back(readWord());
      break;
    }
  }

  /// What the list of operands does not say. `counts` has those of its lists.
  void checkInstruction(InvarOpcode opcode, size_t begin) {
    switch (opcode) {
    case INVAR_OP_SIGN_EXTEND:
    case INVAR_OP_ZERO_EXTEND:
      expect(words[at - 1] >= 1 && words[at - 1] <= 64,
             "1 to 64 bits, but got ", words[at - 1]);
      break;
    case INVAR_OP_ALLOCATE:
    case INVAR_OP_RESHAPE:
    case INVAR_OP_PART:
      expect(counts[0] <= maxRank, "at most ", maxRank, " axes, but got ",
             counts[0]);
      break;
    case INVAR_OP_KERNEL:
      program.mostTensors = std::max(program.mostTensors, counts[0]);
      program.mostNumbers = std::max(program.mostNumbers, counts[1]);
      break;
    case INVAR_OP_CALL:
      addCall(begin);
      break;
    case INVAR_OP_RETURN:
      expect(counts[0] == program.outputs.size(), "to return ",
             program.outputs.size(), " outputs, but got ", counts[0]);
      break;
    default:
      break;
    }
  }

  void addCall(size_t begin) {
    if (!expect(counts[1] == counts[2], "a type for each of ", counts[1],
                " results, but got ", counts[2]))
      return;
    const std::string &name = program.strings[words[begin + 1]];
    CallSite &site = program.calls.emplace_back();
    site.name = &name;
    site.function = findCall(name);
    if (!expect(site.function, "a function of the runtime, but got '", name,
                "'"))
      return;
    expect(site.function->operands.fits(counts[0]), "operands '",
           site.function->operands.text, "' of ", name, ", but got ",
           counts[0]);
    expect(site.function->results.fits(counts[1]), "results '",
           site.function->results.text, "' of ", name, ", but got ", counts[1]);
    site.attributes = &program.attributes[words[begin + 2]];
    for (size_t i = at - counts[2]; i < at; ++i)
      site.resultTypes.push_back(&program.types[words[i]]);
    program.code[begin - codeBegin + 1] = uint32_t(program.calls.size() - 1);
    callWords.push_back(uint32_t(begin - codeBegin));
  }

  /// An operand may be changed in place where its register is overwritten by a result, or
  /// dropped right behind the call.
  void findLastUses(CallSite &site, uint32_t word) {
    const uint32_t *operands = &program.code[word + 4];
    uint32_t numOperands = operands[-1];
    const uint32_t *results = operands + numOperands + 1;
    uint32_t numResults = results[-1];
    const uint32_t *next = results + numResults + 1 + numResults;
    const uint32_t *end = program.code.data() + program.code.size();
    site.isLastUse.assign(numOperands, false);
    if (numOperands > mostInPlace)
      return;
    for (uint32_t i = 0; i < numOperands; ++i) {
      uint32_t r = operands[i];
      bool isOnlyUse = std::count(operands, operands + numOperands, r) == 1;
      bool isGone =
          std::find(results, results + numResults, r) != results + numResults;
      for (const uint32_t *drop = next;
           !isGone && end - drop >= 2 && drop[0] == INVAR_OP_DROP; drop += 2)
        isGone = drop[1] == r;
      site.isLastUse[i] = r != INVAR_NONE && isOnlyUse && isGone;
    }
  }

  std::span<const uint32_t> words;
  uint32_t numKernels;
  uint64_t storeSize;
  Program &program;

  size_t at = 0;
  Status failure;
  InvarProgramHeader header = {};

  /// Functions of more operands change none in place.
  static constexpr uint32_t mostInPlace = 16;
  size_t codeBegin = 0;
  std::vector<bool> isInstruction;
  std::vector<uint32_t> targets, callWords;
  std::vector<uint32_t> counts;
};
} // namespace

Status invar::runtime::readProgram(std::span<const uint32_t> words,
                                   uint32_t numKernels, uint64_t storeSize,
                                   Program &program) {
  return Reader(words, numKernels, storeSize, program).read();
}

const Node *Program::findNode(uint32_t word) const {
  auto next = std::upper_bound(
      nodes.begin(), nodes.end(), word,
      [](uint32_t word, const Node &node) { return word < node.firstWord; });
  return next == nodes.begin() ? nullptr : &*std::prev(next);
}
