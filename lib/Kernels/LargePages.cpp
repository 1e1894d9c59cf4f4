// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/LargePages.h"

#include <new>
#include <sys/mman.h>

static constexpr std::align_val_t largePage{size_t(2) << 20};

/// Smaller memory is allocated as usual.
static bool isLarge(size_t bytes) { return bytes >= 2 * size_t(largePage); }

void *invar::kernels::allocateInLargePages(size_t bytes) {
  if (!isLarge(bytes))
    return ::operator new(bytes);
  void *memory = ::operator new(bytes, largePage);
  madvise(memory, bytes, MADV_HUGEPAGE);
  return memory;
}

void invar::kernels::freeInLargePages(void *memory, size_t bytes) {
  // Clang 22 calls both operators if they are the arms of a conditional operator.
  if (isLarge(bytes))
    ::operator delete(memory, largePage);
  else
    ::operator delete(memory);
}
