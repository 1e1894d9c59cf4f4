// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Support/MemoryBudget.h"

#include "invar/Support/Error.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace invar;

// More than any vector register or cache line is wide.
static constexpr uint64_t alignment = 64;

llvm::Expected<std::shared_ptr<void>> invar::allocateInFile(uint64_t bytes) {
  // Not the folder that is emptied at start, which is often memory itself.
  llvm::SmallString<64> path;
  llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/false, path);
  llvm::sys::path::append(path, "invar-spill-XXXXXX");
  int file = ::mkstemp(path.data());
  if (file < 0)
    return systemError(path, "create a temporary file", errno);
  ::unlink(path.c_str());
  int error = ::posix_fallocate(file, 0, static_cast<off_t>(bytes));
  void *memory = MAP_FAILED;
  if (!error) {
    memory =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    error = errno;
  }
  ::close(file);
  if (memory == MAP_FAILED)
    return systemError(path, "reserve " + llvm::Twine(bytes) + " bytes", error);
  return std::shared_ptr<void>(memory,
                               [bytes](void *m) { ::munmap(m, bytes); });
}

llvm::Expected<std::shared_ptr<void>> MemoryBudget::allocate(uint64_t bytes) {
  uint64_t whole = (bytes + alignment) / alignment * alignment;
  bool isWithin = used.fetch_add(whole) + whole <= limit;
  if (isWithin) {
    if (void *memory = std::aligned_alloc(alignment, whole))
      return std::shared_ptr<void>(memory, [this, whole](void *m) {
        std::free(m);
        used -= whole;
      });
  }
  used -= whole;
  llvm::Expected<std::shared_ptr<void>> file = allocateInFile(whole);
  if (!file)
    return file;
  spilled += whole;
  return std::shared_ptr<void>(file->get(),
                               [this, whole, kept = *file](void *) mutable {
                                 kept.reset();
                                 spilled -= whole;
                               });
}
