// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Store.h"

#include "Bounds.h"
#include "Checksum.h"
#include "ThreadPool.h"

#include <algorithm>
#include <cassert>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>

using namespace invar::runtime;

Store *Store::map(int descriptor, uint64_t offset, size_t size) {
  void *data = nullptr;
  if (size) {
    data =
        mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, off_t(offset));
    if (data == MAP_FAILED)
      return nullptr;
  }
  auto *store = new Store(static_cast<const char *>(data), size);
  store->isMapped = store->isOfFile = size != 0;
  return store;
}

Store *Store::map(int descriptor, uint64_t offset, size_t size,
                  BlockList expected) {
  assert(expected.checksums.size() == countBlocks(size));
  Store *store = map(descriptor, offset, size);
  if (!store)
    return nullptr;
  store->expected = std::move(expected);
  store->isGood = std::make_unique<std::atomic<bool>[]>(countBlocks(size));
  return store;
}

Store *Store::make(size_t size) {
  if (!size)
    return new Store(nullptr, 0);
  void *data = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED)
    return nullptr;
  // Faulting in many small pages one by one would take long.
  madvise(data, size, MADV_HUGEPAGE);
  auto *store = new Store(static_cast<const char *>(data), size);
  store->isMapped = true;
  return store;
}

void Store::dropPages(uint64_t offset, uint64_t count) const {
  if (!isOfFile)
    return;
  auto page = uint64_t(sysconf(_SC_PAGESIZE));
  uint64_t begin = (offset + page - 1) / page * page;
  uint64_t end = (offset + count) / page * page;
  if (begin < end)
    madvise(const_cast<char *>(data) + begin, end - begin, MADV_DONTNEED);
}

Store::~Store() {
  if (isMapped)
    munmap(const_cast<char *>(data), size);
}

void Store::release(void *pointer) {
  auto *store = static_cast<Store *>(pointer);
  if (store->references.fetch_sub(1, std::memory_order_acq_rel) == 1)
    delete store;
}

// Verifying

/// Shared by several threads; keeps the first bad block.
struct Store::Verification {
  const Store &store;
  uint64_t firstBlock;
  Stop *stop;
  std::mutex lock = {};
  uint64_t badBlock = UINT64_MAX, got = 0;

  static void work(void *context, int64_t piece, unsigned) {
    auto &all = *static_cast<Verification *>(context);
    all.verifyBlock(all.firstBlock + uint64_t(piece));
  }

  void verifyBlock(uint64_t block) {
    if (store.isGood[block].load(std::memory_order_acquire) ||
        (stop && stop->isDue()))
      return;
    uint64_t begin = block * INVAR_CHECKSUM_BLOCK;
    uint64_t checksum = computeChecksum(
        store.data + begin, std::min(INVAR_CHECKSUM_BLOCK, store.size - begin));
    if (checksum == store.expected.checksums[block]) {
      store.isGood[block].store(true, std::memory_order_release);
      return;
    }
    std::lock_guard guard(lock);
    if (block < badBlock) {
      badBlock = block;
      got = checksum;
    }
  }
};

Status Store::verify(uint64_t offset, uint64_t count, InvarThreads *threads,
                     Stop *stop) const {
  if (!isGood || count == 0)
    return Status::success();
  uint64_t first = offset / INVAR_CHECKSUM_BLOCK;
  uint64_t last = (offset + count - 1) / INVAR_CHECKSUM_BLOCK;
  // Most small constants lie in a block that has already been verified.
  while (first < last && isGood[first].load(std::memory_order_acquire))
    ++first;
  Verification all{*this, first, stop};
  auto blocks = int64_t(last - first + 1);
  if (blocks == 1 || !threads ||
      !threads->tryRun(blocks, &Verification::work, &all))
    for (int64_t i = 0; i < blocks; ++i)
      Verification::work(&all, i, 0);
  if (all.badBlock == UINT64_MAX)
    return stop && stop->isStopped() ? explainStop(*stop) : Status::success();
  hasFailed.store(true, std::memory_order_release);
  Status failure = fail(
      INVAR_BAD_MODEL, "expected checksum ", expected.checksums[all.badBlock],
      " for the constants from byte ", all.badBlock * INVAR_CHECKSUM_BLOCK,
      " on, but got ", all.got, ": the file is damaged");
  return expected.file.empty() ? std::move(failure)
                               : std::move(failure).in(expected.file);
}
