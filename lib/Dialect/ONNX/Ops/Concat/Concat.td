// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_ConcatOp : ONNX_Op<"Concat", 13, [Pure, Folds, Entries]> {
  let summary = "tensors joined along an axis";
  let description = [{
    - (C1) there is an operand.
    - (C2) `axis` is an axis of the operands.
    - (C3) the operands have one rank and agree in the sizes of all other axes; empty ones
      may be of any shape.
  }];
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  let arguments = (ins Variadic<T>:$inputs, Int:$axis);
  let results = (outs T:$concat_result);
  let hasVerifier = 1;
}
