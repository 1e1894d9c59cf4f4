// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ONNX's Cast between any two types of numbers. Where the standard leaves a result
// open, it is what onnxruntime gives on x86-64:
//
//   float -> float        rounded once, to nearest even; too big: infinity
//   float -> float 8      the same, but what is too big or infinite saturates;
//                         with saturate=0 it is the format's infinity or NaN
//   float -> float 4, 6   always saturates; NaN becomes 0
//   float -> int64        truncated; out of range and NaN: the lowest int64
//   float -> int32        truncated; out of range and NaN: the lowest int32
//   float -> narrower     the low bits of the conversion to int32
//   float -> uint32       the low bits of the conversion to int64
//   float -> uint64       below 2^63 as to int64; from 2^64 on 0
//   int -> int            the low bits (two's complement)
//   int -> float          rounded once, to nearest even
//   any -> bool           whether it isn't 0; NaN is true
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
  /// Both are types of numbers; other ones give a cast that cannot be made.
  Cast(InvarDataType from, InvarDataType to, CastOptions options = {});

  /// Whether both types are.
  explicit operator bool() const { return drain != nullptr; }

  /// Converts `n` elements, which lie as loops see them (NumberTypes.def).
  void operator()(const void *from, void *to, size_t n) const;

private:
  using Loop = void (*)(const void *from, void *to, size_t n,
                        CastOptions options);

  /// From elements to their carrier, unless they are their own, and on to the result.
  Loop fill = nullptr, drain = nullptr;
  size_t fromSize = 0, toSize = 0;
  CastOptions options;
};

/// Truncation of a float as the table above has it.
int64_t truncateToInt64(double value);
int32_t truncateToInt32(double value);
uint64_t truncateToUInt64(double value);

} // namespace invar::kernels

#endif // INVAR_KERNELS_CAST_H
