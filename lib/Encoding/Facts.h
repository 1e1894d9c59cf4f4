// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts about all elements of a constant that allow a smaller encoding.
#ifndef INVAR_LIB_ENCODING_FACTS_H
#define INVAR_LIB_ENCODING_FACTS_H

#include "invar/Elements/Elements.h"
#include "llvm/ADT/SmallVector.h"

namespace invar {

/// The bits of an element, in the lowest bits.
using Pattern = uint64_t;

/// A set of at most 256 patterns of elements.
class Palette {
public:
  static constexpr size_t most = 256;

  /// Returns false if the pattern is new and there is no room for it.
  bool insert(Pattern pattern);
  /// The index of a pattern, which must have been inserted.
  uint8_t find(Pattern pattern) const { return slots[getSlot(pattern)]; }
  llvm::ArrayRef<Pattern> get() const { return patterns; }
  /// Makes the order independent of the order of insertion.
  void sort();

private:
  static constexpr size_t numSlots = 4 * most;
  static constexpr uint16_t nobody = UINT16_MAX;

  /// The slot that has the pattern, or the free slot for it.
  size_t getSlot(Pattern pattern) const;

  llvm::SmallVector<Pattern, 0> patterns;
  /// Indices of patterns, by their hashes.
  std::vector<uint16_t> slots = std::vector<uint16_t>(numSlots, nobody);
};

/// Element i is first + i * step: modulo 2^64, or in doubles.
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
  /// The number of bytes that all integers fit into, with sign or zero extension. It is
  /// the element size if the type is not an integer or no fewer bytes suffice.
  unsigned signedBytes = 0, unsignedBytes = 0;
};

/// The number of elements in a piece.
int64_t getPieceSize(DataType type);

/// Reads lane i as a pattern.
Pattern getPattern(const uint8_t *lanes, size_t size, size_t i);

/// The half or single that exactly equals a wider number, if there is one.
std::optional<uint16_t> narrowToHalf(uint32_t single);
std::optional<uint32_t> narrowToSingle(uint64_t number);

/// Reads all elements once. `content` must not be empty, and its type must be a number
/// of up to 8 bytes.
Facts findFacts(const Elements &content, const EvalOptions &options);

} // namespace invar

#endif // INVAR_LIB_ENCODING_FACTS_H
