// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reference kernels: operators that no formula, view or reduction expresses. Folding
// calls them at compile time, compiled code calls them at run time. Therefore they are
// plain C++: no LLVM, no MLIR, no allocation that the caller has not bounded, no
// exceptions, no globals.
//
// A kernel takes tensors as TensorRef: row-major memory owned by the caller, and its
// sizes. Callers have checked ranks, sizes and attributes. A kernel itself checks
// properties of the data, such as an index in a tensor, and documents this in its
// header. Each kernel is instantiated for float and double: folding computes in double
// and rounds once at the end.
#ifndef INVAR_KERNELS_TENSOR_H
#define INVAR_KERNELS_TENSOR_H

#include <cstdint>
#include <span>

namespace invar::kernels {

using Sizes = std::span<const int64_t>;

template <typename T> struct TensorRef {
  T *data = nullptr;
  Sizes sizes;

  /// False for an omitted operand.
  explicit operator bool() const { return data != nullptr; }
  int64_t rank() const { return static_cast<int64_t>(sizes.size()); }
  int64_t size(int64_t axis) const { return sizes[static_cast<size_t>(axis)]; }
  int64_t count() const { return countFrom(0); }
  /// The number of elements of the axes from `axis` on.
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
