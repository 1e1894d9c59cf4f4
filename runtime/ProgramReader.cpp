// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "WordReader.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <zstd.h>

using namespace invar::runtime;

namespace {
/// Reads the tables of a program.
class TableReader {
public:
  /// `model` is the program whose parameters are used.
  TableReader(WordReader &words, Program &program, const Program &model,
              uint64_t storeSize)
      : words(words), program(program), model(model), storeSize(storeSize) {}

  const InvarProgramHeader &getHeader() const { return header; }

  void read() {
    readHeader();
    readStrings();
    readSource();
    readTypes();
    readParameters();
    readConstants();
    readAttributes();
    readInputs();
    readOutputs();
    readNodes();
  }

private:
  void readHeader();
  void readStrings();
  void readSource();
  void readTypes();
  void readTensorType(Type &type);
  void readMapType(Type &type);
  void readParameters();
  void readConstants();
  void checkInStore(uint64_t offset, uint64_t size, uint64_t range);
  void checkConstant(const Constant &constant);
  void readAttributes();
  Attribute readAttribute();
  void readInputs();
  void readOutputs();
  void readNodes();

  WordReader &words;
  Program &program;
  const Program &model;
  uint64_t storeSize;
  InvarProgramHeader header = {};
};
} // namespace

void TableReader::readHeader() {
  constexpr size_t size = sizeof(header) / sizeof(uint32_t);
  size_t numWords = words.countLeft();
  if (!words.expect(numWords >= size, "a header of ", size, " words, but got ",
                    numWords))
    return;
  std::memcpy(&header, words.readBytes(size), sizeof(header));
  words.expect(header.magic == INVAR_PROGRAM_MAGIC, "the number ",
               INVAR_PROGRAM_MAGIC, " of a program, but got ", header.magic);
  // Every register occurs in a word, and inputs are in the first registers.
  words.expect(header.num_number_registers <= numWords &&
                   header.num_object_registers <= numWords,
               "no more registers than words, but got ",
               header.num_number_registers, " and ",
               header.num_object_registers);
  words.expect(header.num_blocks <= numWords,
               "no more blocks than words, but got ", header.num_blocks);
  words.expect(header.num_inputs <= header.num_object_registers,
               "a register for each of ", header.num_inputs,
               " inputs, but got ", header.num_object_registers);
  program.numNumbers = header.num_number_registers;
  program.numObjects = header.num_object_registers;
  program.numBlocks = header.num_blocks;
  program.foldedSize = header.folded_size[0] | uint64_t(header.folded_size[1])
                                                   << 32;
  std::ranges::copy(header.recipe, program.recipe.begin());
}

void TableReader::readStrings() {
  uint32_t count = words.checkCount(header.num_strings);
  program.strings.reserve(count);
  for (uint32_t i = 0; i < count && words.isGood(); ++i) {
    size_t length = words.readWord();
    if (const char *bytes = words.readBytes((length + 3) / 4))
      program.strings.emplace_back(bytes, length);
  }
}

void TableReader::readSource() {
  if (header.source == INVAR_NONE || !words.isGood())
    return;
  words.expect(header.source < program.strings.size(),
               "the name of a file, but got string ", header.source);
  if (words.isGood())
    program.source = &program.strings[header.source];
}

static unsigned countNesting(const Type &type) {
  unsigned depth = 0;
  for (const Type *inner = type.element; inner; inner = inner->element)
    ++depth;
  return depth;
}

void TableReader::readTypes() {
  uint32_t count = words.checkCount(header.num_types);
  for (uint32_t i = 0; i < count && words.isGood(); ++i) {
    Type type;
    uint32_t kind = words.readWord();
    if (!words.expect(kind <= INVAR_TYPE_MAP, "a kind of type, but got ", kind))
      return;
    type.kind = InvarTypeKind(kind);
    if (kind == INVAR_TYPE_TENSOR)
      readTensorType(type);
    else if (kind == INVAR_TYPE_MAP)
      readMapType(type);
    else
      type.element = words.readType();
    words.expect(countNesting(type) <= maxDepth, "at most ", maxDepth,
                 " types in each other, but got more");
    program.types.push_back(std::move(type));
  }
}

