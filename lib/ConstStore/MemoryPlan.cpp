// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/ConstStore/MemoryPlan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

using namespace invar;
using llvm::ArrayRef;
using llvm::StringRef;

std::vector<uint64_t> invar::getLiveBytes(ArrayRef<BufferUse> buffers) {
  uint32_t end = 0;
  for (const BufferUse &buffer : buffers)
    end = std::max(end, buffer.last + 1);
  // The change at each moment. Unsigned differences wrap around, but their sums do not.
  std::vector<uint64_t> live(end + size_t(1), 0);
  for (const BufferUse &buffer : buffers) {
    uint64_t bytes = llvm::alignTo(buffer.bytes, MemoryPlan::alignment);
    live[buffer.first] += bytes;
    live[buffer.last + 1] -= bytes;
  }
  std::partial_sum(live.begin(), live.end(), live.begin());
  live.pop_back();
  return live;
}

namespace {
using Order = std::vector<uint32_t>;

class Planner {
public:
  explicit Planner(ArrayRef<BufferUse> buffers);

  MemoryPlan plan();

private:
  void sweep();
  bool findNeighbors();
  std::vector<uint64_t> getPressures() const;
  void tryOrders();
  void tryOrder(Order order, StringRef name);
  uint32_t place(ArrayRef<uint32_t> order, StringRef name);
  void keepIfBetter(uint64_t size, StringRef name);
  bool isBest() const { return best.size == best.bound; }

  ArrayRef<uint32_t> getNeighbors(uint32_t i) const {
    return ArrayRef(neighbors).slice(begins[i], begins[i + 1] - begins[i]);
  }
  uint64_t getLifetime(uint32_t i) const {
    return uint64_t(buffers[i].last) - buffers[i].first + 1;
  }

  /// Limits on pairs of buffers and on placements; more would take seconds.
  static constexpr uint64_t mostPairs = 2'000'000, mostWork = 20'000'000;

  ArrayRef<BufferUse> buffers;
  /// The size of each buffer, in whole units of the alignment.
  std::vector<uint64_t> sizes;
  std::vector<uint64_t> live;
  /// Buffers that are not empty, by first use.
  Order inTime;
  /// For each buffer, those in use at the same time: neighbors[begins[i], begins[i +
  /// 1]).
  std::vector<uint32_t> neighbors;
  std::vector<uint64_t> begins;
  uint64_t work = 0;

  std::vector<uint64_t> offsets;
  MemoryPlan best;
};
} // namespace

Planner::Planner(ArrayRef<BufferUse> buffers)
    : buffers(buffers), live(getLiveBytes(buffers)),
      offsets(buffers.size(), 0) {
  for (auto [i, buffer] : llvm::enumerate(buffers)) {
    sizes.push_back(llvm::alignTo(buffer.bytes, MemoryPlan::alignment));
    if (buffer.bytes)
      inTime.push_back(uint32_t(i));
  }
  llvm::sort(inTime, [&](uint32_t a, uint32_t b) {
    return std::pair(buffers[a].first, a) < std::pair(buffers[b].first, b);
  });
  if (!live.empty())
    best.bound = *llvm::max_element(live);
  best.size = std::numeric_limits<uint64_t>::max();
}

void Planner::keepIfBetter(uint64_t size, StringRef name) {
  if (size >= best.size)
    return;
  best.size = size;
  best.order = name;
  best.offsets = offsets;
}

//===----------------------------------------------------------------------===//
// In the order of time, as memory is allocated and freed when a program runs
//===----------------------------------------------------------------------===//

namespace {
/// The free ranges of an unlimited block.
class FreeRanges {
public:
  uint64_t getEnd() const { return end; }

  /// Takes the smallest range that is large enough, otherwise memory at the end.
  uint64_t take(uint64_t size) {
    auto found = bySize.lower_bound({size, 0});
    if (found != bySize.end()) {
      auto [whole, offset] = *found;
      remove(byOffset.find(offset));
      if (whole > size)
        add(offset + size, whole - size);
      return offset;
    }
    // The last free range may reach to the end.
    uint64_t offset = end;
    if (!byOffset.empty()) {
      auto last = std::prev(byOffset.end());
      if (last->first + last->second == end) {
        offset = last->first;
        remove(last);
      }
    }
    end = offset + size;
    return offset;
  }

  void give(uint64_t offset, uint64_t size) {
    auto next = byOffset.lower_bound(offset);
    if (next != byOffset.end() && next->first == offset + size) {
      size += next->second;
      next = remove(next);
    }
    if (next != byOffset.begin()) {
      auto before = std::prev(next);
      if (before->first + before->second == offset) {
        offset = before->first;
        size += before->second;
        remove(before);
      }
    }
    add(offset, size);
  }

private:
  using Map = std::map<uint64_t, uint64_t>;

  void add(uint64_t offset, uint64_t size) {
    byOffset.emplace(offset, size);
    bySize.emplace(size, offset);
  }
  Map::iterator remove(Map::iterator range) {
    bySize.erase({range->second, range->first});
    return byOffset.erase(range);
  }

  Map byOffset;
  std::set<std::pair<uint64_t, uint64_t>> bySize;
  uint64_t end = 0;
};
} // namespace

