// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Limits the memory that tensors take. Memory beyond the limit is in a temporary file,
// which is mapped so that it reads and writes like memory: the kernel loads the pages
// that are used, and writes them back to the disk when it needs room for others.
//
//   MemoryBudget budget(512 << 20);
//   llvm::Expected<std::shared_ptr<void>> memory = budget.allocate(bytes);
//
// The file has no name, so nothing is left of it however the process ends. Its space is
// reserved immediately: a full disk is an error here, not a signal later. All functions
// are thread-safe.
#ifndef INVAR_SUPPORT_MEMORYBUDGET_H
#define INVAR_SUPPORT_MEMORYBUDGET_H

#include "llvm/Support/Error.h"
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

namespace invar {

/// A file without a name in the folder for temporary files. Parts of it are mapped as
/// memory.
class SpillFile : public std::enable_shared_from_this<SpillFile> {
public:
  static llvm::Expected<std::shared_ptr<SpillFile>> create();
  ~SpillFile();
  SpillFile(const SpillFile &) = delete;
  SpillFile &operator=(const SpillFile &) = delete;

  /// Returns memory that keeps the file open and frees its part of the file in the end.
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

  /// If `spill` is null, it is created when it is needed.
  explicit MemoryBudget(uint64_t limit = noLimit,
                        std::shared_ptr<SpillFile> spill = nullptr)
      : limit(limit), spill(std::move(spill)) {}
  MemoryBudget(const MemoryBudget &) = delete;
  MemoryBudget &operator=(const MemoryBudget &) = delete;

  /// Returns at least `bytes` of uninitialized memory, aligned to 64, which count as
  /// used until they are released. They must not outlive the budget.
  llvm::Expected<std::shared_ptr<void>> allocate(uint64_t bytes);

  /// The bytes in memory now, and the bytes in the file.
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