void TableReader::readTensorType(Type &type) {
  type.dataType = words.readDataType();
  type.isRanked = !words.readIf(INVAR_NONE);
  if (!type.isRanked)
    return;
  uint32_t rank = words.readWord();
  if (!words.expect(rank <= maxRank, "at most ", maxRank, " axes, but got ",
                    rank))
    return;
  for (uint32_t axis = 0; axis < rank && words.isGood(); ++axis) {
    int64_t size = words.readInteger();
    words.expect(size >= -1, "a size, but got ", size);
    const std::string *name =
        words.readIf(INVAR_NONE) ? nullptr : words.readString();
    type.sizes.push_back(size);
    type.names.push_back(name ? name->c_str() : nullptr);
  }
}

void TableReader::readMapType(Type &type) {
  type.keyType = words.readDataType();
  words.expect(type.keyType == INVAR_INT64 || type.keyType == INVAR_STRING,
               "keys that are int64 or strings, but got ",
               getName(type.keyType));
  type.element = words.readType();
  words.expect(type.element && type.element->kind == INVAR_TYPE_TENSOR &&
                   type.element->isRanked && type.element->sizes.empty(),
               "a map to tensors of rank 0");
}

void TableReader::readParameters() {
  uint32_t count = words.checkCount(header.num_parameters);
  words.expect(count == 0 || &program == &model,
               "a fold without parameters of its own");
  program.parameters.reserve(count);
  for (uint32_t i = 0; i < count && words.isGood(); ++i) {
    const std::string *name = words.readString();
    Parameter parameter = {name, words.readType(), std::nullopt, 0};
    auto offset = uint64_t(words.readInteger());
    if (!words.isGood())
      return;
    std::optional<uint64_t> size = countBytes(*parameter.type);
    words.expect(size.has_value(), "a tensor of known sizes, but parameter '",
                 *name, "' is ", describe(*parameter.type));
    parameter.size = size.value_or(0);
    if (offset != ~uint64_t(0)) {
      parameter.offset = offset;
      checkInStore(offset, parameter.size, storeSize);
    }
    program.parameters.push_back(parameter);
  }
}

void TableReader::checkInStore(uint64_t offset, uint64_t size, uint64_t range) {
  words.expect(offset <= range && size <= range - offset, "a constant in ",
               range, " bytes, but got ", size, " from ", offset);
  words.expect(offset % Arena::alignment == 0,
               "an offset that is a multiple of ", Arena::alignment,
               ", but got ", offset);
}

void TableReader::readConstants() {
  uint32_t count = words.checkCount(header.num_constants);
  program.constants.reserve(count);
  for (uint32_t i = 0; i < count && words.isGood(); ++i) {
    Constant constant = {words.readType(), INVAR_CONSTANT_STORED, 0, 0};
    constant.kind = InvarConstantKind(
        words.readNumber(INVAR_CONSTANT_PARAMETER + 1, "a kind of constant"));
    constant.offset = uint64_t(words.readInteger());
    constant.size = uint64_t(words.readInteger());
    if (words.isGood())
      checkConstant(constant);
    program.constants.push_back(constant);
  }
}

/// Whether two tensors of known sizes have the same data type and sizes.
static bool haveEqualForm(const Type &a, const Type &b) {
  return a.kind == INVAR_TYPE_TENSOR && a.isRanked &&
         a.dataType == b.dataType && a.sizes == b.sizes;
}

void TableReader::checkConstant(const Constant &constant) {
  auto [type, kind, offset, size] = constant;
  if (kind == INVAR_CONSTANT_PARAMETER) {
    const std::vector<Parameter> &all = model.parameters;
    words.expect(offset < all.size() && haveEqualForm(*type, *all[offset].type),
                 "a parameter of its type among ", all.size(), ", but got ",
                 describe(*type), " as number ", offset);
    return;
  }
  checkInStore(offset, size,
               kind == INVAR_CONSTANT_FOLDED ? program.foldedSize : storeSize);
  // Strings begin with their lengths; the sum of lengths is checked when they are read.
  bool areStrings = type->dataType == INVAR_STRING;
  words.expect(!areStrings || kind == INVAR_CONSTANT_STORED,
               "strings in the store, but got them folded");
  std::optional<int64_t> bytes;
  if (type->kind == INVAR_TYPE_TENSOR && type->isRanked)
    bytes = countBytes(areStrings ? INVAR_INT64 : type->dataType,
                       type->sizes.data(), type->sizes.size());
  if (!bytes ||
      (areStrings ? size < uint64_t(*bytes) : size != uint64_t(*bytes)))
    words.expect(false, "the bytes of a tensor of known sizes, but got ", size,
                 " of ", describe(*type));
}

