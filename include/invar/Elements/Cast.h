// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ONNX's Cast between any two numeric types. Where the standard leaves a result
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
#ifndef INVAR_ELEMENTS_CAST_H
#define INVAR_ELEMENTS_CAST_H

#include "invar/Elements/ElementwiseFunction.h"

namespace invar {

struct CastOptions {
  bool saturate = true;                            ///< to float 8
  ScaleRounding scaleRounding = ScaleRounding::Up; ///< to float8e8m0
};

/// The cast as a function to apply. Both types are numeric.
ElementwiseFunction makeCast(DataType from, DataType to,
                             CastOptions options = {});

/// Truncation of a float as the table above has it.
int64_t truncateToInt64(double value);
int32_t truncateToInt32(double value);
uint64_t truncateToUInt64(double value);

} // namespace invar

#endif // INVAR_ELEMENTS_CAST_H
