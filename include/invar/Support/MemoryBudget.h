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
#include <mutex>

namespace invar {

/// A file without a name in the folder for temporary files, of which parts are mapped as
/// memory.
class SpillFile : public std::enable_shared_from_this<SpillFile> {
public:
  static llvm::Expected<std::shared_ptr<SpillFile>> create();
  ~SpillFile();
  SpillFile(const SpillFile &) = delete;
  SpillFile &operator=(const SpillFile &) = delete;

  /// Memory that keeps the file open, and gives its space back in the end.
  llvm::Expected<std::shared_ptr<void>> allocate(uint64_t bytes);

private:
  SpillFile(int descriptor, std::string folder)
      : descriptor(descriptor), folder(std::move(folder)) {}

  int descriptor;
  std::string folder;
  std::atomic<uint64_t> end = 0;
};

class MemoryBudget {
public:
  static constexpr uint64_t noLimit = UINT64_MAX;

  /// `spill` is made when it is needed, if it is null.
  explicit MemoryBudget(uint64_t limit = noLimit,
                        std::shared_ptr<SpillFile> spill = nullptr)
      : limit(limit), spill(std::move(spill)) {}
  MemoryBudget(const MemoryBudget &) = delete;
  MemoryBudget &operator=(const MemoryBudget &) = delete;

  /// `bytes` (rounded up) of uninitialized memory, aligned to 64, which count as long as
  /// they live. They must not outlive the budget.
  llvm::Expected<std::shared_ptr<void>> allocate(uint64_t bytes);

  /// What is in memory now, and what lies in files.
  uint64_t getUsed() const { return used; }
  uint64_t getSpilled() const { return spilled; }

private:
  llvm::Expected<std::shared_ptr<SpillFile>> getSpill();

  uint64_t limit;
  std::atomic<uint64_t> used = 0, spilled = 0;
  std::mutex spillLock;
  std::shared_ptr<SpillFile> spill;
};

} // namespace invar

#endif // INVAR_SUPPORT_MEMORYBUDGET_H
