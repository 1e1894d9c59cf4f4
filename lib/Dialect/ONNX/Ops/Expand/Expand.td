// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_ExpandOp : ONNX_Op<"Expand", 13, [Pure]> {
  let summary = "a tensor broadcast to a shape";
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  let arguments = (ins T:$input, TensorIn<[Int64]>:$shape);
  let results = (outs T:$output);
}

def ONNX_TileOp : ONNX_Op<"Tile", 13, [Pure]> {
  let summary = "a tensor repeated along each axis";
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  let arguments = (ins T:$input, Var<"T1", TensorIn<[Int64]>>:$repeats);
  let results = (outs T:$output);
}
