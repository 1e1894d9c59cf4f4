// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formulas of the family (Elementwise.h).
#ifndef INVAR_LIB_DIALECT_ONNX_OPS_COMPAREFORMULAS_H
#define INVAR_LIB_DIALECT_ONNX_OPS_COMPAREFORMULAS_H

#include "invar/Dialect/ONNX/Elementwise.h"

namespace invar::onnx::formula {
using namespace scalar;

struct Equal : Formula<OnFloats | OnInts | OnBools> {
  template <typename T> auto operator()(T x, T y) const { return x == y; }
};
struct Greater : Formula<OnFloats | OnInts> {
  template <typename T> auto operator()(T x, T y) const { return x > y; }
};
struct GreaterOrEqual : Formula<OnFloats | OnInts> {
  template <typename T> auto operator()(T x, T y) const { return x >= y; }
};
struct Less : Formula<OnFloats | OnInts> {
  template <typename T> auto operator()(T x, T y) const { return x < y; }
};
struct LessOrEqual : Formula<OnFloats | OnInts> {
  template <typename T> auto operator()(T x, T y) const { return x <= y; }
};
struct IsNaN : Formula<OnFloats> {
  template <typename T> auto operator()(T x) const { return isNaN(x); }
};
struct IsInf : Formula<OnFloats> {
  bool negative, positive;
  template <typename T> auto operator()(T x) const {
    T infinity = T(std::numeric_limits<double>::infinity());
    return (negative && x == -infinity) || (positive && x == infinity);
  }
};

} // namespace invar::onnx::formula

#endif // INVAR_LIB_DIALECT_ONNX_OPS_COMPAREFORMULAS_H
