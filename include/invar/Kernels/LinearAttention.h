// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_KERNELS_LINEARATTENTION_H
#define INVAR_KERNELS_LINEARATTENTION_H

#include <cstdint>

namespace invar::kernels {

/// Attention whose memory is a matrix S of keySize x valueSize for each key head. Each
/// step lets S decay, corrects the value v by the value that is stored for its key k,
/// writes, and reads:
///
///   S = exp(decay) S        v = beta (v - k S)        S = S + k v        y = scale q S
///
/// Queries, keys, values and results are batch x length x heads x size. `decay` has one
/// element for each head, or one for each row of its S. `beta` has one for each head,
/// or one for all heads. If one of them is null, its step is omitted.
template <typename T> struct LinearAttention {
  int64_t length, queryHeads, keyHeads, keySize, valueSize;
  int64_t decaySize, betaHeads;
  const T *queries, *keys, *values, *decay, *beta;
  T scale;
  T *results;
  /// batch x keyHeads x keySize x valueSize; read at the start and updated.
  T *states;

  /// Runs all steps of one key head, and of the query heads that share it, for one
  /// batch entry.
  void run(int64_t batch, int64_t head) const;
};

} // namespace invar::kernels

#endif // INVAR_KERNELS_LINEARATTENTION_H
