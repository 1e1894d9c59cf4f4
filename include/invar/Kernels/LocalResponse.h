// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_KERNELS_LOCALRESPONSE_H
#define INVAR_KERNELS_LOCALRESPONSE_H

#include "invar/Kernels/Tensor.h"

namespace invar::kernels {

/// x / (bias + alpha / size * squares)^beta, where `squares` are summed over `size` channels
/// around that of x; where `size` is even, one more after it than before.
struct LocalResponse {
  float alpha, beta, bias;
  int64_t size;
};

/// Normalizes images [from, to) of `x`, which is N x C x D…; `y` has its shape.
template <typename T>
void normalizeLocalResponse(const LocalResponse &response, TensorRef<const T> x,
                            int64_t from, int64_t to, T *y);

} // namespace invar::kernels

#endif // INVAR_KERNELS_LOCALRESPONSE_H
