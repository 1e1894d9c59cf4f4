// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Einsum as transposes, products and sums. Operands are joined from left to right, and an
// axis that neither the result nor a later operand names is summed over as soon as it can
// be:
//
//   "bij,bjk->bik"     MatMul
//   "ibnd,jbnd->bnij"  MatMul of two transposes
//   "ibh,hnd->ibnd"    MatMul with (n d) as one axis, which a Reshape takes apart
//   "bi,bi->b"         Mul, then ReduceSum: no matrix is left
//   "ii->i"            every n+1st element of the square as a vector
//
// Axes that batches share stay as they are, and MatMul and Mul broadcast them. Axes that are
// summed over, of which one may be 1 and repeated, are known to be equal or left alone.
#ifndef INVAR_LIB_SIMPLIFY_CONTRACTION_H
#define INVAR_LIB_SIMPLIFY_CONTRACTION_H

#include "Formula.h"
#include "invar/Dialect/ONNX/Ops/MatMul.h"

namespace invar {

/// What an Einsum computes; null where shapes are not known well enough. With `usesGemm`, one
/// operator may transpose and multiply.
Expression contract(onnx::EinsumOp op, bool usesGemm, Rewriting &rewriting);

} // namespace invar

#endif // INVAR_LIB_SIMPLIFY_CONTRACTION_H
