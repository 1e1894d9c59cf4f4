// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Support/MemoryFile.h"

#include "invar/Support/Error.h"
#include <cerrno>
#include <sys/mman.h>
#include <unistd.h>

using namespace invar;

llvm::Expected<MemoryFile> MemoryFile::create(llvm::StringRef name,
                                              llvm::StringRef bytes) {
  MemoryFile file;
  file.descriptor = memfd_create("invar", MFD_CLOEXEC);
  if (file.descriptor < 0)
    return systemError(name, "keep in memory", errno);
  file.path = "/proc/self/fd/" + std::to_string(file.descriptor);
  while (!bytes.empty()) {
    ssize_t written = write(file.descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return systemError(name, "keep in memory", errno);
    bytes = bytes.drop_front(size_t(written));
  }
  return file;
}

MemoryFile::~MemoryFile() {
  if (descriptor >= 0)
    close(descriptor);
}
