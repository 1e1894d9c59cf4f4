// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks the code of a program, and finds optimizations: operands that a call may
// change in place, and outputs that can be computed directly in the caller's memory.
#include "WordReader.h"

#include <algorithm>

using namespace invar::runtime;

namespace {
/// Indexed by opcode, as listed in invar-c/Program.h.
constexpr const char *operandsOf[] = {
#define INVAR_OPCODE(NAME, OPERANDS) OPERANDS,
    INVAR_OPCODES(INVAR_OPCODE)
#undef INVAR_OPCODE
};

class CodeReader {
public:
  CodeReader(WordReader &words, Program &program, uint32_t numKernels)
      : words(words), program(program), numKernels(numKernels) {}

  void read(uint32_t numWords);

private:
  uint32_t readInstruction();
  void readOperand(char operand, bool isOfCall);
  void readRegister(bool isWritten);
  void checkInstruction(InvarOpcode opcode, uint32_t begin);
  void checkBlock(uint32_t block);
  void checkRank();
  void addCall(uint32_t begin);
  void findPlaces(CallSite &site, std::span<const uint32_t> operands,
                  std::span<const uint32_t> results);

  void findLastUses(CallSite &site, const uint32_t *call);
  void findOutputs();
  uint32_t findOrigin(uint32_t r) const;
  void addOutput(const uint32_t *call, uint32_t r, uint32_t output);

  /// The index of the next word, counted from the beginning of the code.
  uint32_t getPlace() const { return uint32_t(words.getPlace() - codeBegin); }

  WordReader &words;
  Program &program;
  uint32_t numKernels;

  size_t codeBegin = 0;
  /// The lengths of the current instruction's lists.
  std::vector<uint32_t> counts;
  /// The registers that the ALLOCATE_ATs directly before it have written.
  std::vector<uint32_t> places;

  struct Jump {
    uint32_t from, to;
  };
  std::vector<Jump> jumps;
  std::vector<uint32_t> calls, returns;
  /// For each object register, the number of instructions that write it, and the last
  /// ALLOCATE or CALL that creates its value.
  std::vector<uint32_t> writers, makers;
  /// For each object register, the last COPY_OBJECT into it, and the number of
  /// instructions that may pass its value, or a part of it, to another register or
  /// return it.
  std::vector<uint32_t> copies, sharers;
};
} // namespace

void CodeReader::read(uint32_t numWords) {
  words.checkCount(numWords);
  if (!words.isGood())
    return;
  codeBegin = words.getPlace();
  std::span<const uint32_t> code = words.peek(numWords);
  program.code.assign(code.begin(), code.end());
  writers.assign(program.numObjects, 0);
  makers.assign(program.numObjects, INVAR_NONE);
  copies.assign(program.numObjects, INVAR_NONE);
  sharers.assign(program.numObjects, 0);

  std::vector<bool> isInstruction(numWords, false);
  uint32_t last = INVAR_NUM_OPCODES;
  while (getPlace() < numWords && words.isGood()) {
    isInstruction[getPlace()] = true;
    last = readInstruction();
  }
  words.expect(last == INVAR_OP_RETURN || last == INVAR_OP_JUMP,
               "the code to end with a RETURN or JUMP");
  for (auto [from, to] : jumps)
    words.expect(to < numWords && isInstruction[to],
                 "a jump to an instruction, but got word ", to);
  if (!words.isGood())
    return;
  for (size_t i = 0; i < calls.size(); ++i)
    findLastUses(program.calls[i], &program.code[calls[i]]);
  findOutputs();
}

uint32_t CodeReader::readInstruction() {
  uint32_t begin = getPlace();
  uint32_t opcode = words.readNumber(INVAR_NUM_OPCODES, "an opcode");
  if (!words.isGood())
    return opcode;
  counts.clear();
  for (const char *operand = operandsOf[opcode]; *operand; ++operand) {
    uint32_t count = 1;
    if (*operand == '*') {
      ++operand;
      counts.push_back(count = words.readCount());
    }
    for (uint32_t i = 0; i < count && words.isGood(); ++i)
      readOperand(*operand, opcode == INVAR_OP_CALL);
  }
  if (words.isGood() &&
      words.expect(getPlace() <= program.code.size(), "the code to have ",
                   program.code.size(),
                   " words, but its last instruction ends behind ", getPlace()))
    checkInstruction(InvarOpcode(opcode), begin);
  return opcode;
}

void CodeReader::readRegister(bool isWritten) {
  uint32_t r = words.readNumber(program.numObjects, "an object register");
  if (isWritten && words.isGood())
    ++writers[r];
}

