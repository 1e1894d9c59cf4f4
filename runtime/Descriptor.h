// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_RUNTIME_DESCRIPTOR_H
#define INVAR_RUNTIME_DESCRIPTOR_H

#include <cstddef>
#include <cstdint>
#include <unistd.h>

namespace invar::runtime {

/// Owns a file descriptor and closes it. False if opening the file failed.
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

/// Reads `size` bytes at an offset; false if the file does not have all of them.
bool readAt(int descriptor, uint64_t offset, void *memory, size_t size);
/// Writes `size` bytes at an offset; false if writing fails.
bool writeAt(int descriptor, uint64_t offset, const void *memory, size_t size);

} // namespace invar::runtime

#endif // INVAR_RUNTIME_DESCRIPTOR_H
