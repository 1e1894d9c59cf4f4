// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax in 16-bit floats. The standard defines softmax by other operators, each of
// which rounds to the type. With a precision of 8 or 11 bits this differs visibly from
// rounding once, so softmax must round at each step. The sum is computed as in the
// reference implementation: for bfloat16 element by element in the type, for float16 in
// a wider type.
#ifndef INVAR_DIALECT_ONNX_SOFTMAXSTEPS_H
#define INVAR_DIALECT_ONNX_SOFTMAXSTEPS_H

#include "invar/Dialect/ONNX/Elementwise.h"

namespace invar::onnx {

/// Whether rounding at each step differs visibly from rounding once in this type.
inline bool roundsInSteps(DataType type) {
  return type == DataType::Float16 || type == DataType::BFloat16;
}

/// Rounds a number to a 16-bit type; for other types it stays unchanged.
inline double roundTo(DataType type, double x) {
  if (type == DataType::Float16)
    return Float16::fromDouble(x).toDouble();
  if (type == DataType::BFloat16)
    return BFloat16::fromDouble(x).toDouble();
  return x;
}

/// Rounds a tensor of doubles to a 16-bit type; for other types it stays unchanged.
inline llvm::Expected<Elements> roundTo(const Folding &fold, DataType type,
                                        const Elements &x) {
  if (!roundsInSteps(type))
    return x;
  llvm::Expected<Elements> rounded = fold.getBuilder().cast(x, type);
  return rounded ? fold.getBuilder().cast(*rounded, DataType::Float64)
                 : std::move(rounded);
}

/// Computes the softmax of a row, in place, with each step rounded to `type`.
inline void softmaxInSteps(DataType type, llvm::MutableArrayRef<double> row) {
  double most = -std::numeric_limits<double>::infinity(), total = 0;
  for (double x : row)
    most = scalar::maximum(most, x);
  for (double &x : row) {
    x = roundTo(type, std::exp(roundTo(type, x - most)));
    total += x;
    if (type == DataType::BFloat16)
      total = roundTo(type, total);
  }
  total = roundTo(type, total);
  for (double &x : row)
    x = roundTo(type, x / total);
}

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_SOFTMAXSTEPS_H
