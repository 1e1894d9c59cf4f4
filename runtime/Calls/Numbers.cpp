// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Numbers.h"

using namespace invar;
using namespace invar::runtime;

Status runtime::expectNumbers(const CallContext &call, const Tensor &tensor) {
  if (kernels::visitNumberType(tensor.getType(), [](auto) {}))
    return Status::success();
  return call.fail("expected numbers, but got ", describe(&tensor));
}

Status runtime::convertNumbers(CallContext &call, InvarDataType fromType,
                               const void *from, InvarDataType toType, void *to,
                               int64_t count, kernels::CastOptions options) {
  // Elements that are worth a thread.
  constexpr int64_t grain = 1 << 15;
  kernels::Cast cast(fromType, toType, options);
  assert(cast && "no numbers");
  auto fromSize = int64_t(getElementSize(fromType));
  auto toSize = int64_t(getElementSize(toType));
  return call.parallelFor(count, grain, [&](int64_t first, int64_t last) {
    cast(static_cast<const char *>(from) + first * fromSize,
         static_cast<char *>(to) + first * toSize, size_t(last - first));
  });
}
