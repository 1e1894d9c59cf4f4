// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Support/MemoryBudget.h"

#include "invar/Support/Error.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace invar;

// As wide as the widest vector registers and as a cache line.
static constexpr uint64_t alignment = 64;

llvm::Expected<std::shared_ptr<SpillFile>> SpillFile::create() {
  // Not the folder that is emptied at boot, which is often in memory itself.
  llvm::SmallString<64> folder;
  llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/false, folder);
  llvm::SmallString<64> path(folder);
  llvm::sys::path::append(path, "invar-spill-XXXXXX");
  int file = ::mkostemp(path.data(), O_CLOEXEC);
  if (file < 0)
    return systemError(folder, "create a temporary file", errno);
  ::unlink(path.c_str());
  return std::shared_ptr<SpillFile>(new SpillFile(file, folder.str().str()));
}

SpillFile::~SpillFile() { ::close(descriptor); }

llvm::Expected<std::shared_ptr<void>> SpillFile::allocate(uint64_t bytes) {
  uint64_t page = llvm::sys::Process::getPageSizeEstimate();
  uint64_t whole = llvm::alignTo(bytes, page);
  uint64_t offset = end.fetch_add(whole);
  int error = ::posix_fallocate(descriptor, off_t(offset), off_t(whole));
  void *memory = MAP_FAILED;
  if (!error) {
    memory = ::mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_SHARED,
                    descriptor, off_t(offset));
    error = errno;
  }
  if (memory == MAP_FAILED)
    return systemError(folder, "reserve " + llvm::Twine(bytes) + " bytes",
                       error);
  return std::shared_ptr<void>(
      memory, [file = shared_from_this(), offset, whole](void *m) {
        ::munmap(m, whole);
        // If the system cannot punch holes, the space is freed with the file.
        (void)::fallocate(file->descriptor,
                          FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                          off_t(offset), off_t(whole));
      });
}

llvm::Expected<std::shared_ptr<SpillFile>> MemoryBudget::getSpill() {
  std::scoped_lock guard(spillLock);
  if (!spill)
    if (llvm::Error error = SpillFile::create().moveInto(spill))
      return error;
  return spill;
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
  llvm::Expected<std::shared_ptr<SpillFile>> place = getSpill();
  if (!place)
    return place.takeError();
  llvm::Expected<std::shared_ptr<void>> file = (*place)->allocate(whole);
  if (!file)
    return file;
  spilled += whole;
  return std::shared_ptr<void>(file->get(),
                               [this, whole, kept = *file](void *) mutable {
                                 kept.reset();
                                 spilled -= whole;
                               });
}
