// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of constant matrices, for all operators that contract axes.
#ifndef INVAR_DIALECT_ONNX_MATRIXPRODUCT_H
#define INVAR_DIALECT_ONNX_MATRIXPRODUCT_H

#include "invar/Dialect/ONNX/Folding.h"

namespace invar::onnx {

/// Matrices in the last two axes of a tensor, taken as their transposes if so said.
struct Matrices {
  Elements tensor;
  bool transposed = false;
};

/// The products of the matrices in the last two axes, the axes before broadcast; both
/// operands have one element type and at least rank 2. They are computed when first read.
///
/// Sums of floats are made in double and rounded once, to the type of the result: the
/// operands' own, or float64 for who goes on computing. Integers wrap, so products in a wide
/// type may be narrowed later.
llvm::Expected<Elements> multiplyMatrices(const Folding &fold,
                                          const Matrices &left,
                                          const Matrices &right, DataType to);

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_MATRIXPRODUCT_H
