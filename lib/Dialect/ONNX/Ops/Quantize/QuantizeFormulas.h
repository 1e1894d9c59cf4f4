// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formulas of the family (Elementwise.h).
#ifndef INVAR_LIB_DIALECT_ONNX_OPS_QUANTIZEFORMULAS_H
#define INVAR_LIB_DIALECT_ONNX_OPS_QUANTIZEFORMULAS_H

#include "invar/Dialect/ONNX/Elementwise.h"
#include "llvm/Support/MathExtras.h"

namespace invar::onnx::formula {
using namespace scalar;

/// Rounds a quotient to an integer, adds a zero point and clamps to the limits of the
/// type. NaN becomes the lowest integer, as in onnxruntime.
struct Saturate : Formula<OnFloats> {
  double lowest, highest;
  /// The limits of an integer type.
  static Saturate to(DataType type) {
    unsigned width = getBitWidth(type);
    Saturate limits;
    bool isSigned = getKind(type) == NumberKind::Signed;
    limits.lowest = isSigned ? double(llvm::minIntN(width)) : 0;
    limits.highest =
        isSigned ? double(llvm::maxIntN(width)) : double(llvm::maxUIntN(width));
    return limits;
  }
  template <typename T> T operator()(T quotient, T zeroPoint) const {
    T shifted = roundEven(quotient) + zeroPoint;
    return select(shifted > T(highest), T(highest),
                  select(shifted >= T(lowest), shifted, T(lowest)));
  }
};

} // namespace invar::onnx::formula

#endif // INVAR_LIB_DIALECT_ONNX_OPS_QUANTIZEFORMULAS_H
