// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_FUZZ_INMEMORY_H
#define INVAR_FUZZ_INMEMORY_H

#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace invar::fuzz {

/// Makes a file in memory. The caller closes it.
inline int makeFile(const std::vector<char> &bytes) {
  int file = memfd_create("fuzz", MFD_CLOEXEC);
  if (file < 0 ||
      write(file, bytes.data(), bytes.size()) != ssize_t(bytes.size()))
    std::abort();
  return file;
}

} // namespace invar::fuzz

#endif // INVAR_FUZZ_INMEMORY_H
