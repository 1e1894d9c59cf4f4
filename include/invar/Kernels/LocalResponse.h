// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_KERNELS_LOCALRESPONSE_H
#define INVAR_KERNELS_LOCALRESPONSE_H

#include "invar/Kernels/Tensor.h"

namespace invar::kernels {

/// x / (bias + alpha / size * squares)^beta, where `squares` is the sum over `size`
/// channels around that of x. If `size` is even, there is one more channel after x than
/// before it.
struct LocalResponse {
  float alpha, beta, bias;
  int64_t size;
};

/// Normalizes images [from, to) of `x`, which is N x C x D…; `y` has the same shape.
template <typename T>
void normalizeLocalResponse(const LocalResponse &response, TensorRef<const T> x,
                            int64_t from, int64_t to, T *y);

} // namespace invar::kernels

#endif // INVAR_KERNELS_LOCALRESPONSE_H