void CodeReader::readOperand(char operand, bool isOfCall) {
  switch (operand) {
  case 'n':
  case 'N':
    words.readNumber(program.numNumbers, "a number register");
    break;
  case 'o':
  case 'O':
    if (!isOfCall || !words.readIf(INVAR_NONE))
      readRegister(operand == 'O');
    break;
  case 'i':
    words.readInteger();
    break;
  case 't':
    words.readType();
    break;
  case 'c':
    words.readNumber(program.constants.size(), "a constant");
    break;
  case 's':
    words.readString();
    break;
  case 'a':
    words.readNumber(program.attributes.size(), "a list of attributes");
    break;
  case 'k':
    words.readNumber(numKernels, "a kernel");
    break;
  case 'd':
    words.readDataType();
    break;
  case 'w':
    words.readWord();
    break;
  case 'j':
    jumps.push_back({getPlace(), words.readWord()});
    break;
  }
}

void CodeReader::checkBlock(uint32_t block) {
  words.expect(block < program.numBlocks, "the number of a block below ",
               program.numBlocks, ", but got ", block);
}

void CodeReader::checkRank() {
  words.expect(counts[0] <= maxRank, "at most ", maxRank, " axes, but got ",
               counts[0]);
}

/// Checks that the operand letters do not express.
void CodeReader::checkInstruction(InvarOpcode opcode, uint32_t begin) {
  const uint32_t *code = &program.code[begin];
  switch (opcode) {
  case INVAR_OP_SIGN_EXTEND:
  case INVAR_OP_ZERO_EXTEND:
    words.expect(code[3] >= 1 && code[3] <= 64, "1 to 64 bits, but got ",
                 code[3]);
    break;
  case INVAR_OP_RESERVE:
    checkBlock(code[1]);
    break;
  case INVAR_OP_ALLOCATE_AT:
    checkBlock(code[3]);
    places.push_back(code[1]);
    checkRank();
    break;
  case INVAR_OP_ALLOCATE:
    makers[code[1]] = begin;
    checkRank();
    break;
  case INVAR_OP_RESHAPE:
  case INVAR_OP_PART:
    ++sharers[code[2]];
    checkRank();
    break;
  case INVAR_OP_CHECK_INDICES:
    words.expect(counts[0] >= 1, "the size of an axis for indices");
    checkRank();
    break;
  case INVAR_OP_COPY_OBJECT:
    copies[code[1]] = begin;
    ++sharers[code[2]];
    break;
  case INVAR_OP_DROP:
    // A dropped register is empty, so this does not count as a write.
    --writers[code[1]];
    break;
  case INVAR_OP_KERNEL:
    program.mostTensors = std::max(program.mostTensors, counts[0]);
    program.mostNumbers = std::max(program.mostNumbers, counts[1]);
    break;
  case INVAR_OP_CALL:
    addCall(begin);
    break;
  case INVAR_OP_RETURN:
    words.expect(counts[0] == program.outputs.size(), "to return ",
                 program.outputs.size(), " outputs, but got ", counts[0]);
    for (uint32_t r : std::span(code + 2, counts[0]))
      ++sharers[r];
    returns.push_back(begin);
    break;
  default:
    break;
  }
  if (opcode != INVAR_OP_ALLOCATE_AT)
    places.clear();
}

void CodeReader::addCall(uint32_t begin) {
  if (!words.expect(counts[1] == counts[2], "a type for each of ", counts[1],
                    " results, but got ", counts[2]))
    return;
  uint32_t *code = &program.code[begin];
  const std::string &name = program.strings[code[1]];
  const CallFunction *function = findCall(name);
  if (!words.expect(function, "a function of the runtime, but got '", name,
                    "'"))
    return;
  words.expect(function->operands.fits(counts[0]), "operands '",
               function->operands.text, "' of ", name, ", but got ", counts[0]);
  words.expect(function->results.fits(counts[1]), "results '",
               function->results.text, "' of ", name, ", but got ", counts[1]);

  CallSite &site = program.calls.emplace_back();
  site.name = &name;
  site.function = function;
  site.attributes = &program.attributes[code[2]];
  const uint32_t *types = &program.code[getPlace()] - counts[2];
  for (uint32_t i = 0; i < counts[2]; ++i)
    site.resultTypes.push_back(&program.types[types[i]]);
  code[1] = uint32_t(program.calls.size() - 1);
  calls.push_back(begin);
  std::span<const uint32_t> operands(code + 4, counts[0]);
  std::span<const uint32_t> results(code + 5 + counts[0], counts[1]);
  for (uint32_t r : operands)
    if (r != INVAR_NONE)
      ++sharers[r];
  for (uint32_t r : results)
    if (r != INVAR_NONE)
      makers[r] = begin;
  findPlaces(site, operands, results);
}

