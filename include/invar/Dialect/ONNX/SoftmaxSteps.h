// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax in the 16-bit floats. The standard defines it by other operators, each of which
// rounds to the type; where that has 8 or 11 bits the steps can be told from a result that is
// rounded once, and so they are what a softmax is. The sum is made as the reference makes
// it: of bfloat16 one by one in the type, of float16 in a wider one.
#ifndef INVAR_DIALECT_ONNX_SOFTMAXSTEPS_H
#define INVAR_DIALECT_ONNX_SOFTMAXSTEPS_H

#include "invar/Dialect/ONNX/Elementwise.h"

namespace invar::onnx {

/// Whether a type is one of which steps can be told from one rounding.
inline bool roundsInSteps(DataType type) {
  return type == DataType::Float16 || type == DataType::BFloat16;
}

/// A number rounded to a 16-bit type; others stay.
inline double roundTo(DataType type, double x) {
  if (type == DataType::Float16)
    return Float16::fromDouble(x).toDouble();
  if (type == DataType::BFloat16)
    return BFloat16::fromDouble(x).toDouble();
  return x;
}

/// A tensor of doubles rounded to a 16-bit type; it stays as it is for others.
inline llvm::Expected<Elements> roundTo(const Folding &fold, DataType type,
                                        const Elements &x) {
  if (!roundsInSteps(type))
    return x;
  llvm::Expected<Elements> rounded = fold.getBuilder().cast(x, type);
  return rounded ? fold.getBuilder().cast(*rounded, DataType::Float64)
                 : std::move(rounded);
}

/// The softmax of a row, in place, with each step rounded to `type`.
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
