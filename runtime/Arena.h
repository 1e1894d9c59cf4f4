// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory of a run. A model allocates and frees the same few hundred tensors each time;
// taking them from the system costs page faults, and from malloc, fragmentation. An arena
// is one range of addresses, reserved at once and made usable as it grows, in which blocks
// are cut from free ones and merged with their free neighbours again:
//
//   | tag | tensor … | tag | free ……… | tag | tensor … | not used yet …
//
// Free blocks are in lists by size, so both ways take some ten instructions. A block freed
// last is used first, while it is in the cache.
//
// Invariant: one run at a time has an arena, and only its thread allocates and frees. What
// a run has given away (outputs) is freed by other threads, from outside: such blocks wait
// in a list until the arena is asked for memory. So outputs are neither copied nor taken
// from elsewhere, and the arena, once closed, lives until the last of them is gone.
#ifndef INVAR_RUNTIME_ARENA_H
#define INVAR_RUNTIME_ARENA_H

#ifndef __has_feature
#define __has_feature(x) 0
#endif

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

namespace invar::runtime {

class Arena {
public:
  static constexpr size_t alignment = 64;

  struct Close {
    void operator()(Arena *arena) const { arena->close(); }
  };
  using Owner = std::unique_ptr<Arena, Close>;

  /// Where blocks come from. Apart, each from the system, they are for the address
  /// sanitizer, which sees where they end.
  enum class Blocks { Together, Apart };
#if __has_feature(address_sanitizer)
  static constexpr Blocks usualBlocks = Blocks::Apart;
#else
  static constexpr Blocks usualBlocks = Blocks::Together;
#endif

  /// Null where there is no room in the address space.
  static Owner create(Blocks blocks = usualBlocks);

  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;

  /// Memory aligned to 64 bytes; null where there is none left.
  void *allocate(size_t size);
  void free(void *memory);
  /// The same from any thread, also after the arena was closed.
  void freeFromOutside(void *memory);

  /// Lets blocks take so many bytes more than they do now; SIZE_MAX is no limit. What
  /// would take more gets no memory.
  void setLimit(size_t bytes);
  /// Takes from the limit what lies elsewhere; false where there is less left.
  bool charge(size_t bytes);
  /// Whether the limit has kept anything from getting memory, and what it is, for messages.
  bool hasRefused() const { return isRefusing; }
  std::string describeLimit() const;

  bool liesTogether() const { return kind == Blocks::Together; }
  /// Bytes that are in blocks now, and those that the system was asked for; the latter only
  /// of blocks that lie together.
  size_t getUsed() const { return used; }
  size_t getCommitted() const { return committed; }

private:
  /// What stands before each block, in the last bytes of a unit of 64.
  struct Tag {
    uint64_t size;          ///< of tag and block, in bytes
    uint64_t previous : 63; ///< the size of the one before; 0 for the first
    uint64_t isFree : 1;
  };
  static_assert(sizeof(Tag) == 16);
  /// What a free block holds: its neighbours in the list of its size.
  struct Links {
    Tag *next, *last;
  };
  struct Outside {
    Outside *next;
  };

  Arena(char *base, size_t reserved, Blocks kind);
  ~Arena();
  void close();

  static void *blockOf(Tag *tag) { return tag + 1; }
  static Tag *tagOf(void *block) { return static_cast<Tag *>(block) - 1; }
  static Links *linksOf(Tag *tag) { return static_cast<Links *>(blockOf(tag)); }
  Tag *after(Tag *tag) const;
  Tag *before(Tag *tag) const;

  static unsigned findBin(uint64_t size);
  void link(Tag *tag);
  void unlink(Tag *tag);
  Tag *findFree(uint64_t size);
  Tag *grow(uint64_t size);
  void takeOutside();
  bool fits(size_t bytes);
  void returnPages(Tag *tag);

  // Up to 32 units of 64 bytes a bin for each size, then eight bins for each power of two.
  static constexpr unsigned exactBins = 32;
  static constexpr unsigned numBins = 512;
  std::array<Tag *, numBins> bins{};
  std::array<uint64_t, numBins / 64> binsInUse{};

  Blocks kind;
  char *base;
  size_t reserved;
  size_t committed = 0;
  Tag *newest = nullptr; ///< the one with the highest address
  size_t used = 0;
  size_t mostUsed = SIZE_MAX;
  size_t limit = SIZE_MAX; ///< as it was set
  bool isRefusing = false;
  size_t blocks = 0;

  std::mutex lock; ///< of what follows
  Outside *outside = nullptr;
  bool isClosed = false;
  std::atomic<bool> hasOutside = false;
};

} // namespace invar::runtime

#endif // INVAR_RUNTIME_ARENA_H
