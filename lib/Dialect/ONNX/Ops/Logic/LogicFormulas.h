// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formulas of the family (Elementwise.h).
#ifndef INVAR_LIB_DIALECT_ONNX_OPS_LOGICFORMULAS_H
#define INVAR_LIB_DIALECT_ONNX_OPS_LOGICFORMULAS_H

#include "invar/Dialect/ONNX/Elementwise.h"

namespace invar::onnx::formula {
using namespace scalar;

// For elements of one bit, the bitwise operators are the logical ones.
struct And : Formula<OnInts | OnBools> {
  template <typename T> T operator()(T x, T y) const { return T(x & y); }
};
struct Or : Formula<OnInts | OnBools> {
  template <typename T> T operator()(T x, T y) const { return T(x | y); }
};
struct Xor : Formula<OnInts | OnBools> {
  template <typename T> T operator()(T x, T y) const { return T(x ^ y); }
};
struct Not : Formula<OnBools> {
  template <typename T> T operator()(T x) const { return !x; }
};
struct BitwiseNot : Formula<OnInts> {
  template <typename T> T operator()(T x) const { return T(~x); }
};
struct ShiftLeft : Formula<OnInts> {
  template <typename T> T operator()(T x, T y) const { return shiftLeft(x, y); }
};
struct ShiftRight : Formula<OnInts> {
  template <typename T> T operator()(T x, T y) const {
    return shiftRight(x, y);
  }
};

} // namespace invar::onnx::formula

#endif // INVAR_LIB_DIALECT_ONNX_OPS_LOGICFORMULAS_H
