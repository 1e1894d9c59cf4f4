// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where buffers lie in one block of memory, if it is known how large each is and from when
// to when it is in use. Two that are never in use together may overlap:
//
//   bytes  . .ccc ccc  .  .             a: 2 bytes, from 0 to 1
//          . .bbb bbb  .  .             b: 1 byte,  from 1 to 2
//          aaa aaa  . ddd  .            c: 1 byte,  from 1 to 2
//          aaa aaa  . ddd  .            d: 2 bytes, from 3 to 3
//   time    0   1   2   3
//
// No plan is smaller than what is in use at the fullest moment: the lower bound. To find the
// best plan is hard (NP-complete), but on the programs of models a greedy choice of the
// lowest place that is free mostly meets the bound, if the order is right. Which order that
// is depends on the model: several are tried, and the best plan is kept.
//
// Invariant: buffers that are in use together do not overlap, and all begin at multiples of
// the alignment. The same buffers give the same plan.
#ifndef INVAR_CONSTSTORE_MEMORYPLAN_H
#define INVAR_CONSTSTORE_MEMORYPLAN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace invar {

/// A buffer that is in use from `first` to `last`, both included.
struct BufferUse {
  uint64_t bytes;
  uint32_t first, last;
};

struct MemoryPlan {
  static constexpr uint64_t alignment = 64;
  /// No buffer may be larger, and there may not be more of them: so no sum overflows.
  static constexpr uint64_t mostBytes = uint64_t(1) << 40;
  static constexpr size_t mostBuffers = size_t(1) << 20;

  /// For each buffer.
  std::vector<uint64_t> offsets;
  uint64_t size = 0;
  /// The most bytes, of whole units of the alignment, that are in use at once.
  uint64_t bound = 0;
  /// The order that was best.
  llvm::StringRef order = "none";
};

/// Plans in time that grows with the pairs of buffers that are in use together, up to some
/// millions of them; beyond, only orders are tried that need no pairs.
MemoryPlan planMemory(llvm::ArrayRef<BufferUse> buffers);

/// The bytes that are in use at each moment up to the last.
std::vector<uint64_t> getLiveBytes(llvm::ArrayRef<BufferUse> buffers);

} // namespace invar

#endif // INVAR_CONSTSTORE_MEMORYPLAN_H
