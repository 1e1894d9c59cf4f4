// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interprets operands that contain indices: of elements, or of rows of elements, of
// another operand. The indices are checked here, once.
#ifndef INVAR_RUNTIME_CALLS_INDICES_H
#define INVAR_RUNTIME_CALLS_INDICES_H

#include "BoxCopy.h"

namespace invar::runtime {

/// A selection of rows of a tensor that is divided into rows of `length` elements.
/// `rows` has their numbers.
struct Slices {
  std::span<int64_t> rows;
  int64_t length;
};

/// Reads an operand of indices as numbers from 0. Fails if an index is not in the range
/// from -size (or 0 if `fromBack` is false) to size - 1.
Status readIndices(CallContext &call, size_t operand, int64_t size,
                   std::span<int64_t> &places, bool fromBack = true);

/// Finds the elements of a tensor of `sizes` that an index tensor of the same rank
/// selects: each index replaces its own position on `axis`.
Status locateElements(CallContext &call, size_t operand, Sizes sizes,
                      size_t axis, Slices &elements);

/// Finds the slices of a tensor of `sizes` that tuples of indices select, after the
/// `batchAxes` axes that both have in common.
Status locateSlices(CallContext &call, size_t operand, Sizes sizes,
                    int64_t batchAxes, Slices &slices);

/// Copies these slices of a tensor, one after the other, to another tensor.
Status pickSlices(CallContext &call, const Tensor &from, const Slices &slices,
                  Tensor &to);

/// Copies the elements at the given positions of an axis to a tensor of sufficient
/// size. The positions must be in range.
Status pickAlong(CallContext &call, const Tensor &from, const AxisView &view,
                 std::span<const int64_t> places, Tensor &to);

} // namespace invar::runtime

#endif // INVAR_RUNTIME_CALLS_INDICES_H