void TableReader::readAttributes() {
  uint32_t count = words.checkCount(header.num_attribute_lists);
  for (uint32_t i = 0; i < count && words.isGood(); ++i) {
    Attributes &list = program.attributes.emplace_back();
    uint32_t entries = words.readCount();
    for (uint32_t entry = 0; entry < entries && words.isGood(); ++entry)
      list.push_back(readAttribute());
  }
}

Attribute TableReader::readAttribute() {
  Attribute attribute = {words.readString(), INVAR_ATTRIBUTE_INTS, {}, {}, {}};
  uint32_t kind = words.readWord();
  if (!words.expect(kind <= INVAR_ATTRIBUTE_STRINGS,
                    "a kind of attribute, but got ", kind))
    return attribute;
  attribute.kind = InvarAttributeKind(kind);
  uint32_t count = words.readCount();
  for (uint32_t i = 0; i < count && words.isGood(); ++i) {
    if (kind == INVAR_ATTRIBUTE_INTS) {
      attribute.ints.push_back(words.readInteger());
    } else if (kind == INVAR_ATTRIBUTE_FLOATS) {
      int64_t bits = words.readInteger();
      std::memcpy(&attribute.floats.emplace_back(), &bits, sizeof(bits));
    } else if (const std::string *string = words.readString()) {
      attribute.strings.push_back(*string);
    }
  }
  return attribute;
}

void TableReader::readInputs() {
  uint32_t count = words.checkCount(header.num_inputs);
  program.inputs.reserve(count);
  bool areOptional = false;
  for (uint32_t i = 0; i < count && words.isGood(); ++i) {
    const std::string *name = words.readString();
    Port input = {name, words.readType()};
    if (!words.readIf(INVAR_NONE))
      input.defaultConstant =
          words.readNumber(uint32_t(program.constants.size()), "a constant");
    if (!words.isGood())
      return;
    words.expect(input.hasDefault() || !areOptional,
                 "inputs without a default before those that have one");
    areOptional |= input.hasDefault();
    words.expect(!input.hasDefault() ||
                     program.constants[input.defaultConstant].kind ==
                         INVAR_CONSTANT_STORED,
                 "a default that is stored");
    program.inputs.push_back(input);
  }
}

void TableReader::readOutputs() {
  uint32_t count = words.checkCount(header.num_outputs);
  program.outputs.reserve(count);
  for (uint32_t i = 0; i < count && words.isGood(); ++i) {
    const std::string *name = words.readString();
    program.outputs.push_back({name, words.readType()});
  }
}

void TableReader::readNodes() {
  uint32_t count = words.checkCount(header.num_nodes);
  program.nodes.reserve(count);
  for (uint32_t i = 0; i < count && words.isGood(); ++i) {
    uint32_t first = words.readWord();
    uint32_t least = i ? program.nodes.back().firstWord : 0;
    words.expect(first >= least && first <= header.num_code_words,
                 "the words of nodes to ascend from ", least, " to ",
                 header.num_code_words, ", but got ", first);
    program.nodes.push_back({first, words.readString()});
  }
}

/// Reads the offset of a fold's output and checks that the output fits there.
static void readPlace(WordReader &words, const Port &output, uint64_t range,
                      Fold &fold) {
  const Type &type = *output.type;
  std::optional<uint64_t> bytes = countBytes(type);
  auto offset = uint64_t(words.readInteger());
  words.expect(bytes && offset % Arena::alignment == 0 && offset <= range &&
                   *bytes <= range - offset,
               "a place for ", describe(type), " in ", range,
               " bytes, but got ", offset);
  fold.offsets.push_back(offset);
}

static Status readParts(std::span<const uint32_t> words, uint32_t numKernels,
                        uint64_t storeSize, const Program &model,
                        Program &program);

