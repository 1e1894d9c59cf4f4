// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ONNX's Cast between any two types of numbers. If the standard does not define a
// result, it is that of onnxruntime on x86-64:
//
//   float -> float        rounded once, to nearest even; too large: infinity
//   float -> float 8      the same, but too large and infinite values saturate; with
//                         saturate=0 they become the format's infinity or NaN
//   float -> float 4, 6   always saturates; NaN becomes 0
//   float -> int64        truncated; out of range and NaN: the lowest int64
//   float -> int32        truncated; out of range and NaN: the lowest int32
//   float -> narrower     the low bits of the conversion to int32
//   float -> uint32       the low bits of the conversion to int64
//   float -> uint64       below 2^63 as to int64; from 2^64 on 0
//   int -> int            the low bits (two's complement)
//   int -> float          rounded once, to nearest even
//   any -> bool           whether it is not 0; NaN is true
#ifndef INVAR_KERNELS_CAST_H
#define INVAR_KERNELS_CAST_H

#include "invar-c/Tensor.h"
#include "invar/Kernels/MiniFloat.h"

#include <cstddef>
#include <cstdint>

namespace invar::kernels {

struct CastOptions {
  bool saturate = true;                            ///< to float 8
  ScaleRounding scaleRounding = ScaleRounding::Up; ///< to float8e8m0
};

class Cast {
public:
  /// If a type is not a type of numbers, the cast is invalid.
  Cast(InvarDataType from, InvarDataType to, CastOptions options = {});

  /// Whether the cast is valid.
  explicit operator bool() const { return drain != nullptr; }

  /// Converts `n` elements in the form that loops see (NumberTypes.def).
  void operator()(const void *from, void *to, size_t n) const;

private:
  using Loop = void (*)(const void *from, void *to, size_t n,
                        CastOptions options);

  /// `fill` converts elements to their carrier; null if they already are. `drain`
  /// converts the carrier to the result.
  Loop fill = nullptr, drain = nullptr;
  size_t fromSize = 0, toSize = 0;
  CastOptions options;
};

/// Truncation of a float according to the table above.
int64_t truncateToInt64(double value);
int32_t truncateToInt32(double value);
uint64_t truncateToUInt64(double value);

} // namespace invar::kernels

#endif // INVAR_KERNELS_CAST_H
