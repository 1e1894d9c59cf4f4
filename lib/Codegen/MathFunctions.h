// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of singles as formulas without branches, right to a few units in the last place
// for all arguments: denormal ones, infinities and NaN included. The polynomials are
// minimax ones by Remez' algorithm, each a good deal more exact than the rounding around it.
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

/// Sine and cosine, of arguments up to `maxAngle` in size.
inline constexpr double maxAngle = 65536;
mlir::Value makeSin(Formula &f, mlir::Value x);
mlir::Value makeCos(Formula &f, mlir::Value x);

} // namespace invar

#endif // INVAR_LIB_CODEGEN_MATHFUNCTIONS_H
