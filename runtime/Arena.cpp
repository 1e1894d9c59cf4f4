// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Arena.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdlib>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace invar::runtime;

/// The system uses huge pages if the range is aligned to one.
static constexpr size_t bigPage = size_t(2) << 20;
static constexpr size_t leastGrowth = size_t(64) << 10;
static constexpr size_t leastReserve = size_t(64) << 20;

static size_t roundUp(size_t size, size_t unit) {
  return (size + unit - 1) / unit * unit;
}

Arena::Owner Arena::create(Blocks blocks) {
  // Reserving more than the machine's memory is useless. Addresses cost nothing until
  // they are used, but a process may have few of them; then reserve less.
  size_t memory = size_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  for (size_t size = roundUp(memory, bigPage); size >= leastReserve;
       size = roundUp(size / 2, bigPage)) {
    void *range = mmap(nullptr, size + bigPage, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED)
      continue;
    // Unmap the parts before the first huge page and after the last.
    char *begin = static_cast<char *>(range);
    size_t skipped = roundUp(size_t(begin), bigPage) - size_t(begin);
    if (skipped)
      munmap(begin, skipped);
    if (skipped != bigPage)
      munmap(begin + skipped + size, bigPage - skipped);
    madvise(begin + skipped, size, MADV_HUGEPAGE);
    return Owner(new Arena(begin + skipped, size, blocks));
  }
  return nullptr;
}

Arena::Arena(char *base, size_t reserved, Blocks kind)
    : kind(kind), base(base), reserved(reserved) {}
Arena::~Arena() { munmap(base, reserved); }

Arena::Tag *Arena::after(Tag *tag) const {
  return tag == newest ? nullptr
                       : reinterpret_cast<Tag *>(reinterpret_cast<char *>(tag) +
                                                 tag->size);
}

Arena::Tag *Arena::before(Tag *tag) const {
  return tag->previous == 0
             ? nullptr
             : reinterpret_cast<Tag *>(reinterpret_cast<char *>(tag) -
                                       tag->previous);
}

/// Bins ascend with the size; every block of a bin is large enough for any size of a
/// lower bin.
unsigned Arena::findBin(uint64_t size) {
  uint64_t units = size / alignment;
  if (units < exactBins)
    return unsigned(units);
  unsigned power = unsigned(std::bit_width(units)) - 1;
  return exactBins + (power - 5) * 8 + unsigned(units >> (power - 3) & 7);
}

void Arena::link(Tag *tag) {
  tag->isFree = 1;
  unsigned bin = findBin(tag->size);
  Links *links = linksOf(tag);
  *links = {bins[bin], nullptr};
  if (links->next)
    linksOf(links->next)->last = tag;
  bins[bin] = tag;
  binsInUse[bin / 64] |= uint64_t(1) << bin % 64;
}

void Arena::unlink(Tag *tag) {
  tag->isFree = 0;
  unsigned bin = findBin(tag->size);
  Links *links = linksOf(tag);
  if (links->next)
    linksOf(links->next)->last = links->last;
  if (links->last)
    linksOf(links->last)->next = links->next;
  else if (!(bins[bin] = links->next))
    binsInUse[bin / 64] &= ~(uint64_t(1) << bin % 64);
}

/// The smallest sufficient block among the first few of its own bin. Otherwise any
/// block of the next non-empty bin. Otherwise the rest of its own bin.
Arena::Tag *Arena::findFree(uint64_t size) {
  unsigned bin = findBin(size);
  Tag *best = nullptr;
  Tag *tag = bins[bin];
  for (int looks = 0; tag && looks < 8; tag = linksOf(tag)->next, ++looks)
    if (tag->size >= size && (!best || tag->size < best->size))
      best = tag;
  if (best)
    return best;

  unsigned next = bin + 1;
  for (unsigned word = next / 64; word < binsInUse.size(); ++word) {
    uint64_t inUse = binsInUse[word];
    if (word == next / 64)
      inUse &= ~uint64_t(0) << next % 64;
    if (inUse)
      return bins[word * 64 + unsigned(std::countr_zero(inUse))];
  }
  while (tag && tag->size < size)
    tag = linksOf(tag)->next;
  return tag;
}

/// Makes more of the range usable: returns a free block of at least `size` at its end.
Arena::Tag *Arena::grow(uint64_t size) {
  // The first block begins one unit into the range, to leave room for its tag.
  uint64_t missing = size + (newest ? 0 : alignment);
  if (newest && newest->isFree)
    missing -= newest->size;
  if (missing > reserved - committed)
    return nullptr;
  uint64_t growth = std::max(missing, std::max(leastGrowth, committed / 4));
  growth = roundUp(growth, growth < bigPage ? leastGrowth : bigPage);
  growth = std::min<uint64_t>(growth, reserved - committed);
  if (mprotect(base + committed, growth, PROT_READ | PROT_WRITE) != 0)
    return nullptr;

  uint64_t end = committed + growth;
  committed = end;
  if (newest && newest->isFree) {
    unlink(newest);
    newest->size += growth;
  } else {
    Tag *tag = newest ? reinterpret_cast<Tag *>(
                            reinterpret_cast<char *>(newest) + newest->size)
                      : reinterpret_cast<Tag *>(base + alignment - sizeof(Tag));
    tag->previous = newest ? newest->size : 0;
    tag->size = newest ? growth : growth - alignment;
    newest = tag;
  }
  link(newest);
  return newest;
}

