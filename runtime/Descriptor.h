// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_RUNTIME_DESCRIPTOR_H
#define INVAR_RUNTIME_DESCRIPTOR_H

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

} // namespace invar::runtime

#endif // INVAR_RUNTIME_DESCRIPTOR_H
