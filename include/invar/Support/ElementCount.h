// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Limits the number of elements of a tensor, for sizes from models, files and
// attributes.
//
// Code multiplies sizes without checks: to compute strides, bytes, bits, units of work.
// This is safe because no type has more elements than `most`: the product of all sizes
// that are known and not 0, times the bits of the widest element, fits into 64 bits.
// Sizes of 0 do not count, because an empty tensor has strides too.
//
//   ElementCount count;
//   count.multiply(1 << 20)     // true
//   count.multiply(1 << 60)     // false: there is no such tensor
#ifndef INVAR_SUPPORT_ELEMENTCOUNT_H
#define INVAR_SUPPORT_ELEMENTCOUNT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cstdint>

namespace invar {

class ElementCount {
public:
  /// The widest element, complex128, has 2^7 bits.
  static constexpr int64_t most = int64_t(1) << 55;

  /// Whether a tensor may have such a shape. Negative sizes are open.
  static bool allows(llvm::ArrayRef<int64_t> shape) {
    ElementCount count;
    return llvm::all_of(
        shape, [&](int64_t size) { return size < 0 || count.multiply(size); });
  }

  /// Adds another axis. Returns false if there are too many elements.
  bool multiply(int64_t size) {
    if (size <= 0)
      return size == 0;
    return !llvm::MulOverflow(count, size, count) && count <= most;
  }

private:
  int64_t count = 1;
};

} // namespace invar

#endif // INVAR_SUPPORT_ELEMENTCOUNT_H
