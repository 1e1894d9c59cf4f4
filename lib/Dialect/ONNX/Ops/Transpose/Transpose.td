// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_DepthToSpaceOp : ONNX_Op<"DepthToSpace", 28, [Pure]> {
  let summary = "blocks of channels moved into space";
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  let arguments = (ins T:$input, Int:$blocksize, StrOr<"DCR">:$mode);
  let results = (outs T:$output);
}

def ONNX_ReverseSequenceOp : ONNX_Op<"ReverseSequence", 28, [Pure]> {
  let summary = "the first elements of each sequence of a batch, reversed";
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  let arguments = (ins
      T:$input, TensorIn<[Int64]>:$sequence_lens, IntOr<1>:$batch_axis,
      IntOr<0>:$time_axis);
  let results = (outs T:$Y);
}

def ONNX_SpaceToDepthOp : ONNX_Op<"SpaceToDepth", 28, [Pure]> {
  let summary = "blocks of space moved into channels";
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  let arguments = (ins T:$input, Int:$blocksize, StrOr<"DCR">:$mode);
  let results = (outs T:$output);
}

def ONNX_TransposeOp : ONNX_Op<"Transpose", 25, [Pure]> {
  let summary = "axes in another order";
  defvar T = Var<"T", TensorIn<AllTypes25>>;
  let arguments = (ins T:$data, OptIntList:$perm);
  let results = (outs T:$transposed);
}
