// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that detects accesses beyond its ends, for checking kernels. The pages
// before and after it are inaccessible, and an access to them is reported instead of
// ending the process.
//
//   GuardedBytes bytes(40, /*isAtEnd=*/true);
//   bool isFine = runCatchingFaults([&] { bytes.getData()[40] = 1; });   // false
#ifndef INVAR_RUNTIME_GUARDEDMEMORY_H
#define INVAR_RUNTIME_GUARDEDMEMORY_H

#include <cstddef>

namespace invar::runtime {

/// Bytes that end, or begin, at an inaccessible page.
class GuardedBytes {
public:
  /// The data is null if there is not enough memory.
  GuardedBytes(size_t size, bool isAtEnd);
  GuardedBytes(GuardedBytes &&other) noexcept;
  GuardedBytes &operator=(GuardedBytes &&) = delete;
  ~GuardedBytes();

  char *getData() const { return data; }

private:
  char *base = nullptr, *data = nullptr;
  size_t mapped = 0;
};

/// Calls `work` on this thread; returns false if it accessed forbidden memory. In
/// that case no destructors of `work` run, so it must own nothing. Only one call runs
/// at a time in a process; others wait.
bool runCatchingFaults(void (*work)(void *context), void *context);

template <typename Work> bool runCatchingFaults(Work work) {
  return runCatchingFaults(
      [](void *context) { (*static_cast<Work *>(context))(); }, &work);
}

} // namespace invar::runtime

#endif // INVAR_RUNTIME_GUARDEDMEMORY_H
