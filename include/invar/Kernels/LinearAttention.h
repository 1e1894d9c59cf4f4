// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_KERNELS_LINEARATTENTION_H
#define INVAR_KERNELS_LINEARATTENTION_H

#include <cstdint>

namespace invar::kernels {

/// Attention whose memory is a matrix S of keySize x valueSize for each key head. Each step
/// forgets, corrects the value v by what is remembered of its key k, writes, and reads:
///
///   S = exp(decay) S        v = beta (v - k S)        S = S + k v        y = scale q S
///
/// Queries, keys, values and results are batch x length x heads x size. `decay` has an
/// element for each head, or one for each of its rows, `beta` one for each head or for all;
/// either may be null, and its step is left out then.
template <typename T> struct LinearAttention {
  int64_t length, queryHeads, keyHeads, keySize, valueSize;
  int64_t decaySize, betaHeads;
  const T *queries, *keys, *values, *decay, *beta;
  T scale;
  T *results;
  /// batch x keyHeads x keySize x valueSize; before and after.
  T *states;

  /// All steps of one key head, and of the query heads that share it, of one batch.
  void run(int64_t batch, int64_t head) const;
};

} // namespace invar::kernels

#endif // INVAR_KERNELS_LINEARATTENTION_H
