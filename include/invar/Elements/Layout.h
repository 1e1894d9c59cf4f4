// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Layout maps each index of a tensor to an element of a linear sequence. Element (i,
// j, …) is number
//
//   offset + i * strides[0] + j * strides[1] + …
//
// Most operators that move elements only change the layout. Example with 6 elements a b
// c d e f:
//
//   contiguous({2,3})          shape 2x3  offset 0  strides  3 1    abc def
//   .transpose({1,0})          shape 3x2  offset 0  strides  1 3    ad be cf
//   .slice({2,0},{2,2},{-2,1}) shape 2x2  offset 2  strides -2 3    cf ad
//   scalar .expand({2,3})      shape 2x3  offset 0  strides  0 0    aaa aaa
//
// Stride 0 repeats (broadcast), a negative stride reverses.
//
// Invariants: sizes are not negative; their product fits int64_t; every index within
// the shape maps to a non-negative number. A dimension of size 1 has stride 0, and an
// empty layout has offset and strides 0, so that equivalent layouts compare equal more
// often and no unused stride can overflow.
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

/// The number of elements of a tensor of `shape`; none if a size is negative or the
/// number does not fit. It is 0 if any size is 0.
std::optional<int64_t> countElements(llvm::ArrayRef<int64_t> shape);

/// For messages: "2x3x4", or "scalar" for rank 0.
std::string printShape(llvm::ArrayRef<int64_t> shape);

/// The result shape of broadcasting operands of `shapes` by numpy's rules.
llvm::Expected<Shape>
broadcastShapes(llvm::ArrayRef<llvm::ArrayRef<int64_t>> shapes);

/// Whether `axes` contains each number below `rank` exactly once.
bool isPermutation(llvm::ArrayRef<int64_t> axes, size_t rank);

/// Whether a slice is inside of `shape`. In dimension d, the slice has `sizes[d]`
/// elements, the first at `starts[d]`, with steps of `steps[d]` (not 0).
bool isValidSlice(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> starts,
                  llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> steps);

/// Whether a tensor of shape `from` broadcasts to exactly shape `to`.
bool isExpandable(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to);

class Layout {
public:
  /// Row-major, beginning with the first element of the sequence; none if
  /// countElements() is none.
  static std::optional<Layout> contiguous(llvm::ArrayRef<int64_t> shape);

  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  llvm::ArrayRef<int64_t> getStrides() const { return strides; }
  int64_t getOffset() const { return offset; }
  int64_t numElements() const { return count; }

  /// Whether the elements are adjacent in row-major order.
  bool isContiguous() const;

  /// Whether there are elements and all of them are the one at the offset.
  bool isSplat() const;

  /// The number of the element at row-major position `index`.
  int64_t locate(int64_t index) const;

  /// Views. The arguments must be valid according to the functions above (asserted).
  Layout transpose(llvm::ArrayRef<int64_t> permutation) const;
  Layout slice(llvm::ArrayRef<int64_t> starts, llvm::ArrayRef<int64_t> sizes,
               llvm::ArrayRef<int64_t> steps) const;
  Layout expand(llvm::ArrayRef<int64_t> newShape) const;

  /// The same elements in row-major order with another shape of the same size; none if
  /// no strides can express that, as for a flattened transposed matrix.
  std::optional<Layout> reshape(llvm::ArrayRef<int64_t> newShape) const;

  /// The same sequence of elements in as few dimensions as possible, none of size 1.
  /// The result has the longest inner loop that strides can describe.
  Layout coalesce() const;

  /// The permutation if this is a transpose of `other`, otherwise none.
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
