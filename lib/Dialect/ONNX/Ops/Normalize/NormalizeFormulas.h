// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formulas of the family (Elementwise.h). Elements and statistics are doubles.
#ifndef INVAR_LIB_DIALECT_ONNX_OPS_NORMALIZEFORMULAS_H
#define INVAR_LIB_DIALECT_ONNX_OPS_NORMALIZEFORMULAS_H

#include "invar/Dialect/ONNX/Elementwise.h"

namespace invar::onnx::formula {
using namespace scalar;

struct InverseDeviation : Formula<OnFloats, InDouble> {
  float epsilon;
  template <typename T> T operator()(T variance) const {
    return T(1) / sqrt(variance + T(epsilon));
  }
};
struct Standardize : Formula<OnFloats, InDouble> {
  template <typename T> T operator()(T x, T mean, T inverseDeviation) const {
    return (x - mean) * inverseDeviation;
  }
};
/// The deviation of MeanVarianceNormalization, which is never zero.
struct Deviation : Formula<OnFloats, InDouble> {
  template <typename T> T operator()(T variance) const {
    return sqrt(variance) + T(1e-9);
  }
};
struct StandardizeByVariance : Formula<OnFloats, InDouble> {
  template <typename T> T operator()(T x, T mean, T variance) const {
    return (x - mean) / Deviation()(variance);
  }
};
struct ScaleAndShift : Formula<OnFloats, InDouble> {
  template <typename T> T operator()(T x, T scale, T shift) const {
    return x * scale + shift;
  }
};
struct DivideByNorm : Formula<OnFloats, InDouble> {
  template <typename T> T operator()(T x, T norm) const {
    return select(norm == T(0), T(0), x / norm);
  }
};
/// Moves a running statistic towards that of a batch.
struct MoveTowards : Formula<OnFloats, InDouble> {
  float momentum;
  template <typename T> T operator()(T running, T batch) const {
    return running * T(momentum) + batch * (T(1) - T(momentum));
  }
};

} // namespace invar::onnx::formula

#endif // INVAR_LIB_DIALECT_ONNX_OPS_NORMALIZEFORMULAS_H
