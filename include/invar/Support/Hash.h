// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 128-bit content hashes, used to find equal constants and to name cache files.
//
// The hash is XXH3 from LLVM's Support (as fast as libxxhash here, without another
// dependency). It has no streaming form and needs none: long content is hashed as a
// tree, first blocks of 1 MiB and then the list of their hashes. So blocks can come one
// at a time from a lazy tensor, or be hashed by several threads.
//
// Not cryptographic: it does not resist deliberate collisions.
#ifndef INVAR_SUPPORT_HASH_H
#define INVAR_SUPPORT_HASH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <type_traits>

namespace invar {

struct Hash128 {
  uint64_t low = 0;
  uint64_t high = 0;

  friend bool operator==(const Hash128 &, const Hash128 &) = default;

  /// 32 lower-case hexadecimal digits, the high half first.
  std::string toString() const;
};

/// The hash of `bytes`, read as one block of any length.
Hash128 hashBlock(llvm::ArrayRef<uint8_t> bytes);

/// The length of all blocks of a tree except the last.
inline constexpr uint64_t hashBlockSize = uint64_t(1) << 20;

/// The hash of content that is `size` bytes long and whose blocks hash to
/// `blocks`.
Hash128 hashTree(uint64_t size, llvm::ArrayRef<Hash128> blocks);

/// The tree hash of bytes in memory, computed by up to `threads` threads (0: all
/// cores).
Hash128 hashContent(llvm::ArrayRef<uint8_t> bytes, unsigned threads = 1);

/// Combines small facts (tags, numbers, names, other hashes) into one hash. Every field
/// includes its length, so that ("ab", "c") and ("a", "bc") differ.
class Hasher {
public:
  Hasher &add(uint64_t number);
  Hasher &add(llvm::StringRef text);
  Hasher &add(llvm::ArrayRef<uint8_t> bytes);
  Hasher &add(llvm::ArrayRef<int64_t> numbers);
  Hasher &add(const Hash128 &hash);
  Hash128 finish() const { return hashBlock(facts); }

private:
  llvm::SmallVector<uint8_t, 256> facts;
};

} // namespace invar

namespace llvm {
template <> struct DenseMapInfo<invar::Hash128> {
  static invar::Hash128 getEmptyKey() { return {~0ull, ~0ull}; }
  static invar::Hash128 getTombstoneKey() { return {~0ull, ~0ull - 1}; }
  static unsigned getHashValue(const invar::Hash128 &hash) {
    return static_cast<unsigned>(hash.low);
  }
  static bool isEqual(const invar::Hash128 &a, const invar::Hash128 &b) {
    return a == b;
  }
};
} // namespace llvm

#endif // INVAR_SUPPORT_HASH_H
