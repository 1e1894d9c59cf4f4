// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Support/MappedFile.h"

#include "invar/Support/Error.h"
#include "invar/Support/TruncationGuard.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace invar;

llvm::Expected<std::shared_ptr<const MappedFile>>
MappedFile::open(llvm::StringRef path) {
  // O_NONBLOCK: a pipe without a writer must be refused, not waited for.
  int descriptor =
      ::open(path.str().c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0)
    return systemError(path, "open", errno);
  return adopt(descriptor, path);
}

llvm::Expected<std::shared_ptr<const MappedFile>>
MappedFile::adopt(int descriptor, llvm::StringRef path) {
  std::shared_ptr<MappedFile> file(new MappedFile());
  file->descriptor = descriptor;
  file->path = path.str();

  struct stat status;
  if (fstat(descriptor, &status) != 0)
    return systemError(path, "open", errno);
  if (S_ISDIR(status.st_mode))
    return systemError(path, "open", EISDIR);
  if (!S_ISREG(status.st_mode))
    return badInput(path + ": expected a regular file, but got a pipe, a "
                           "socket or a device");
  file->device = status.st_dev;
  file->inode = status.st_ino;
  if (status.st_size == 0)
    return file; // mmap refuses to map nothing

  void *address =
      mmap(nullptr, status.st_size, PROT_READ, MAP_SHARED, descriptor, 0);
  if (address == MAP_FAILED)
    return systemError(path, "map", errno);
  file->bytes = {static_cast<const char *>(address), size_t(status.st_size)};
  file->registration =
      registerMapping(file->bytes, file->path.c_str(), descriptor);
  return file;
}

MappedFile::~MappedFile() {
  if (registration)
    unregisterMapping(registration);
  if (!bytes.empty())
    munmap(const_cast<char *>(bytes.data()), bytes.size());
  close(descriptor);
}

void MappedFile::willNeed(ByteRange range) const {
  advise(range, /*inwards=*/false, MADV_WILLNEED);
}

void MappedFile::dropPages(ByteRange range) const {
  // A page at the border may contain a neighbouring range: drop only whole pages.
  advise(range, /*inwards=*/true, MADV_DONTNEED);
}

void MappedFile::advise(ByteRange range, bool inwards, int advice) const {
  assert(range.offset <= getSize() && range.size <= getSize() - range.offset);
  uint64_t page = sysconf(_SC_PAGESIZE);
  uint64_t begin = range.offset;
  if (inwards)
    begin += page - 1;
  begin -= begin % page;
  uint64_t end = range.end();
  if (inwards && end != getSize()) // no other range uses the last page
    end -= end % page;
  if (begin < end)
    madvise(const_cast<char *>(bytes.data()) + begin, end - begin, advice);
}
