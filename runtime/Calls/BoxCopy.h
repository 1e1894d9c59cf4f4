// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Strided copies of elements of any type. Joining, cutting, reversing, repeating or
// transposing tensors is one such copy, or a few. Axes are added from the outermost to
// the innermost. Transposing [2, 3]:
//
//   BoxCopy copy(x, 0, y, 0);
//   copy.addAxis(3, 1, 2);    3 steps, of 1 element in x and of 2 elements in y
//   copy.addAxis(2, 3, 1);    2 elements, which are 3 apart in x and adjacent in y
//   return copy.run(call);
//
// Adjacent axes that are contiguous in both tensors are merged: copying all of a tensor
// is one memcpy, whatever its rank. Big copies are divided among threads.
#ifndef INVAR_RUNTIME_CALLS_BOXCOPY_H
#define INVAR_RUNTIME_CALLS_BOXCOPY_H

#include "../CallContext.h"
#include "invar/Kernels/Lines.h"

namespace invar::runtime {

class BoxCopy {
public:
  /// Copies from an offset in one tensor to an offset in another of the same type. The
  /// caller of addAxis() must have checked that all elements are in range.
  BoxCopy(const Tensor &from, int64_t fromOffset, Tensor &to, int64_t toOffset)
      : from(from), to(to), fromOffset(fromOffset), toOffset(toOffset) {}

  /// At most two for each axis that a tensor may have.
  void addAxis(int64_t size, int64_t fromStride, int64_t toStride);

  /// Fails only if there is not enough memory for strings, or if the run is stopped.
  Status run(CallContext &call) const;

private:
  struct Axis {
    int64_t size, from, to;
  };

  template <typename CopyRuns>
  void visit(size_t outer, int64_t first, int64_t last,
             CopyRuns copyRuns) const;
  bool copyStrings() const;
  Status copyBytes(CallContext &call) const;

  const Tensor &from;
  Tensor &to;
  int64_t fromOffset, toOffset;
  bool isEmpty = false;
  size_t numAxes = 0;
  Axis axes[2 * maxRank]; // NOLINT: only the first are used
};

/// Sets all elements to zero, false or empty. Fails like copies do.
Status fillElements(CallContext &call, Tensor &tensor);

/// For each axis of a tensor of these sizes, the number of elements that one step moves
/// by.
class Strides {
public:
  explicit Strides(Sizes sizes);
  int64_t operator[](size_t axis) const { return strides[axis]; }

private:
  int64_t strides[maxRank]; // NOLINT: as many as there are sizes
};

/// The product of sizes. They must be some of the sizes of a tensor, so that it does
/// not overflow.
int64_t countAll(Sizes sizes);

/// A tensor seen from one of its axes.
struct AxisView : kernels::LineView {
  AxisView(Sizes sizes, size_t axis)
      : LineView{countAll(sizes.first(axis)), sizes[axis],
                 countAll(sizes.subspan(axis + 1))} {}
};

/// Copies tensors, one after the other along an axis, into a result of sufficient size.
Status joinAlong(CallContext &call, std::span<const Tensor *const> parts,
                 size_t axis, Tensor &result);
/// Copies the part of a tensor that begins at `place` along an axis to `part`.
Status cutAlong(CallContext &call, const Tensor &whole, size_t axis,
                int64_t place, Tensor &part);

} // namespace invar::runtime

#endif // INVAR_RUNTIME_CALLS_BOXCOPY_H
