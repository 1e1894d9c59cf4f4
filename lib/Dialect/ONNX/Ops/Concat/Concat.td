// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_ConcatOp : ONNX_Op<"Concat", 13, [Pure]> {
  let summary = "tensors joined along an axis";
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  let arguments = (ins Variadic<T>:$inputs, Int:$axis);
  let results = (outs T:$concat_result);
}
