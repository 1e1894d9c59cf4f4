// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors for large working memory. The system provides and takes back memory page by
// page. For a hundred megabytes in small pages, returning them takes milliseconds, in
// which nothing can be stopped; in pages of 2 MB it takes almost no time.
#ifndef INVAR_KERNELS_LARGEPAGES_H
#define INVAR_KERNELS_LARGEPAGES_H

#include <cstddef>
#include <vector>

namespace invar::kernels {

/// Memory that asks for large pages if it is large; ends the program if there is none.
void *allocateInLargePages(size_t bytes);
/// `bytes` is the size that was allocated.
void freeInLargePages(void *memory, size_t bytes);

template <typename T> struct LargePages {
  using value_type = T;
  LargePages() = default;
  template <typename U> LargePages(const LargePages<U> &) {}
  T *allocate(size_t count) {
    return static_cast<T *>(allocateInLargePages(count * sizeof(T)));
  }
  void deallocate(T *memory, size_t count) {
    freeInLargePages(memory, count * sizeof(T));
  }
  bool operator==(const LargePages &) const { return true; }
};

template <typename T> using LargeVector = std::vector<T, LargePages<T>>;

} // namespace invar::kernels

#endif // INVAR_KERNELS_LARGEPAGES_H
