// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_ExpandOp : ONNX_Op<"Expand", 13, [Pure, Folds, Entries]> {
  let summary = "a tensor broadcast to a shape";
  let description = [{
    Broadcasting goes both ways: an axis that `shape` says to be 1 keeps its size.

    - (C1) `shape` is a vector.
    - (C2) the sizes in `shape` are at least 0.
  }];
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  let arguments = (ins T:$input, TensorIn<[Int64]>:$shape);
  let results = (outs T:$output);
  let hasVerifier = 1;
}

def ONNX_TileOp : ONNX_Op<"Tile", 13, [Pure, Folds, Entries]> {
  let summary = "a tensor repeated along each axis";
  let description = [{
    - (C1) `repeats` is a vector with an element for each axis of `input`.
    - (C2) the entries of `repeats` are at least 0.
  }];
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  let arguments = (ins T:$input, Var<"T1", TensorIn<[Int64]>>:$repeats);
  let results = (outs T:$output);
  let hasVerifier = 1;
}
