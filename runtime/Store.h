// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes of constants. Outputs may keep a store alive longer than its session.
//
// Constants of a file are mapped, so that processes share them and pages that no kernel
// reads are never loaded. They may have checksums (Checksum.h). Invariant: bytes of a
// store are verified before they are read. The checksum of a block is computed once;
// later verifications only read a flag. The best time to verify is just before a
// kernel, because the kernel then finds the bytes in the cache.
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

/// The expected checksums of a store's blocks.
struct BlockList {
  std::vector<uint64_t> checksums;
  /// The file that they lie in, for messages; empty if the messages name it anyway.
  std::string file;
};

class Store {
public:
  /// Refers to bytes that the caller owns.
  Store(const char *data, size_t size) : data(data), size(size) {}
  /// Maps a part of a file, with a checksum for each block. The destructor unmaps it.
  static Store *map(int descriptor, uint64_t offset, size_t size,
                    BlockList expected);
  /// The same for a file without checksums.
  static Store *map(int descriptor, uint64_t offset, size_t size);
  /// Allocates zeros that may be written; null if there is not enough address space.
  static Store *make(size_t size);

  const char *getData() const { return data; }
  size_t getSize() const { return size; }
  /// Hints that a part will not be read soon, so that pages of a file need not stay in
  /// memory. The hint affects only speed.
  void dropPages(uint64_t offset, uint64_t size) const;

  /// Fails if a part is damaged, as far as there are checksums. Uses the threads of the
  /// pool, if one is given and idle. A part whose verification is stopped counts as not
  /// verified.
  Status verify(uint64_t offset, uint64_t size, InvarThreads *threads,
                Stop *stop = nullptr) const;
  /// Whether verify() has ever failed.
  bool isDamaged() const { return hasFailed.load(std::memory_order_acquire); }

  void retain() { references.fetch_add(1, std::memory_order_relaxed); }
  static void release(void *store);

  /// A counted reference; may be empty.
  class Ref {
  public:
    Ref() = default;
    /// Takes over the caller's reference.
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
  /// For each block, whether it is known to be undamaged.
  std::unique_ptr<std::atomic<bool>[]> isGood;
  mutable std::atomic<bool> hasFailed = false;
};

} // namespace invar::runtime

#endif // INVAR_RUNTIME_STORE_H
