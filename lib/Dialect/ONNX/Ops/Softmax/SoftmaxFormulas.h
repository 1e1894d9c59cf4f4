// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formulas of the family (Elementwise.h). Elements and statistics are doubles.
#ifndef INVAR_LIB_DIALECT_ONNX_OPS_SOFTMAXFORMULAS_H
#define INVAR_LIB_DIALECT_ONNX_OPS_SOFTMAXFORMULAS_H

#include "invar/Dialect/ONNX/Elementwise.h"

namespace invar::onnx::formula {
using namespace scalar;

// Formulas of an element, the greatest element along its axis, and the sum of
// exponentials there.
struct Softmax : Formula<OnFloats, InDouble> {
  template <typename T> T operator()(T x, T greatest, T sum) const {
    return exp(x - greatest) / sum;
  }
};
struct LogSoftmax : Formula<OnFloats, InDouble> {
  template <typename T> T operator()(T x, T greatest, T sum) const {
    return x - greatest - log(sum);
  }
};
/// A formula of an element's index along the axis and the index of the greatest element.
struct Hardmax : Formula<OnFloats, InDouble> {
  template <typename T> T operator()(T place, T best) const {
    return select(place == best, T(1), T(0));
  }
};

} // namespace invar::onnx::formula

#endif // INVAR_LIB_DIALECT_ONNX_OPS_SOFTMAXFORMULAS_H
