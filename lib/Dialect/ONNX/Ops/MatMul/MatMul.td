// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_DetOp : ONNX_Op<"Det", 22, [Pure]> {
  let summary = "the determinant of each square matrix of the last two axes";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$X);
  let results = (outs T:$Y);
}

def ONNX_EinsumOp : ONNX_Op<"Einsum", 28, [Pure]> {
  let summary = "products and sums over named axes, as an equation says";
  defvar T = Var<"T", TensorIn<Numbers>>;
  let arguments = (ins Variadic<T>:$Inputs, Str:$equation);
  let results = (outs T:$Output);
}

def ONNX_GemmOp : ONNX_Op<"Gemm", 13, [Pure]> {
  let summary = "alpha A B + beta C for matrices, either of A and B transposed";
  defvar T = Var<"T", TensorIn<WideNumbers>>;
  let arguments = (ins
      T:$A, T:$B, Optional<T>:$C, RealOr<"1.0">:$alpha, RealOr<"1.0">:$beta,
      IntOr<0>:$transA, IntOr<0>:$transB);
  let results = (outs T:$Y);
}

def ONNX_MatMulOp : ONNX_Op<"MatMul", 13, [Pure]> {
  let summary = "the matrix product over the last two axes, the others broadcast";
  defvar T = Var<"T", TensorIn<WideNumbers>>;
  let arguments = (ins T:$A, T:$B);
  let results = (outs T:$Y);
}
