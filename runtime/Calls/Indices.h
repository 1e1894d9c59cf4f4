// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What operands of indices mean: the numbers of elements, or of rows of elements, of another
// operand. They are checked here, once, so that nobody else has to.
#ifndef INVAR_RUNTIME_CALLS_INDICES_H
#define INVAR_RUNTIME_CALLS_INDICES_H

#include "BoxCopy.h"

namespace invar::runtime {

/// A tensor is seen as rows of `length` elements, of which those with the numbers `rows` are
/// meant.
struct Slices {
  std::span<int64_t> rows;
  int64_t length;
};

/// The numbers of an operand of indices, counted from the front; fails where one is not from
/// -size, or 0 where they do not count from the end, to size - 1.
Status readIndices(CallContext &call, size_t operand, int64_t size,
                   std::span<int64_t> &places, bool fromBack = true);

/// Which elements of a tensor of `sizes` indices of its rank mean: each replaces its own
/// place on `axis`.
Status locateElements(CallContext &call, size_t operand, Sizes sizes,
                      size_t axis, Slices &elements);

/// The slices of a tensor of `sizes` that tuples of indices mean, past `batchAxes` axes
/// which both have.
Status locateSlices(CallContext &call, size_t operand, Sizes sizes,
                    int64_t batchAxes, Slices &slices);

/// Copies these slices of a tensor one after the other to another.
Status pickSlices(CallContext &call, const Tensor &from, const Slices &slices,
                  Tensor &to);

/// Copies what is at places of an axis, which are there, to a tensor with room for it.
Status pickAlong(CallContext &call, const Tensor &from, const AxisView &view,
                 std::span<const int64_t> places, Tensor &to);

} // namespace invar::runtime

#endif // INVAR_RUNTIME_CALLS_INDICES_H