void Arena::setLimit(size_t bytes) {
  // Blocks that other threads have freed do not count.
  if (bytes != SIZE_MAX)
    takeOutside();
  mostUsed = bytes < SIZE_MAX - used ? used + bytes : SIZE_MAX;
  limit = bytes;
  isRefusing = false;
}

std::string Arena::describeLimit() const {
  return "the run is limited to " + std::to_string(limit) + " bytes";
}

bool Arena::charge(size_t bytes) {
  if (!fits(bytes))
    return false;
  if (mostUsed != SIZE_MAX)
    mostUsed -= bytes;
  return true;
}

bool Arena::fits(size_t bytes) {
  if (used <= mostUsed && bytes <= mostUsed - used) [[likely]]
    return true;
  isRefusing = true;
  return false;
}

void *Arena::allocate(size_t size) {
  if (hasOutside.load(std::memory_order_relaxed))
    takeOutside();
  if (size > reserved)
    return nullptr;
  if (kind == Blocks::Apart) {
    void *memory = nullptr;
    // A freed block must be able to hold the link of a list.
    size = std::max(size, sizeof(Outside));
    if (!fits(size) || posix_memalign(&memory, alignment, size) != 0)
      return nullptr;
    used += malloc_usable_size(memory);
    ++blocks;
    return memory;
  }
  uint64_t whole = roundUp(size + sizeof(Tag), alignment);
  if (!fits(whole)) [[unlikely]]
    return nullptr;
  Tag *tag = findFree(whole);
  if (!tag && !(tag = grow(whole)))
    return nullptr;
  unlink(tag);
  if (uint64_t rest = tag->size - whole) {
    Tag *next = after(tag);
    bool isNewest = tag == newest;
    tag->size = whole;
    Tag *remainder =
        reinterpret_cast<Tag *>(reinterpret_cast<char *>(tag) + whole);
    remainder->size = rest;
    remainder->previous = whole;
    if (isNewest)
      newest = remainder;
    else
      next->previous = rest;
    link(remainder);
  }
  used += whole;
  ++blocks;
  return blockOf(tag);
}

void Arena::free(void *memory) {
  if (kind == Blocks::Apart) {
    used -= malloc_usable_size(memory);
    std::free(memory);
    --blocks;
    return;
  }
  Tag *tag = tagOf(memory);
  assert(!tag->isFree && "freed twice");
  used -= tag->size;
  --blocks;
  if (Tag *next = after(tag); next && next->isFree) {
    unlink(next);
    tag->size += next->size;
    if (next == newest)
      newest = tag;
  }
  if (Tag *last = before(tag); last && last->isFree) {
    unlink(last);
    last->size += tag->size;
    if (tag == newest)
      newest = last;
    tag = last;
  }
  if (Tag *next = after(tag))
    next->previous = tag->size;
  link(tag);
}

void Arena::takeOutside() {
  Outside *list = nullptr;
  {
    std::lock_guard guard(lock);
    std::swap(list, outside);
    hasOutside.store(false, std::memory_order_relaxed);
  }
  while (list) {
    Outside *next = list->next;
    free(list);
    list = next;
  }
}

void Arena::freeFromOutside(void *memory) {
  bool wasLast = false;
  {
    std::lock_guard guard(lock);
    if (isClosed) {
      free(memory);
      wasLast = blocks == 0;
    } else {
      outside = new (memory) Outside{outside};
      hasOutside.store(true, std::memory_order_relaxed);
    }
  }
  if (wasLast)
    delete this;
}

/// Returns the pages of a free block to the system; the addresses stay reserved.
void Arena::returnPages(Tag *tag) {
  size_t page = size_t(sysconf(_SC_PAGESIZE));
  size_t begin = roundUp(size_t(linksOf(tag) + 1), page);
  size_t end = (size_t(tag) + tag->size) / page * page;
  if (begin < end)
    madvise(reinterpret_cast<void *>(begin), end - begin, MADV_DONTNEED);
}

void Arena::close() {
  takeOutside();
  bool isEmpty = false;
  {
    std::lock_guard guard(lock);
    // Another thread may have freed a block since.
    while (Outside *first = outside) {
      outside = first->next;
      free(first);
    }
    isClosed = true;
    isEmpty = blocks == 0;
    if (!isEmpty)
      for (Tag *tag : bins)
        for (; tag; tag = linksOf(tag)->next)
          returnPages(tag);
  }
  if (isEmpty)
    delete this;
}
