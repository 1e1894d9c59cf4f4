// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of operators that no formula, view or reduction expresses. Folding calls them
// now, compiled code calls them when it runs; so they are plain C++: no LLVM, no MLIR, no
// allocation that the caller has not bounded, no exception, no global.
//
// A kernel takes tensors as TensorRef: row-major memory that somebody else owns, and its
// sizes. Callers have checked ranks, sizes and attributes; what only the data can tell,
// such as an index in a tensor, the kernel checks itself and says so in its header. Each is
// instantiated for float and double: folding works in double and rounds once at the end.
#ifndef INVAR_KERNELS_TENSOR_H
#define INVAR_KERNELS_TENSOR_H

#include <cstdint>
#include <span>

namespace invar::kernels {

using Sizes = std::span<const int64_t>;

template <typename T> struct TensorRef {
  T *data = nullptr;
  Sizes sizes;

  /// False for an operand that is left out.
  explicit operator bool() const { return data != nullptr; }
  int64_t rank() const { return static_cast<int64_t>(sizes.size()); }
  int64_t size(int64_t axis) const { return sizes[static_cast<size_t>(axis)]; }
  int64_t count() const { return countFrom(0); }
  /// Elements of one slice along the axes before `axis`.
  int64_t countFrom(int64_t axis) const {
    int64_t product = 1;
    for (size_t i = static_cast<size_t>(axis); i < sizes.size(); ++i)
      product *= sizes[i];
    return product;
  }
  T &operator[](int64_t i) const { return data[i]; }
};

} // namespace invar::kernels

#endif // INVAR_KERNELS_TENSOR_H
