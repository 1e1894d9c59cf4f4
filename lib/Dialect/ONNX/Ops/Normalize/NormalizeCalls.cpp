// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/Calls/Calls.h"
#include "runtime/Calls/RandomStream.h"

#include <algorithm>

using namespace invar;
using namespace invar::runtime;

Status runtime::callDropout(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  double ratio = 0.5;
  int64_t isTraining = 0;
  if (Status status = readNumber(call, 1, ratio))
    return status;
  if (Status status = readNumber(call, 2, isTraining))
    return status;
  if (!(ratio >= 0 && ratio < 1))
    return call.fail("expected 'ratio' to be from 0 to below 1, but got ",
                     std::to_string(ratio));
  Tensor *mask = nullptr;
  if (Status status =
          call.allocate(call.findResult(1), INVAR_BOOL, x.getSizes(), mask))
    return status;
  bool *isKept = mask->getData<bool>();
  if (!isTraining || ratio == 0) {
    std::fill_n(isKept, mask->getCount(), true);
    call.setResult(0, const_cast<Tensor *>(&x));
    return Status::success();
  }
  Draws draws = draw(call);
  return visitFloats(call, x.getType(), [&]<typename T>(T) -> Status {
    std::span<const T> from;
    if (Status status = readNumbers(call, 0, from))
      return status;
    T scale = T(1 / (1 - ratio));
    return fillRandomly<T>(call, 0, x.getType(), x.getSizes(),
                           uniform<double>(draws), [&](int64_t i, double u) {
                             isKept[i] = u >= ratio;
                             return isKept[i] ? from[size_t(i)] * scale : T(0);
                           });
  });
}
