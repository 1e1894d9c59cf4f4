// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Elements/Layout.h"

#include "invar/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cassert>

using namespace invar;
using llvm::ArrayRef;

std::optional<int64_t> invar::countElements(ArrayRef<int64_t> shape) {
  if (llvm::any_of(shape, [](int64_t size) { return size < 0; }))
    return std::nullopt;
  if (llvm::is_contained(shape, 0))
    return 0;
  int64_t count = 1;
  for (int64_t size : shape)
    if (__builtin_mul_overflow(count, size, &count))
      return std::nullopt;
  return count;
}

std::string invar::printShape(ArrayRef<int64_t> shape) {
  if (shape.empty())
    return "scalar";
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(shape, os, "x");
  return text;
}

llvm::Expected<Shape>
invar::broadcastShapes(ArrayRef<ArrayRef<int64_t>> shapes) {
  size_t rank = 0;
  for (ArrayRef<int64_t> shape : shapes)
    rank = std::max(rank, shape.size());
  Shape result(rank, 1);
  for (ArrayRef<int64_t> shape : shapes) {
    size_t lead = rank - shape.size();
    for (auto [d, size] : llvm::enumerate(shape)) {
      int64_t &common = result[lead + d];
      if (common == 1)
        common = size;
      else if (size != 1 && size != common)
        return badInput(
            "expected shapes that broadcast to one another, but got " +
            printShape(result) + " and " + printShape(shape));
    }
  }
  return result;
}

bool invar::isPermutation(ArrayRef<int64_t> axes, size_t rank) {
  llvm::SmallBitVector seen(rank);
  for (int64_t axis : axes) {
    if (axis < 0 || axis >= static_cast<int64_t>(rank) || seen[axis])
      return false;
    seen.set(axis);
  }
  return axes.size() == rank;
}

bool invar::isValidSlice(ArrayRef<int64_t> shape, ArrayRef<int64_t> starts,
                         ArrayRef<int64_t> sizes, ArrayRef<int64_t> steps) {
  if (starts.size() != shape.size() || sizes.size() != shape.size() ||
      steps.size() != shape.size())
    return false;
  for (auto [size, start, count, step] :
       llvm::zip_equal(shape, starts, sizes, steps)) {
    if (count < 0 || step == 0)
      return false;
    if (count == 0)
      continue;
    int64_t last = 0;
    if (start < 0 || start >= size ||
        __builtin_mul_overflow(count - 1, step, &last) ||
        __builtin_add_overflow(last, start, &last) || last < 0 || last >= size)
      return false;
  }
  return true;
}

bool invar::isExpandable(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  return from.size() <= to.size() &&
         llvm::all_of(llvm::zip_equal(from, to.take_back(from.size())),
                      [](auto sizes) {
                        return std::get<0>(sizes) == 1 ||
                               std::get<0>(sizes) == std::get<1>(sizes);
                      });
}

void Layout::normalize() {
  count = *countElements(shape);
  if (count == 0)
    offset = 0;
  for (auto [size, stride] : llvm::zip_equal(shape, strides))
    if (count == 0 || size == 1)
      stride = 0;
}

std::optional<Layout> Layout::contiguous(ArrayRef<int64_t> shape) {
  if (!countElements(shape))
    return std::nullopt;
  Layout result;
  result.shape.assign(shape.begin(), shape.end());
  result.strides.assign(shape.size(), 0);
  if (!llvm::is_contained(shape, 0)) {
    int64_t stride = 1;
    for (size_t d = shape.size(); d-- > 0; stride *= shape[d])
      result.strides[d] = stride;
  }
  result.normalize();
  return result;
}

bool Layout::isContiguous() const {
  int64_t expected = 1;
  for (size_t d = shape.size(); d-- > 0 && count > 1;) {
    if (shape[d] == 1)
      continue;
    if (strides[d] != expected)
      return false;
    expected *= shape[d];
  }
  return true;
}

bool Layout::isSplat() const {
  return count > 0 &&
         llvm::all_of(strides, [](int64_t stride) { return stride == 0; });
}

