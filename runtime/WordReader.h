// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the words of a program, one after the other. After a failure it returns zeros
// and keeps the first failure. So the steps of reading need not check each read. Loops
// must check isGood(), and so must code that uses the values.
#ifndef INVAR_RUNTIME_WORDREADER_H
#define INVAR_RUNTIME_WORDREADER_H

#include "Program.h"

#include <span>

namespace invar::runtime {

class WordReader {
public:
  WordReader(std::span<const uint32_t> words, Program &program)
      : words(words), program(program) {}

  bool isGood() const { return !failure; }
  Status takeFailure() { return std::move(failure); }
  size_t getPlace() const { return at; }
  size_t countLeft() const { return words.size() - at; }

  /// Records a failure if the condition is false. The first failure is kept.
  template <typename... Parts>
  bool expect(bool condition, const Parts &...parts) {
    if (!condition && !failure)
      failure =
          fail(INVAR_BAD_MODEL, "program word ", at, ": expected ", parts...);
    return condition;
  }

  /// Records a failure that was found elsewhere.
  void giveUp(Status status) {
    if (!failure)
      failure = std::move(status);
  }

  uint32_t readWord() {
    if (expect(at < words.size(), "a word, but the program ends") && isGood())
      return words[at++];
    return 0;
  }
  /// Reads `numWords` words as bytes; null if there are not enough.
  const char *readBytes(size_t numWords) {
    if (!isGood() || !expect(numWords <= countLeft(), numWords,
                             " words, but got ", countLeft()))
      return nullptr;
    at += numWords;
    return reinterpret_cast<const char *>(words.data() + at - numWords);
  }
  /// Returns the next words without reading them. There must be enough.
  std::span<const uint32_t> peek(size_t numWords) const {
    return words.subspan(at, numWords);
  }
  /// If the next word is `word`, reads it and returns true.
  bool readIf(uint32_t word) {
    bool isNext = isGood() && at < words.size() && words[at] == word;
    at += isNext;
    return isNext;
  }

  int64_t readInteger() {
    uint64_t low = readWord();
    return int64_t(low | uint64_t(readWord()) << 32);
  }

  /// Reads a number that must be less than `limit`.
  uint32_t readNumber(size_t limit, const char *what) {
    uint32_t number = readWord();
    if (isGood())
      expect(number < limit, "the number of ", what, " below ", limit,
             ", but got ", number);
    return number;
  }

  /// Reads a count of entries that take at least one word each.
  uint32_t readCount() { return checkCount(readWord()); }
  uint32_t checkCount(uint32_t count) {
    if (isGood())
      expect(count <= countLeft(), "no more entries than the ", countLeft(),
             " words that are left, but got ", count);
    return isGood() ? count : 0;
  }

  /// Read a number, and return the table entry that it refers to; null after a failure.
  const std::string *readString() {
    uint32_t number = readNumber(program.strings.size(), "a string");
    return isGood() ? &program.strings[number] : nullptr;
  }
  const Type *readType() {
    uint32_t number = readNumber(program.types.size(), "a type");
    return isGood() ? &program.types[number] : nullptr;
  }

  InvarDataType readDataType() {
    uint32_t type = readWord();
    if (isGood())
      expect(getElementSize(type) != 0, "a data type, but got ", type);
    return isGood() ? InvarDataType(type) : INVAR_FLOAT32;
  }

private:
  std::span<const uint32_t> words;
  Program &program;
  size_t at = 0;
  Status failure;
};

/// Reads `numWords` words of code. `numKernels` are the kernels of the module. The
/// tables of the program must have been read before. In CodeReader.cpp.
void readCode(WordReader &reader, Program &program, uint32_t numWords,
              uint32_t numKernels);

} // namespace invar::runtime

#endif // INVAR_RUNTIME_WORDREADER_H
