// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions on singles as formulas without branches, accurate to a few units in the last
// place for all arguments, including denormal numbers, infinities and NaN. The
// polynomials are minimax polynomials by Remez' algorithm, each considerably more exact
// than the rounding around it.
#ifndef INVAR_LIB_CODEGEN_MATHFUNCTIONS_H
#define INVAR_LIB_CODEGEN_MATHFUNCTIONS_H

#include "Formula.h"

namespace invar {

mlir::Value makeExp(Formula &f, mlir::Value x);
mlir::Value makeExp2(Formula &f, mlir::Value x);
mlir::Value makeExpM1(Formula &f, mlir::Value x);
mlir::Value makeLog(Formula &f, mlir::Value x);
mlir::Value makeLog2(Formula &f, mlir::Value x);
mlir::Value makeLog10(Formula &f, mlir::Value x);
mlir::Value makeLog1p(Formula &f, mlir::Value x);
mlir::Value makeTanh(Formula &f, mlir::Value x);
mlir::Value makeErf(Formula &f, mlir::Value x);
mlir::Value makePow(Formula &f, mlir::Value x, mlir::Value y);

/// Sine and cosine, for arguments with absolute values up to `maxAngle`.
inline constexpr double maxAngle = 65536;
mlir::Value makeSin(Formula &f, mlir::Value x);
mlir::Value makeCos(Formula &f, mlir::Value x);

} // namespace invar

#endif // INVAR_LIB_CODEGEN_MATHFUNCTIONS_H
