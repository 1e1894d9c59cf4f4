// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes of constants, which outputs may keep longer than a session lives.
//
// Constants of a file are mapped, so that processes share them and pages that no kernel
// reads are never brought in. They may have checksums (Checksum.h). Invariant: whoever
// reads bytes of a store has verified them before. A block is computed once; after that,
// verifying costs a look at a flag. Just before a kernel is the best time, because the
// kernel then finds the bytes in the cache.
#ifndef INVAR_RUNTIME_STORE_H
#define INVAR_RUNTIME_STORE_H

#include "Status.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

struct InvarThreads;

namespace invar {
class Stop;
} // namespace invar

namespace invar::runtime {

/// What the blocks of a store must be.
struct BlockList {
  std::vector<uint64_t> checksums;
  /// The file that they lie in, for messages; empty where that is named anyway.
  std::string file;
};

class Store {
public:
  /// Of bytes that are somebody else's.
  Store(const char *data, size_t size) : data(data), size(size) {}
  /// Of a mapping, which is undone in the end. There is a checksum for each block.
  static Store *map(int descriptor, uint64_t offset, size_t size,
                    BlockList expected);
  /// The same of a file that has no checksums.
  static Store *map(int descriptor, uint64_t offset, size_t size);
  /// Of zeros, which may be written; null where there are not so many addresses.
  static Store *make(size_t size);

  const char *getData() const { return data; }
  size_t getSize() const { return size; }
  /// States that a part will not be read soon: pages of a file need not stay in memory.
  /// Nothing changes but time.
  void dropPages(uint64_t offset, uint64_t size) const;

  /// Fails where a part is not what was written, as far as there are checksums. By the
  /// threads of a pool, if one is given and free. A part that is stopped is not verified.
  Status verify(uint64_t offset, uint64_t size, InvarThreads *threads,
                Stop *stop = nullptr) const;
  /// Whether verify() has ever failed.
  bool isDamaged() const { return hasFailed.load(std::memory_order_acquire); }

  void retain() { references.fetch_add(1, std::memory_order_relaxed); }
  static void release(void *store);

  /// A reference, or none.
  class Ref {
  public:
    Ref() = default;
    /// Takes over the caller's.
    explicit Ref(Store *store) : store(store) {}
    Ref(const Ref &other) : store(other.store) {
      if (store)
        store->retain();
    }
    Ref(Ref &&other) noexcept : store(std::exchange(other.store, nullptr)) {}
    Ref &operator=(Ref other) {
      std::swap(store, other.store);
      return *this;
    }
    ~Ref() {
      if (store)
        release(store);
    }

    Store *get() const { return store; }
    Store &operator*() const { return *store; }
    Store *operator->() const { return store; }
    explicit operator bool() const { return store != nullptr; }

  private:
    Store *store = nullptr;
  };

private:
  struct Verification;
  ~Store();

  std::atomic<int32_t> references{1};
  const char *data;
  size_t size;
  bool isMapped = false, isOfFile = false;

  BlockList expected;
  /// Of each block, whether it is known to be good.
  std::unique_ptr<std::atomic<bool>[]> isGood;
  mutable std::atomic<bool> hasFailed = false;
};

} // namespace invar::runtime

#endif // INVAR_RUNTIME_STORE_H
