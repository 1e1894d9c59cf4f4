// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_DetOp : ONNX_Op<"Det", 22, [Pure, Folds]> {
  let summary = "the determinant of each square matrix of the last two axes";
  let description = [{
    - (C1) the last two axes of `X` have one size.
  }];
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$X);
  let results = (outs T:$Y);
  let hasVerifier = 1;
}

def ONNX_EinsumOp : ONNX_Op<"Einsum", 28, [Pure, Folds]> {
  let summary = "products and sums over named axes, as an equation says";
  let description = [{
    An equation such as "ij,jk->ik" names the axes of each operand and of the result; axes
    that the result does not name are summed over. Without "->" the result has, in the
    order of the alphabet, the axes named once. "..." stands for any further axes, which
    broadcast.

    - (C1) the equation has a term of letters, and at most one "...", for each operand.
    - (C2) the result's term has letters of the operands' terms, each once.
    - (C3) a term has a letter for each axis of its operand.
  }];
  defvar T = Var<"T", TensorIn<Numbers>>;
  let arguments = (ins Variadic<T>:$Inputs, Str:$equation);
  let results = (outs T:$Output);
  let hasVerifier = 1;
  let extraClassDeclaration = schemaDeclaration # [{
    /// What the equation says; see invar/Dialect/ONNX/Equation.h.
    struct Term;
    struct Equation;
    /// Fails, having emitted an error, where (C1) or (C2) does not hold.
    ::llvm::FailureOr<Equation> parseEquation();
  }];
}

def ONNX_GemmOp : ONNX_Op<"Gemm", 13, [Pure, Folds]> {
  let summary = "alpha A B + beta C for matrices, either of A and B transposed";
  let description = [{
    - (C1) `A` and `B` have rank 2, and `C` at most.
    - (C2) `A` and `B`, transposed as the attributes say, agree in the axis that is summed
      over.
  }];
  defvar T = Var<"T", TensorIn<WideNumbers>>;
  let arguments = (ins
      T:$A, T:$B, Optional<T>:$C, RealOr<"1.0">:$alpha, RealOr<"1.0">:$beta,
      IntOr<0>:$transA, IntOr<0>:$transB);
  let results = (outs T:$Y);
  let hasVerifier = 1;
}

def ONNX_MatMulOp : ONNX_Op<"MatMul", 13, [Pure, Folds]> {
  let summary = "the matrix product over the last two axes, the others broadcast";
  let description = [{
    A vector counts as a row on the left and as a column on the right.

    - (C1) both operands have at least rank 1 and agree in the axis that is summed over,
      and the others broadcast.
  }];
  defvar T = Var<"T", TensorIn<WideNumbers>>;
  let arguments = (ins T:$A, T:$B);
  let results = (outs T:$Y);
  let hasVerifier = 1;
}
