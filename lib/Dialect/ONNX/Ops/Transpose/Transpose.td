// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_DepthToSpaceOp : ONNX_Op<"DepthToSpace", 28, [Pure, Folds]> {
  let summary = "blocks of channels moved into space";
  let description = [{
    The channels are split into block rows, block columns and depth (mode DCR) or depth,
    block rows and block columns (CRD).

    - (C1) `blocksize` is at least 1.
    - (C2) `mode` is "DCR" or "CRD".
    - (C3) `input` has rank 4, and the square of `blocksize` divides its channels.
  }];
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  let arguments = (ins T:$input, Int:$blocksize, StrOr<"DCR">:$mode);
  let results = (outs T:$output);
  let hasVerifier = 1;
}

def ONNX_ReverseSequenceOp : ONNX_Op<"ReverseSequence", 28, [Pure, Folds]> {
  let shape = "sameAsFirst";
  let summary = "the first elements of each sequence of a batch, reversed";
  let description = [{
    - (C1) `batch_axis` and `time_axis` are 0 and 1 in either order.
    - (C2) `input` has at least rank 2 and `sequence_lens` is a vector.
  }];
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  let arguments = (ins
      T:$input, TensorIn<[Int64]>:$sequence_lens, IntOr<1>:$batch_axis,
      IntOr<0>:$time_axis);
  let results = (outs T:$Y);
  let hasVerifier = 1;
}

def ONNX_SpaceToDepthOp : ONNX_Op<"SpaceToDepth", 28, [Pure, Folds]> {
  let summary = "blocks of space moved into channels";
  let description = [{
    The inverse of DepthToSpace.

    - (C1) `blocksize` is at least 1.
    - (C2) `mode` is "DCR" or "CRD".
    - (C3) `input` has rank 4, and `blocksize` divides its height and width.
  }];
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  let arguments = (ins T:$input, Int:$blocksize, StrOr<"DCR">:$mode);
  let results = (outs T:$output);
  let hasVerifier = 1;
}

def ONNX_TransposeOp : ONNX_Op<"Transpose", 25, [Pure, Folds]> {
  let summary = "axes in another order";
  let description = [{
    Axis i of the result is axis perm[i] of the operand; without `perm` the axes are
    reversed.

    - (C1) `perm` is a permutation of the operand's axes.
  }];
  defvar T = Var<"T", TensorIn<AllTypes25>>;
  let arguments = (ins T:$data, OptIntList:$perm);
  let results = (outs T:$transposed);
  let hasVerifier = 1;
  let extraClassDeclaration = schemaDeclaration # [{
    /// `perm`, or what it is when it is not given.
    ::llvm::SmallVector<int64_t> getPermutation(int64_t rank);
  }];
}
