// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that shows who goes beyond its end, for checking kernels: pages before and after
// cannot be touched, and a touch is reported instead of ending the process.
//
//   GuardedBytes bytes(40, /*isAtEnd=*/true);
//   bool isFine = runCatchingFaults([&] { bytes.getData()[40] = 1; });   // false
#ifndef INVAR_RUNTIME_GUARDEDMEMORY_H
#define INVAR_RUNTIME_GUARDEDMEMORY_H

#include <cstddef>

namespace invar::runtime {

/// Bytes that end, or begin, at a guard.
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

/// Calls `work` on this thread; false if it touched memory that it must not. Then nothing
/// that `work` holds is released: it must hold nothing. One call at a time is done in a
/// process, others wait.
bool runCatchingFaults(void (*work)(void *context), void *context);

template <typename Work> bool runCatchingFaults(Work work) {
  return runCatchingFaults(
      [](void *context) { (*static_cast<Work *>(context))(); }, &work);
}

} // namespace invar::runtime

#endif // INVAR_RUNTIME_GUARDEDMEMORY_H