static void readFold(WordReader &words, Program &program, uint32_t numKernels,
                     uint64_t storeSize) {
  uint32_t count = words.readCount();
  if (!words.isGood())
    return;
  Fold &fold = program.folds.emplace_back();
  Status status = readParts(words.peek(count), numKernels, storeSize, program,
                            fold.program);
  if (status) {
    words.giveUp(std::move(status).in("fold"));
    return;
  }
  words.readBytes(count);
  for (const Port &output : fold.program.outputs)
    readPlace(words, output, program.foldedSize, fold);
  for (const Port &input : fold.program.inputs)
    words.expect(std::ranges::any_of(
                     program.inputs,
                     [&](const Port &own) { return *own.name == *input.name; }),
                 "an input of the model, but got '", *input.name, "'");
}

/// Checks that a fold computes each folded constant.
static void checkFolded(WordReader &words, const Program &program) {
  std::map<uint64_t, const Type *> made;
  for (const Fold &fold : program.folds)
    for (size_t i = 0; i < fold.offsets.size(); ++i)
      made.emplace(fold.offsets[i], fold.program.outputs[i].type);
  for (const Constant &constant : program.constants) {
    if (constant.kind != INVAR_CONSTANT_FOLDED)
      continue;
    auto found = made.find(constant.offset);
    words.expect(found != made.end() &&
                     haveEqualForm(*constant.type, *found->second),
                 "a fold that computes ", describe(*constant.type),
                 " for byte ", constant.offset, ", but there is none");
  }
}

static Status readParts(std::span<const uint32_t> words, uint32_t numKernels,
                        uint64_t storeSize, const Program &model,
                        Program &program) {
  WordReader reader(words, program);
  TableReader tables(reader, program, model, storeSize);
  tables.read();
  const InvarProgramHeader &header = tables.getHeader();
  readCode(reader, program, header.num_code_words, numKernels);
  bool isModel = &program == &model;
  reader.expect(isModel || (header.num_folds == 0 && program.foldedSize == 0),
                "a fold that needs no other");
  uint32_t numFolds = reader.checkCount(header.num_folds);
  for (uint32_t i = 0; i < numFolds && reader.isGood(); ++i)
    readFold(reader, program, numKernels, storeSize);
  if (reader.isGood())
    checkFolded(reader, program);
  if (reader.isGood())
    reader.expect(reader.countLeft() == 0, "the program's end, but got ",
                  reader.countLeft(), " words more");
  return reader.takeFailure();
}

static bool isPacked(std::span<const uint32_t> words) {
  return !words.empty() && words.front() == INVAR_PACKED_MAGIC;
}

/// Decompresses a packed program.
static Status unpack(std::span<const uint32_t> packed,
                     std::vector<uint32_t> &words) {
  constexpr size_t headWords = 3;
  if (packed.size() < headWords)
    return fail(INVAR_BAD_MODEL, "expected a packed program of ", headWords,
                " words or more, but got ", packed.size());
  if (packed[2] > (packed.size() - headWords) * sizeof(uint32_t) ||
      packed[1] > uint64_t(packed[2]) * INVAR_PACKED_MOST_WORDS)
    return fail(INVAR_BAD_MODEL, "expected ", packed.size() - headWords,
                " words that are a packed program, but got ", packed[1],
                " words in ", packed[2], " bytes");
  words.resize(packed[1]);
  size_t bytes = words.size() * sizeof(uint32_t);
  size_t got = ZSTD_decompress(words.data(), bytes, packed.data() + headWords,
                               packed[2]);
  if (got != bytes)
    return fail(INVAR_BAD_MODEL, "expected a packed program of ", bytes,
                " bytes, but got ",
                ZSTD_isError(got) ? ZSTD_getErrorName(got) : "fewer");
  return Status::success();
}

Status invar::runtime::readProgram(std::span<const uint32_t> words,
                                   uint32_t numKernels, uint64_t storeSize,
                                   Program &program) {
  std::vector<uint32_t> unpacked;
  if (isPacked(words)) {
    if (Status status = unpack(words, unpacked))
      return status;
    words = unpacked;
  }
  return readParts(words, numKernels, storeSize, program, program);
}

// Defined here, where Fold is complete.
Program::Program() = default;
Program::~Program() = default;

const Node *Program::findNode(uint32_t word) const {
  auto next = std::upper_bound(
      nodes.begin(), nodes.end(), word,
      [](uint32_t word, const Node &node) { return word < node.firstWord; });
  return next == nodes.begin() ? nullptr : &*std::prev(next);
}
