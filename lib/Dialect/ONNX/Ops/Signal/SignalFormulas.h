// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formulas of the family (Elementwise.h).
#ifndef INVAR_LIB_DIALECT_ONNX_OPS_SIGNALFORMULAS_H
#define INVAR_LIB_DIALECT_ONNX_OPS_SIGNALFORMULAS_H

#include "invar/Dialect/ONNX/Elementwise.h"
#include <numbers>

namespace invar::onnx::formula {
using namespace scalar;

/// A window as a sum of cosines of an index: a - b cos(2πn / period) + c cos(4πn /
/// period). The cosines are summed first, so that the middle of the window is exactly 1.
struct CosineWindow : Formula<OnFloats, InDouble> {
  double a, b, c, period;
  template <typename T> T operator()(T n) const {
    T angle = T(2 * std::numbers::pi) * n / T(period);
    return T(a) + (T(c) * cos(T(2) * angle) - T(b) * cos(angle));
  }
};

} // namespace invar::onnx::formula

#endif // INVAR_LIB_DIALECT_ONNX_OPS_SIGNALFORMULAS_H
