// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Layout says which element of a linear sequence stands at each index of a
// tensor. Element (i, j, …) is number
//
//   offset + i * strides[0] + j * strides[1] + …
//
// Most movement ops only change the layout. Take 6 elements a b c d e f:
//
//   contiguous({2,3})          shape 2x3  offset 0  strides  3 1    abc def
//   .transpose({1,0})          shape 3x2  offset 0  strides  1 3    ad be cf
//   .slice({2,0},{2,2},{-2,1}) shape 2x2  offset 2  strides -2 3    cf ad
//   scalar .expand({2,3})      shape 2x3  offset 0  strides  0 0    aaa aaa
//
// Stride 0 repeats (broadcast), a negative stride reverses.
//
// Invariants: sizes aren't negative; their product fits int64_t; every index
// within the shape leads to a non-negative number. A dimension of size 1 has
// stride 0, and an empty layout has offset and strides 0, so that equal
// meanings compare equal more often and no unused stride can overflow.
#ifndef INVAR_ELEMENTS_LAYOUT_H
#define INVAR_ELEMENTS_LAYOUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>

namespace invar {

using Shape = llvm::SmallVector<int64_t, 4>;

/// How many elements a tensor of `shape` has; none if a size is negative or the
/// number doesn't fit. Any size 0 makes it 0.
std::optional<int64_t> countElements(llvm::ArrayRef<int64_t> shape);

/// "2x3x4", or "scalar" for rank 0; for messages.
std::string printShape(llvm::ArrayRef<int64_t> shape);

/// The shape that numpy's rules give for operands of `shapes`.
llvm::Expected<Shape>
broadcastShapes(llvm::ArrayRef<llvm::ArrayRef<int64_t>> shapes);

/// Whether `axes` has each number below `rank` once.
bool isPermutation(llvm::ArrayRef<int64_t> axes, size_t rank);

/// Whether slicing `shape` stays inside: per dimension `sizes[d]` elements, the
/// first at `starts[d]`, each `steps[d]` (not 0) after the one before.
bool isValidSlice(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> starts,
                  llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> steps);

/// Whether a tensor of shape `from` broadcasts to exactly shape `to`.
bool isExpandable(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to);

class Layout {
public:
  /// Row-major from the sequence's first element on; none if countElements() is
  /// none.
  static std::optional<Layout> contiguous(llvm::ArrayRef<int64_t> shape);

  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  llvm::ArrayRef<int64_t> getStrides() const { return strides; }
  int64_t getOffset() const { return offset; }
  int64_t numElements() const { return count; }

  /// Whether the elements follow one another in row-major order.
  bool isContiguous() const;

  /// Whether there are elements, and all of them are the one at the offset.
  bool isSplat() const;

  /// The number of the element at row-major position `index`.
  int64_t locate(int64_t index) const;

  /// The views. Their arguments are right by the functions above; else it
  /// asserts.
  Layout transpose(llvm::ArrayRef<int64_t> permutation) const;
  Layout slice(llvm::ArrayRef<int64_t> starts, llvm::ArrayRef<int64_t> sizes,
               llvm::ArrayRef<int64_t> steps) const;
  Layout expand(llvm::ArrayRef<int64_t> newShape) const;

  /// The same elements in row-major order under another shape of as many; none
  /// when no strides say that, as when a transposed matrix is flattened.
  std::optional<Layout> reshape(llvm::ArrayRef<int64_t> newShape) const;

  /// The same sequence of elements in as few dimensions as it takes, none of
  /// size 1. A loop over the result is the longest that strides can describe.
  Layout coalesce() const;

  /// The permutation by which this is a transpose of another; none where it is not.
  std::optional<llvm::SmallVector<int64_t>>
  findTransposeOf(const Layout &other) const;

  friend bool operator==(const Layout &, const Layout &) = default;

private:
  Layout() = default;
  void normalize();

  Shape shape;
  llvm::SmallVector<int64_t, 4> strides;
  int64_t offset = 0;
  int64_t count = 0;
};

} // namespace invar

#endif // INVAR_ELEMENTS_LAYOUT_H