/// A result has a place if it overwrites a tensor that was allocated just for it.
void CodeReader::findPlaces(CallSite &site, std::span<const uint32_t> operands,
                            std::span<const uint32_t> results) {
  if (places.empty())
    return;
  site.hasPlace.assign(results.size(), false);
  for (size_t i = 0; i < results.size(); ++i)
    site.hasPlace[i] = std::ranges::count(places, results[i]) == 1 &&
                       std::ranges::count(results, results[i]) == 1 &&
                       std::ranges::count(operands, results[i]) == 0;
}

/// An operand may be changed in place if its register is overwritten by a result, or
/// dropped directly after the call.
void CodeReader::findLastUses(CallSite &site, const uint32_t *call) {
  // Functions with more operands change none of them.
  constexpr uint32_t mostOperands = 16;
  std::span operands(call + 4, call[3]);
  std::span results(operands.data() + operands.size() + 1,
                    operands.data()[operands.size()]);
  const uint32_t *next = results.data() + results.size() * 2 + 1;
  const uint32_t *end = program.code.data() + program.code.size();
  site.isLastUse.assign(operands.size(), false);
  if (operands.size() > mostOperands)
    return;
  for (size_t i = 0; i < operands.size(); ++i) {
    uint32_t r = operands[i];
    bool isGone = std::ranges::count(results, r) != 0;
    for (const uint32_t *drop = next;
         !isGone && end - drop >= 2 && drop[0] == INVAR_OP_DROP; drop += 2)
      isGone = drop[1] == r;
    site.isLastUse[i] =
        r != INVAR_NONE && isGone && std::ranges::count(operands, r) == 1;
  }
}

/// Records at a call which of its results is an output.
void CodeReader::addOutput(const uint32_t *call, uint32_t r, uint32_t output) {
  std::span operands(call + 4, call[3]);
  std::span results(operands.data() + operands.size() + 1,
                    operands.data()[operands.size()]);
  CallSite &site = program.calls[call[1]];
  site.outputs.resize(results.size(), INVAR_NONE);
  site.outputs[size_t(std::ranges::find(results, r) - results.begin())] =
      output;
}

/// Finds the register in which an output is created. From there the output may be
/// copied to registers that never hold anything else, as results of kernels are.
/// Returns INVAR_NONE if another output may be a part of this one: it must not lie in
/// the caller's memory for this one.
uint32_t CodeReader::findOrigin(uint32_t r) const {
  uint32_t copy = INVAR_NONE;
  while (sharers[r] == 1 || program.outputs.size() == 1) {
    // Only follow copies backwards, so that the loop ends.
    if (writers[r] != 1 || copies[r] >= copy)
      return r;
    copy = copies[r];
    r = program.code[copy + 2];
  }
  return INVAR_NONE;
}

/// An output can be computed in the caller's memory if exactly one instruction creates
/// it, once, and its register never holds anything else.
void CodeReader::findOutputs() {
  if (returns.size() != 1)
    return;
  // The number of loops around each word, first as differences.
  std::vector<int32_t> loops(program.code.size() + 1, 0);
  for (auto [from, to] : jumps)
    if (to <= from) {
      ++loops[to];
      --loops[from];
    }
  for (size_t i = 1; i < loops.size(); ++i)
    loops[i] += loops[i - 1];

  const uint32_t *returned = &program.code[returns.front() + 2];
  for (size_t i = 0; i < program.outputs.size(); ++i) {
    uint32_t r = findOrigin(returned[i]);
    if (r == INVAR_NONE || writers[r] != 1 || r < program.inputs.size())
      continue;
    uint32_t maker = makers[r];
    if (maker == INVAR_NONE || loops[maker] != 0)
      continue;
    if (program.code[maker] == INVAR_OP_CALL)
      addOutput(&program.code[maker], r, uint32_t(i));
    else
      program.code[maker] = opAllocateOutput;
    program.outputIn.resize(program.numObjects, INVAR_NONE);
    program.outputIn[r] = uint32_t(i);
  }
}

void invar::runtime::readCode(WordReader &reader, Program &program,
                              uint32_t numWords, uint32_t numKernels) {
  CodeReader(reader, program, numKernels).read(numWords);
}
