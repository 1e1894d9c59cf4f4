// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of constant matrices, for all operators that contract axes.
#ifndef INVAR_DIALECT_ONNX_MATRIXPRODUCT_H
#define INVAR_DIALECT_ONNX_MATRIXPRODUCT_H

#include "invar/Dialect/ONNX/Folding.h"

namespace invar::onnx {

/// Matrices in the last two axes of a tensor; they are used transposed if `transposed`
/// is set.
struct Matrices {
  Elements tensor;
  bool transposed = false;
};

/// Returns the products of the matrices in the last two axes; the axes before
/// broadcast. Both operands must have the same element type and at least rank 2. The
/// products are computed when first read.
///
/// Sums of floats are computed in double and rounded once to `to`: the operands' own
/// type, or float64 if the caller continues to compute. Integers wrap, so products in a
/// wide type may be narrowed later.
llvm::Expected<Elements> multiplyMatrices(const Folding &fold,
                                          const Matrices &left,
                                          const Matrices &right, DataType to);

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_MATRIXPRODUCT_H
