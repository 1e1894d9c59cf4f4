// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expresses Einsum by transposes, products and sums. Operands are joined from left to
// right. An axis that neither the result nor a later operand names is summed over as
// early as possible:
//
//   "bij,bjk->bik"     MatMul
//   "ibnd,jbnd->bnij"  MatMul of two transposes
//   "ibh,hnd->ibnd"    MatMul with (n d) as one axis, which a Reshape splits
//   "bi,bi->b"         Mul, then ReduceSum, since no matrix is left
//   "ii->i"            every (n+1)th element of the square as a vector
//
// Batch axes that both operands have stay as they are; MatMul and Mul broadcast them.
// Axes that are summed over must be known to be equal, because one of them could be 1
// and broadcast. Otherwise the Einsum stays.
#ifndef INVAR_LIB_SIMPLIFY_CONTRACTION_H
#define INVAR_LIB_SIMPLIFY_CONTRACTION_H

#include "Formula.h"
#include "invar/Dialect/ONNX/Ops/MatMul.h"

namespace invar {

/// Returns the result of an Einsum; null if too little is known about shapes. With
/// `usesGemm`, a Gemm may transpose and multiply at once.
Expression contract(onnx::EinsumOp op, bool usesGemm, Rewriting &rewriting);

} // namespace invar

#endif // INVAR_LIB_SIMPLIFY_CONTRACTION_H
