// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formulas of the family (Elementwise.h).
#ifndef INVAR_LIB_DIALECT_ONNX_OPS_TRIGONOMETRYFORMULAS_H
#define INVAR_LIB_DIALECT_ONNX_OPS_TRIGONOMETRYFORMULAS_H

#include "invar/Dialect/ONNX/Elementwise.h"

namespace invar::onnx::formula {
using namespace scalar;

struct Acos : Formula<OnFloats, InDouble> {
  template <typename T> T operator()(T x) const { return acos(x); }
};
struct Acosh : Formula<OnFloats, InDouble> {
  template <typename T> T operator()(T x) const { return acosh(x); }
};
struct Asin : Formula<OnFloats, InDouble> {
  template <typename T> T operator()(T x) const { return asin(x); }
};
struct Asinh : Formula<OnFloats, InDouble> {
  template <typename T> T operator()(T x) const { return asinh(x); }
};
struct Atan : Formula<OnFloats, InDouble> {
  template <typename T> T operator()(T x) const { return atan(x); }
};
struct Atanh : Formula<OnFloats, InDouble> {
  template <typename T> T operator()(T x) const { return atanh(x); }
};
struct Cos : Formula<OnFloats, InDouble> {
  template <typename T> T operator()(T x) const { return cos(x); }
};
struct Cosh : Formula<OnFloats, InDouble> {
  template <typename T> T operator()(T x) const { return cosh(x); }
};
struct Sin : Formula<OnFloats, InDouble> {
  template <typename T> T operator()(T x) const { return sin(x); }
};
struct Sinh : Formula<OnFloats, InDouble> {
  template <typename T> T operator()(T x) const { return sinh(x); }
};
struct Tan : Formula<OnFloats, InDouble> {
  template <typename T> T operator()(T x) const { return tan(x); }
};
struct Tanh : Formula<OnFloats, InDouble> {
  template <typename T> T operator()(T x) const { return tanh(x); }
};

} // namespace invar::onnx::formula

#endif // INVAR_LIB_DIALECT_ONNX_OPS_TRIGONOMETRYFORMULAS_H