int64_t Layout::locate(int64_t index) const {
  assert(index >= 0 && index < count);
  int64_t number = offset;
  for (size_t d = shape.size(); d-- > 0; index /= shape[d])
    number += index % shape[d] * strides[d];
  return number;
}

Layout Layout::transpose(ArrayRef<int64_t> permutation) const {
  assert(isPermutation(permutation, shape.size()));
  Layout result = *this;
  for (auto [d, axis] : llvm::enumerate(permutation)) {
    result.shape[d] = shape[axis];
    result.strides[d] = strides[axis];
  }
  return result;
}

std::optional<llvm::SmallVector<int64_t>>
Layout::findTransposeOf(const Layout &other) const {
  if (offset != other.offset || shape.size() != other.shape.size())
    return std::nullopt;
  llvm::SmallVector<int64_t> permutation;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    // For an axis of size 1, the stride is irrelevant.
    auto fits = [&](int64_t from) {
      return !llvm::is_contained(permutation, from) &&
             shape[axis] == other.shape[size_t(from)] &&
             (shape[axis] == 1 || strides[axis] == other.strides[size_t(from)]);
    };
    auto all = llvm::seq<int64_t>(0, int64_t(shape.size()));
    auto found = llvm::find_if(all, fits);
    if (found == all.end())
      return std::nullopt;
    permutation.push_back(*found);
  }
  return permutation;
}

Layout Layout::slice(ArrayRef<int64_t> starts, ArrayRef<int64_t> sizes,
                     ArrayRef<int64_t> steps) const {
  assert(isValidSlice(shape, starts, sizes, steps));
  Layout result = *this;
  result.shape.assign(sizes.begin(), sizes.end());
  bool isEmpty = llvm::is_contained(sizes, 0);
  for (size_t d = 0; d < shape.size() && !isEmpty; ++d) {
    result.offset += starts[d] * strides[d];
    // Only a step that is taken is guaranteed to stay in range.
    result.strides[d] = sizes[d] > 1 ? strides[d] * steps[d] : 0;
  }
  result.normalize();
  return result;
}

Layout Layout::expand(ArrayRef<int64_t> newShape) const {
  assert(isExpandable(shape, newShape));
  Layout result;
  result.shape.assign(newShape.begin(), newShape.end());
  result.strides.assign(newShape.size() - shape.size(), 0);
  result.strides.append(strides.begin(), strides.end());
  result.offset = offset;
  result.normalize();
  return result;
}

std::optional<Layout> Layout::reshape(ArrayRef<int64_t> newShape) const {
  assert(countElements(newShape) == count);
  if (count == 0)
    return contiguous(newShape);
  Layout result;
  result.shape.assign(newShape.begin(), newShape.end());
  result.strides.assign(newShape.size(), 0);
  result.offset = offset;
  // Each run of the elements, innermost first, must consist of whole new dimensions.
  Layout runs = coalesce();
  size_t next = newShape.size();
  for (size_t d = runs.shape.size(); d-- > 0;) {
    int64_t rest = runs.shape[d];
    int64_t stride = runs.strides[d];
    while (rest > 1) {
      int64_t size = newShape[--next];
      if (size == 1)
        continue;
      if (rest % size != 0)
        return std::nullopt;
      result.strides[next] = stride;
      rest /= size;
      if (rest > 1)
        stride *= size;
    }
  }
  result.normalize();
  return result;
}

Layout Layout::coalesce() const {
  if (count == 0)
    return *contiguous({0});
  Layout result;
  result.offset = offset;
  for (size_t d = shape.size(); d-- > 0;) {
    if (shape[d] == 1)
      continue;
    int64_t whole = 0;
    if (!result.shape.empty() &&
        !__builtin_mul_overflow(result.shape.back(), result.strides.back(),
                                &whole) &&
        whole == strides[d]) {
      result.shape.back() *= shape[d];
      continue;
    }
    result.shape.push_back(shape[d]);
    result.strides.push_back(strides[d]);
  }
  std::reverse(result.shape.begin(), result.shape.end());
  std::reverse(result.strides.begin(), result.strides.end());
  result.count = count;
  return result;
}
