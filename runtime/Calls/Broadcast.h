// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Broadcasting of operands to a common shape. For each element of the result, visit()
// passes the element of each operand that it depends on:
//
//   Broadcast<2> pairs;
//   if (Status status = pairs.read(call))
//     return status;
//   … a result of pairs.getSizes() …
//   pairs.visit([&](int64_t i, const std::array<int64_t, 2> &from) {
//     result[i] = x[from[0]] == y[from[1]];
//   });
#ifndef INVAR_RUNTIME_CALLS_BROADCAST_H
#define INVAR_RUNTIME_CALLS_BROADCAST_H

#include "BoxCopy.h"

#include <array>
#include <vector>

namespace invar::runtime {

/// Broadcasts `sizes` with other sizes, in place; returns false if they do not match.
bool broadcastTo(std::vector<int64_t> &sizes, Sizes others);

/// The strides of a tensor when it is broadcast to `sizes`; 0 for repeated axes.
std::vector<int64_t> stridesIn(Sizes sizes, const Tensor &tensor);

template <size_t N> class Broadcast {
public:
  /// Reads the first N operands.
  Status read(CallContext &call) {
    for (size_t i = 0; i < N; ++i)
      if (!broadcastTo(sizes, call.getTensor(i).getSizes()))
        return call.fail("expected tensors that broadcast, but got ",
                         describe(&call.getTensor(0)), " and ",
                         describe(&call.getTensor(i)));
    for (size_t i = 0; i < N; ++i)
      strides[i] = stridesIn(sizes, call.getTensor(i));
    return Status::success();
  }

  Sizes getSizes() const { return sizes; }

  template <typename Visit> void visit(Visit visit) const {
    std::array<int64_t, N> from = {};
    std::vector<int64_t> index(sizes.size());
    int64_t count = countAll(sizes);
    for (int64_t i = 0; i < count; ++i) {
      visit(i, std::as_const(from));
      for (size_t axis = sizes.size(); axis-- > 0;) {
        bool isOver = ++index[axis] == sizes[axis];
        for (size_t k = 0; k < N; ++k)
          from[k] += strides[k][axis] * (isOver ? 1 - sizes[axis] : 1);
        if (!isOver)
          break;
        index[axis] = 0;
      }
    }
  }

private:
  std::vector<int64_t> sizes;
  std::array<std::vector<int64_t>, N> strides;
};

} // namespace invar::runtime

#endif // INVAR_RUNTIME_CALLS_BROADCAST_H
