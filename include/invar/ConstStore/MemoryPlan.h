// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assigns offsets in one block of memory to buffers whose sizes and times of use are
// known. Two buffers that are never in use at the same time may overlap:
//
//   bytes  . .ccc ccc  .  .             a: 2 bytes, from 0 to 1
//          . .bbb bbb  .  .             b: 1 byte,  from 1 to 2
//          aaa aaa  . ddd  .            c: 1 byte,  from 1 to 2
//          aaa aaa  . ddd  .            d: 2 bytes, from 3 to 3
//   time    0   1   2   3
//
// No plan is smaller than the bytes in use at the fullest moment: the lower bound.
// Finding the best plan is NP-complete. But for the programs of models, a greedy choice
// of the lowest free place usually reaches the bound, if buffers are placed in the
// right order. The right order depends on the model. So several orders are tried, and
// the best plan is kept.
//
// Invariant: buffers that are in use at the same time do not overlap, and all begin at
// multiples of the alignment. The result is deterministic.
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
  /// Limits on the size and the number of buffers, so that no sum overflows.
  static constexpr uint64_t mostBytes = uint64_t(1) << 40;
  static constexpr size_t mostBuffers = size_t(1) << 20;

  /// For each buffer.
  std::vector<uint64_t> offsets;
  uint64_t size = 0;
  /// The greatest number of bytes in use at once, in whole units of the alignment.
  uint64_t bound = 0;
  /// The name of the order that gave this plan.
  llvm::StringRef order = "none";
};

/// Plans in time that grows with the number of pairs of buffers that are in use at the
/// same time, up to some millions of pairs. Beyond that, only orders that need no pairs
/// are tried.
MemoryPlan planMemory(llvm::ArrayRef<BufferUse> buffers);

/// The bytes that are in use at each moment, up to the last one.
std::vector<uint64_t> getLiveBytes(llvm::ArrayRef<BufferUse> buffers);

} // namespace invar

#endif // INVAR_CONSTSTORE_MEMORYPLAN_H
