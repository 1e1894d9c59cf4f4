// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much memory tensors may take. What is asked for beyond the limit lies in a temporary
// file instead, mapped so that it reads and writes like memory: the kernel brings in the
// pages that are looked at, and writes them back to the disk when others are needed.
//
//   MemoryBudget budget(512 << 20);
//   llvm::Expected<std::shared_ptr<void>> memory = budget.allocate(bytes);
//
// The file has no name, so that nothing is left of it when the process ends, however it
// does. Its space is reserved at once: a full disk is an error here, not a signal later.
// All functions may be called by several threads.
#ifndef INVAR_SUPPORT_MEMORYBUDGET_H
#define INVAR_SUPPORT_MEMORYBUDGET_H

#include "llvm/Support/Error.h"
#include <atomic>
#include <cstdint>
#include <memory>

namespace invar {

class MemoryBudget {
public:
  static constexpr uint64_t noLimit = UINT64_MAX;

  explicit MemoryBudget(uint64_t limit = noLimit) : limit(limit) {}
  MemoryBudget(const MemoryBudget &) = delete;
  MemoryBudget &operator=(const MemoryBudget &) = delete;

  /// `bytes` (rounded up) of uninitialized memory, aligned to 64, which count as long as
  /// they live. They must not outlive the budget.
  llvm::Expected<std::shared_ptr<void>> allocate(uint64_t bytes);

  /// What is in memory now, and what lies in files.
  uint64_t getUsed() const { return used; }
  uint64_t getSpilled() const { return spilled; }

private:
  uint64_t limit;
  std::atomic<uint64_t> used = 0, spilled = 0;
};

/// Memory that lies in an unnamed file of the folder for temporary files.
llvm::Expected<std::shared_ptr<void>> allocateInFile(uint64_t bytes);

} // namespace invar

#endif // INVAR_SUPPORT_MEMORYBUDGET_H
