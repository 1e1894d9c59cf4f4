// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes of tensors whose rank is known only at run time.
#include "Calls.h"
#include "Numbers.h"

#include <algorithm>

using namespace invar;
using namespace invar::runtime;

/// The elements of the first operand with the sizes that the second lists.
Status runtime::callReshape(CallContext &call) {
  auto &x = const_cast<Tensor &>(call.getTensor(0));
  std::span<const int64_t> sizes;
  if (Status status = readNumbers(call, 1, sizes))
    return status;
  if (countElements(sizes.data(), sizes.size()) != x.getCount())
    return call.fail("expected sizes for the elements of ", describe(&x),
                     ", but got ", describeTensor(x.getType(), sizes));
  Tensor *view =
      Tensor::createView(call.getArena(), &x, sizes, x.getCount(), 0);
  if (!view)
    return explainNoTensor(x.getType(), sizes);
  call.adoptResult(0, view);
  return Status::success();
}

Status runtime::callShape(CallContext &call) {
  Sizes sizes = call.getTensor(0).getSizes();
  Tensor *result = nullptr;
  if (Status status =
          call.allocate(0, INVAR_INT64, {int64_t(sizes.size())}, result))
    return status;
  std::ranges::copy(sizes, result->getData<int64_t>());
  return Status::success();
}
