// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of elements that lie by strides, of any type: what joins, cuts, reverses, repeats
// and transposes tensors is one such copy, or a few. Axes are named from the outermost on.
// Transposing [2, 3]:
//
//   BoxCopy copy(x, 0, y, 0);
//   copy.addAxis(3, 1, 2);    3 times, 1 on in x and 2 on in y,
//   copy.addAxis(2, 3, 1);    2 elements, which are 3 apart in x and neighbours in y
//   return copy.run(call);
//
// Axes that are one after the other in both are one: copying all of a tensor is one memcpy,
// whatever its rank. Big copies are shared among threads.
#ifndef INVAR_RUNTIME_CALLS_BOXCOPY_H
#define INVAR_RUNTIME_CALLS_BOXCOPY_H

#include "../CallContext.h"

namespace invar::runtime {

class BoxCopy {
public:
  /// From elements at an offset of one tensor to those at an offset of another, which is of
  /// its type. Who adds axes has checked that all are there.
  BoxCopy(const Tensor &from, int64_t fromOffset, Tensor &to, int64_t toOffset)
      : from(from), to(to), fromOffset(fromOffset), toOffset(toOffset) {}

  /// At most two for each axis that a tensor may have.
  void addAxis(int64_t size, int64_t fromStride, int64_t toStride);

  /// Fails only where there is not enough memory for strings, or the run is stopped.
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

/// Makes all elements zero, false or empty; or all of them the first one of another tensor
/// of that type. Fails as copies do.
Status fillElements(CallContext &call, Tensor &tensor,
                    const Tensor *element = nullptr);

/// For each axis of a tensor of these sizes, how many elements one step is.
class Strides {
public:
  explicit Strides(Sizes sizes);
  int64_t operator[](size_t axis) const { return strides[axis]; }

private:
  int64_t strides[maxRank]; // NOLINT: as many as there are sizes
};

/// The product of sizes that are among those of a tensor.
int64_t countAll(Sizes sizes);

/// A tensor seen from one of its axes: `outer` times `size` pieces of `inner` elements.
struct AxisView {
  int64_t outer, size, inner;

  AxisView(Sizes sizes, size_t axis)
      : outer(countAll(sizes.first(axis))), size(sizes[axis]),
        inner(countAll(sizes.subspan(axis + 1))) {}
};

/// Copies tensors, one after the other along an axis, to a result that has room for them.
Status joinAlong(CallContext &call, std::span<const Tensor *const> parts,
                 size_t axis, Tensor &result);
/// Copies to `part` what of a tensor is from `place` on along an axis.
Status cutAlong(CallContext &call, const Tensor &whole, size_t axis,
                int64_t place, Tensor &part);

} // namespace invar::runtime

#endif // INVAR_RUNTIME_CALLS_BOXCOPY_H
