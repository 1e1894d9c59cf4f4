// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formulas of the family (Elementwise.h).
#ifndef INVAR_LIB_DIALECT_ONNX_OPS_ARITHMETICFORMULAS_H
#define INVAR_LIB_DIALECT_ONNX_OPS_ARITHMETICFORMULAS_H

#include "invar/Dialect/ONNX/Elementwise.h"

namespace invar::onnx::formula {
using namespace scalar;

struct Abs : Formula<OnFloats | OnInts> {
  template <typename T> T operator()(T x) const { return absolute(x); }
};
struct Add : Formula<OnFloats | OnInts> {
  template <typename T> T operator()(T x, T y) const { return x + y; }
};
struct Sub : Formula<OnFloats | OnInts> {
  template <typename T> T operator()(T x, T y) const { return x - y; }
};
struct Mul : Formula<OnFloats | OnInts> {
  template <typename T> T operator()(T x, T y) const { return x * y; }
};
/// Integers truncate. Folding refuses integer division by zero before this is applied.
struct Div : Formula<OnFloats | OnInts> {
  template <typename T> T operator()(T x, T y) const { return divide(x, y); }
};
/// The remainder with the sign of the divisor.
struct FloorMod : Formula<OnFloats | OnInts> {
  template <typename T> T operator()(T x, T y) const {
    T rest = remainder(x, y);
    return select(rest != T(0) && (rest < T(0)) != (y < T(0)), T(rest + y),
                  rest);
  }
};
/// The remainder with the sign of the dividend.
struct TruncMod : Formula<OnFloats | OnInts> {
  template <typename T> T operator()(T x, T y) const { return remainder(x, y); }
};
struct Max : Formula<OnFloats | OnInts> {
  template <typename T> T operator()(T x, T y) const { return maximum(x, y); }
};
struct Min : Formula<OnFloats | OnInts> {
  template <typename T> T operator()(T x, T y) const { return minimum(x, y); }
};
struct Neg : Formula<OnFloats | OnInts> {
  template <typename T> T operator()(T x) const { return -x; }
};
struct Sign : Formula<OnFloats | OnInts> {
  // The last case is NaN, which stays, or zero; the addition turns -0 into 0.
  template <typename T> T operator()(T x) const {
    return select(x > T(0), T(1),
                  select(x < T(0), T(T(0) - T(1)), T(x + T(0))));
  }
};
struct Sqrt : Formula<OnFloats> {
  template <typename T> T operator()(T x) const { return sqrt(x); }
};
struct Reciprocal : Formula<OnFloats> {
  template <typename T> T operator()(T x) const { return T(1) / x; }
};
struct Floor : Formula<OnFloats> {
  template <typename T> T operator()(T x) const { return floor(x); }
};
struct Ceil : Formula<OnFloats> {
  template <typename T> T operator()(T x) const { return ceil(x); }
};
struct Round : Formula<OnFloats> {
  template <typename T> T operator()(T x) const { return roundEven(x); }
};
struct Exp : Formula<OnFloats, InDouble> {
  template <typename T> T operator()(T x) const { return exp(x); }
};
struct Log : Formula<OnFloats, InDouble> {
  template <typename T> T operator()(T x) const { return log(x); }
};
struct Erf : Formula<OnFloats, InDouble> {
  template <typename T> T operator()(T x) const { return erf(x); }
};
/// Floats use the math library, integers repeated multiplication.
struct Pow : Formula<OnFloats | OnInts, InDouble> {
  template <typename T> T operator()(T x, T y) const { return pow(x, y); }
};

} // namespace invar::onnx::formula

#endif // INVAR_LIB_DIALECT_ONNX_OPS_ARITHMETICFORMULAS_H
