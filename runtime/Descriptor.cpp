// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Descriptor.h"

#include <cerrno>

using namespace invar::runtime;

/// Repeats `move`, which may read or write less than requested, until all bytes are
/// done.
template <typename Byte, typename Move>
static bool moveAll(Byte *bytes, size_t size, uint64_t offset, Move move) {
  while (size > 0) {
    ssize_t moved = move(bytes, size, off_t(offset));
    if (moved < 0 && errno == EINTR)
      continue;
    if (moved <= 0)
      return false;
    bytes += moved;
    offset += uint64_t(moved);
    size -= size_t(moved);
  }
  return true;
}

bool invar::runtime::readAt(int descriptor, uint64_t offset, void *memory,
                            size_t size) {
  auto read = [=](char *bytes, size_t count, off_t from) {
    return pread(descriptor, bytes, count, from);
  };
  return moveAll(static_cast<char *>(memory), size, offset, read);
}

bool invar::runtime::writeAt(int descriptor, uint64_t offset,
                             const void *memory, size_t size) {
  auto write = [=](const char *bytes, size_t count, off_t to) {
    return pwrite(descriptor, bytes, count, to);
  };
  return moveAll(static_cast<const char *>(memory), size, offset, write);
}
