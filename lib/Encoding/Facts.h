// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is true of all elements of a constant, and makes it smaller.
#ifndef INVAR_LIB_ENCODING_FACTS_H
#define INVAR_LIB_ENCODING_FACTS_H

#include "invar/Elements/Elements.h"
#include "llvm/ADT/SmallVector.h"

namespace invar {

/// The bits of an element, in the lowest ones.
using Pattern = uint64_t;

/// Patterns of elements, as long as there are at most 256.
class Palette {
public:
  static constexpr size_t most = 256;

  /// Whether there is, or was, room for it.
  bool insert(Pattern pattern);
  /// Its place in the order in which they came; it is there.
  uint8_t find(Pattern pattern) const { return slots[getSlot(pattern)]; }
  llvm::ArrayRef<Pattern> get() const { return patterns; }
  /// So that the order depends on what there is alone.
  void sort();

private:
  static constexpr size_t numSlots = 4 * most;
  static constexpr uint16_t nobody = UINT16_MAX;

  /// Where it is, or would be.
  size_t getSlot(Pattern pattern) const;

  llvm::SmallVector<Pattern, 0> patterns;
  /// Places of patterns, by their hashes.
  std::vector<uint16_t> slots = std::vector<uint16_t>(numSlots, nobody);
};

/// The number of element i is first + i * step: modulo 2^64, or in doubles.
struct Iota {
  uint64_t first, step;
};

struct Facts {
  bool isSplat = false, isHalf = false, isBFloat = false, isSingle = false;
  bool hasPalette = false;
  /// The first element.
  Pattern first = 0;
  std::optional<Iota> iota;
  Palette palette;
  /// Bytes in which all integers fit, extended by their sign or by zeros; those of an
  /// element, where it is of another kind or they need them.
  unsigned signedBytes = 0, unsignedBytes = 0;
};

/// How many elements make a piece.
int64_t getPieceSize(DataType type);

/// Reads lanes as patterns.
Pattern getPattern(const uint8_t *lanes, size_t size, size_t i);

/// The half or single that is exactly a wider number, if there is one.
std::optional<uint16_t> narrowToHalf(uint32_t single);
std::optional<uint32_t> narrowToSingle(uint64_t number);

/// Reads all elements once. `content` is not empty, and of numbers of up to 8 bytes.
Facts findFacts(const Elements &content, const EvalOptions &options);

} // namespace invar

#endif // INVAR_LIB_ENCODING_FACTS_H
