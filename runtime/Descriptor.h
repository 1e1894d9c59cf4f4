// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_RUNTIME_DESCRIPTOR_H
#define INVAR_RUNTIME_DESCRIPTOR_H

#include <cstddef>
#include <cstdint>
#include <unistd.h>

namespace invar::runtime {

/// An open file, which is closed in the end; or none, where opening it failed.
class Descriptor {
public:
  explicit Descriptor(int number) : number(number) {}
  ~Descriptor() {
    if (number >= 0)
      close(number);
  }
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;

  int get() const { return number; }
  explicit operator bool() const { return number >= 0; }

private:
  int number;
};

/// Reads all of a part of a file; false where it is not there.
bool readAt(int descriptor, uint64_t offset, void *memory, size_t size);
/// Writes all of a part of a file; false where that cannot be done.
bool writeAt(int descriptor, uint64_t offset, const void *memory, size_t size);

} // namespace invar::runtime

#endif // INVAR_RUNTIME_DESCRIPTOR_H
