// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory for the tensors of a run. A model allocates and frees the same few hundred
// tensors in each run. Taking them from the system would cost page faults; taking
// them from malloc would cost fragmentation. An arena is one range of addresses. It
// is reserved at once and made usable as it grows. The arena cuts blocks from free
// blocks and merges freed blocks with their free neighbours:
//
//   | tag | tensor … | tag | free ……… | tag | tensor … | not used yet …
//
// Free blocks are in lists by size, so both allocating and freeing take about ten
// instructions. The block that was freed last is reused first, while it is still in
// the cache.
//
// Invariant: an arena belongs to one run at a time, and only the thread of that run
// allocates and frees. Other threads free the blocks that a run has returned
// (outputs) with freeFromOutside(). Such blocks wait in a list until the next
// allocation. So outputs are neither copied nor allocated elsewhere, and a closed
// arena lives until its last block is freed.
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

  /// Where blocks come from. With `Apart`, each block comes from the system, so that
  /// the address sanitizer sees where it ends.
  enum class Blocks { Together, Apart };
#if __has_feature(address_sanitizer)
  static constexpr Blocks usualBlocks = Blocks::Apart;
#else
  static constexpr Blocks usualBlocks = Blocks::Together;
#endif

  /// Returns null if there is no room in the address space.
  static Owner create(Blocks blocks = usualBlocks);

  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;

  /// Returns memory aligned to 64 bytes, or null if there is none left.
  void *allocate(size_t size);
  void free(void *memory);
  /// Like free(), but from any thread, also after the arena was closed.
  void freeFromOutside(void *memory);

  /// Allows the run to allocate up to `bytes` bytes beyond those in use now; SIZE_MAX
  /// means no limit. Allocations above the limit fail.
  void setLimit(size_t bytes);
  /// Counts memory that was allocated elsewhere against the limit. Returns false if
  /// less is left.
  bool charge(size_t bytes);
  /// Whether an allocation has failed because of the limit, and a text about the
  /// limit for messages.
  bool hasRefused() const { return isRefusing; }
  std::string describeLimit() const;

  bool liesTogether() const { return kind == Blocks::Together; }
  /// The bytes in allocated blocks, and the bytes taken from the system. The latter
  /// is only known with Blocks::Together.
  size_t getUsed() const { return used; }
  size_t getCommitted() const { return committed; }

private:
  /// The header before each block, in the last bytes of a unit of 64.
  struct Tag {
    uint64_t size;          ///< of tag and block, in bytes
    uint64_t previous : 63; ///< size of the block before; 0 for the first
    uint64_t isFree : 1;
  };
  static_assert(sizeof(Tag) == 16);
  /// The content of a free block: its neighbours in the list of its size.
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

  // One bin for each size up to 32 units of 64 bytes, then eight bins for each power
  // of two.
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

  std::mutex lock; ///< protects the members below
  Outside *outside = nullptr;
  bool isClosed = false;
  std::atomic<bool> hasOutside = false;
};

} // namespace invar::runtime

#endif // INVAR_RUNTIME_ARENA_H
