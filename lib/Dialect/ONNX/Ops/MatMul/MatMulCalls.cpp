// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/Determinant.h"
#include "runtime/Calls/Calls.h"
#include "runtime/Calls/Numbers.h"

#include <algorithm>

using namespace invar;
using namespace invar::runtime;

Status runtime::callDet(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  if (x.rank < 2 || x.getSize(x.rank - 1u) != x.getSize(x.rank - 2u))
    return call.fail("expected square matrices, but got ", describe(&x));
  Sizes batch = x.getSizes().first(x.rank - 2u);
  int64_t n = x.getSizes().back();
  return visitFloats(call, x.getType(), [&]<typename T>(T) -> Status {
    std::span<const T> matrices;
    if (Status status = readNumbers(call, 0, matrices))
      return status;
    NumberResult<T> result;
    if (Status status = result.allocate(call, 0, x.getType(), batch))
      return status;
    // Steps that are worth a thread.
    constexpr int64_t grain = 1 << 14;
    int64_t steps = std::max<int64_t>(n * n, 1);
    if (Status status = call.parallelFor(
            result.size(), std::max<int64_t>(grain / steps, 1),
            [&](int64_t from, int64_t to) {
              std::vector<T> matrix;
              for (int64_t i = from; i < to; ++i) {
                auto own = matrices.subspan(size_t(i * n * n), size_t(n * n));
                matrix.assign(own.begin(), own.end());
                result[i] = kernels::determinant(matrix.data(), n);
              }
            }))
      return status;
    return result.finish(call);
  });
}
