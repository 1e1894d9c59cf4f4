// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Files/LibraryName.h"

#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

bool invar::beginsAsLibrary(const std::string &path) {
  // If it is a pipe, neither open() nor pread() may wait.
  int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0)
    return false;
  char magic[SELFMAG];
  bool isOne = pread(file, magic, sizeof(magic), 0) == sizeof(magic) &&
               std::memcmp(magic, ELFMAG, SELFMAG) == 0;
  close(file);
  return isOne;
}
