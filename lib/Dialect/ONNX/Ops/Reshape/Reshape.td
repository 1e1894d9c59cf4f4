// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_FlattenOp : ONNX_Op<"Flatten", 25, [Pure, Folds]> {
  let summary = "a tensor as a matrix, cut at an axis";
  let description = [{
    The axes before `axis` become the rows, the others the columns.

    - (C1) `axis` is in [-r, r] for an `input` of rank r.
  }];
  defvar T = Var<"T", TensorIn<AllTypes25>>;
  let arguments = (ins T:$input, IntOr<1>:$axis);
  let results = (outs T:$output);
  let hasVerifier = 1;
}

def ONNX_IdentityOp : ONNX_Op<"Identity", 25,
    [Pure, Folds, Entries, DeclareOpInterfaceMethods<ONNX_TypesInterface>]> {
  let shape = "sameAsFirst";
  let summary = "its operand";
  defvar V = Var<"V", TypeSet<AllTypes25, ClassicTypes, ClassicTypes, ClassicTypes>>;
  let arguments = (ins V:$input);
  let results = (outs V:$output);
}

def ONNX_ReshapeOp : ONNX_Op<"Reshape", 25, [Pure, Folds, Entries]> {
  let summary = "the same elements in another shape";
  let description = [{
    A size of 0 stands for the size that `data` has there, or with `allowzero` for itself;
    one size may be -1 and follows from the others.

    - (C1) `shape` is a vector.
    - (C2) `allowzero` is 0 or 1.
    - (C3) a size that is copied is there to be copied.
    - (C4) at most one size is -1, and none is less.
    - (C5) the result has as many elements as `data`.
  }];
  defvar T = Var<"T", TensorIn<AllTypes25>>;
  let arguments = (ins T:$data, TensorIn<[Int64]>:$shape, IntOr<0>:$allowzero);
  let results = (outs T:$reshaped);
  let hasVerifier = 1;
}

def ONNX_ShapeOp : ONNX_Op<"Shape", 25, [Pure, Folds, Entries]> {
  let summary = "the shape of a tensor, or a part of it";
  let description = [{
    `start` and `end` choose axes as a slice does: counted from the end when negative, and
    limited to the rank.
  }];
  let arguments = (ins Var<"T", TensorIn<AllTypes25>>:$data, OptInt:$end, IntOr<0>:$start);
  let results = (outs Var<"T1", TensorIn<[Int64]>>:$shape);
}

def ONNX_SizeOp : ONNX_Op<"Size", 25, [Pure, Folds, Entries]> {
  let shape = "scalar";
  let summary = "the number of elements of a tensor";
  let arguments = (ins Var<"T", TensorIn<AllTypes25>>:$data);
  let results = (outs Var<"T1", TensorIn<[Int64]>>:$size);
}

def ONNX_SqueezeOp : ONNX_Op<"Squeeze", 25, [Pure, Folds, Entries]> {
  let summary = "axes of size one taken away";
  let description = [{
    Without `axes` all axes of size one are taken away.

    - (C1) `axes` is a vector.
    - (C2) `axes` are axes of `data`, each at most once, and have size one.
  }];
  defvar T = Var<"T", TensorIn<AllTypes25>>;
  let arguments = (ins T:$data, Optional<TensorIn<[Int64]>>:$axes);
  let results = (outs T:$squeezed);
  let hasVerifier = 1;
}

def ONNX_UnsqueezeOp : ONNX_Op<"Unsqueeze", 25, [Pure, Folds, Entries]> {
  let summary = "axes of size one put in";
  let description = [{
    `axes` are places in the result.

    - (C1) `axes` is a vector.
    - (C2) `axes` are axes of the result, each at most once.
  }];
  defvar T = Var<"T", TensorIn<AllTypes25>>;
  let arguments = (ins T:$data, TensorIn<[Int64]>:$axes);
  let results = (outs T:$expanded);
  let hasVerifier = 1;
}