void Planner::sweep() {
  Order byEnd = inTime;
  llvm::sort(byEnd, [&](uint32_t a, uint32_t b) {
    return buffers[a].last < buffers[b].last;
  });
  FreeRanges free;
  const uint32_t *ending = byEnd.data();
  for (uint32_t i : inTime) {
    for (; buffers[*ending].last < buffers[i].first; ++ending)
      free.give(offsets[*ending], sizes[*ending]);
    offsets[i] = free.take(sizes[i]);
  }
  keepIfBetter(free.getEnd(), "best fit");
}

//===----------------------------------------------------------------------===//
// In other orders, each buffer in a gap between those that are placed already
//===----------------------------------------------------------------------===//

/// Finds which buffers are in use at the same time; false if there are too many pairs.
bool Planner::findNeighbors() {
  std::vector<uint32_t> active, degrees(buffers.size(), 0);
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  for (uint32_t i : inTime) {
    llvm::erase_if(active, [&](uint32_t other) {
      return buffers[other].last < buffers[i].first;
    });
    if (pairs.size() + active.size() > mostPairs)
      return false;
    for (uint32_t other : active) {
      pairs.push_back({i, other});
      ++degrees[i];
      ++degrees[other];
    }
    active.push_back(i);
  }
  begins.assign(1, 0);
  for (uint32_t degree : degrees)
    begins.push_back(begins.back() + degree);
  neighbors.resize(begins.back());
  std::vector<uint64_t> next(begins.begin(), std::prev(begins.end()));
  for (auto [a, b] : pairs) {
    neighbors[next[a]++] = b;
    neighbors[next[b]++] = a;
  }
  return true;
}

/// Places buffers in this order. Returns the buffer that ends highest, or the first one
/// that makes the plan no better than the best one; then the best plan stays.
uint32_t Planner::place(ArrayRef<uint32_t> order, StringRef name) {
  std::vector<bool> isPlaced(buffers.size(), false);
  llvm::SmallVector<std::pair<uint64_t, uint64_t>> taken;
  uint64_t end = 0;
  uint32_t highest = order.front();
  for (uint32_t i : order) {
    taken.clear();
    for (uint32_t other : getNeighbors(i))
      if (isPlaced[other])
        taken.push_back({offsets[other], offsets[other] + sizes[other]});
    llvm::sort(taken);
    work += taken.size() + 1;
    // The lowest gap that is large enough.
    uint64_t offset = 0;
    for (auto [from, to] : taken) {
      if (from >= offset + sizes[i])
        break;
      offset = std::max(offset, to);
    }
    offsets[i] = offset;
    isPlaced[i] = true;
    if (offset + sizes[i] > end) {
      end = offset + sizes[i];
      highest = i;
    }
    if (end >= best.size)
      return highest;
  }
  keepIfBetter(end, name);
  return highest;
}

/// Tries an order. Then repeatedly moves the buffer that ended highest to the front and
/// tries again: a buffer that is placed late gets the remaining gaps.
void Planner::tryOrder(Order order, StringRef name) {
  constexpr unsigned mostInVain = 40;
  for (unsigned inVain = 0; inVain < mostInVain && !isBest(); ++inVain) {
    if (work > mostWork)
      return;
    uint64_t before = best.size;
    uint32_t highest = place(order, name);
    if (best.size < before)
      inVain = 0;
    auto found = llvm::find(order, highest);
    std::rotate(order.begin(), found, std::next(found));
  }
}

/// The greatest number of bytes in use while each buffer is in use.
std::vector<uint64_t> Planner::getPressures() const {
  std::vector<uint64_t> pressures(buffers.size(), 0);
  for (uint32_t i : inTime) {
    pressures[i] = live[buffers[i].first];
    // The maximum is reached when a buffer begins.
    for (uint32_t other : getNeighbors(i))
      if (buffers[other].first > buffers[i].first)
        pressures[i] = std::max(pressures[i], live[buffers[other].first]);
  }
  return pressures;
}

void Planner::tryOrders() {
  std::vector<uint64_t> pressures = getPressures();
  auto by = [&](StringRef name, auto key) {
    Order order = inTime;
    llvm::sort(order, [&](uint32_t a, uint32_t b) {
      return std::tuple(key(b), buffers[a].first, a) <
             std::tuple(key(a), buffers[b].first, b);
    });
    tryOrder(std::move(order), name);
  };
  by("largest first",
     [&](uint32_t i) { return std::pair(sizes[i], getLifetime(i)); });
  by("fullest moment first",
     [&](uint32_t i) { return std::pair(pressures[i], sizes[i]); });
  by("fullest moment first, then longest",
     [&](uint32_t i) { return std::pair(pressures[i], getLifetime(i)); });
  by("most bytes times time first",
     [&](uint32_t i) { return double(sizes[i]) * double(getLifetime(i)); });
  by("longest first",
     [&](uint32_t i) { return std::pair(getLifetime(i), sizes[i]); });
  by("first use first", [&](uint32_t i) { return -int64_t(buffers[i].first); });
  by("last use first", [&](uint32_t i) { return int64_t(buffers[i].last); });
}

MemoryPlan Planner::plan() {
  sweep();
  if (!isBest() && findNeighbors())
    tryOrders();
  return std::move(best);
}

MemoryPlan invar::planMemory(ArrayRef<BufferUse> buffers) {
  if (buffers.empty())
    return MemoryPlan();
  return Planner(buffers).plan();
}
