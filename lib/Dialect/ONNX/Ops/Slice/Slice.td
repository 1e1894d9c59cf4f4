// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_CenterCropPadOp : ONNX_Op<"CenterCropPad", 18, [Pure, Folds]> {
  let summary = "axes cropped or padded around their centre to given sizes";
  let description = [{
    - (C1) `axes` are distinct axes of `input_data`.
    - (C2) `shape` is a vector with an element for each of the `axes`, or of all axes when
      they are not given.
  }];
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  let arguments = (ins
      T:$input_data, Var<"Tind", TensorIn<IndexTypes>>:$shape, OptIntList:$axes);
  let results = (outs T:$output_data);
  let hasVerifier = 1;
}

def ONNX_CompressOp : ONNX_Op<"Compress", 28, [Pure, Folds, Entries]> {
  let summary = "the slices for which a condition holds";
  let description = [{
    Without `axis` the tensor counts as flattened. The condition may be shorter than what
    it chooses from; the rest is not chosen.

    - (C1) `axis` is an axis of `input`.
  }];
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  let arguments = (ins T:$input, Var<"T1", TensorIn<[Bool]>>:$condition, OptInt:$axis);
  let results = (outs T:$output);
  let hasVerifier = 1;
}

def ONNX_SliceOp : ONNX_Op<"Slice", 13, [Pure, Folds, Entries]> {
  let summary = "a part of a tensor by starts, ends and steps";
  let description = [{
    Starts and ends count from the end when negative and are limited to the axis; steps
    may be negative. Without `axes` the first ones are meant, without `steps` all are 1.

    An end of the largest number of 32 or 64 bits means the end of the axis in the step's
    direction, whatever its size.

    - (C1) `starts`, `ends`, `axes` and `steps` are vectors of one length.
    - (C2) `axes` are axes of `data`, each at most once.
    - (C3) no step is 0.
  }];
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  defvar Tind = Var<"Tind", TensorIn<IndexTypes>>;
  let arguments = (ins
      T:$data, Tind:$starts, Tind:$ends, Optional<Tind>:$axes,
      Optional<Tind>:$steps);
  let results = (outs T:$output);
  let hasVerifier = 1;
  let extraClassDeclaration = schemaDeclaration # [{
    /// What is taken of an axis: `size` elements from `start` on, `step` apart.
    struct Part {
      ::invar::IndexExpr start, step, size;
    };
    /// A part for each axis of `data`, counted from the front; none where its rank or
    /// `axes` are not known. Fails, with an error, where they cannot be.
    ::llvm::FailureOr<::std::optional<::llvm::SmallVector<Part>>>
    getParts(::invar::ShapeHelper &shape);
  }];
}

def ONNX_SplitOp : ONNX_Op<"Split", 18, [Pure, Folds, Entries]> {
  let summary = "a tensor cut into parts along an axis";
  let description = [{
    The sizes are given by `split`, or equal but for a smaller last one.

    - (C1) `axis` is an axis of `input`.
    - (C2) `split` and `num_outputs` are not both given.
    - (C3) `num_outputs` is the number of results, and `split` has as many elements.
    - (C4) the sizes of the parts are at least 0 and add up to that of the axis.
  }];
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  let arguments = (ins
      T:$input, Optional<TensorIn<[Int64]>>:$split, IntOr<0>:$axis,
      OptInt:$num_outputs);
  let results = (outs Variadic<T>:$outputs);
  let hasVerifier = 1;
  let extraClassDeclaration = schemaDeclaration # [{
    /// The size of each part along the axis.
    ::invar::DimsExpr getSizes(::invar::ShapeHelper &shape);
  }];
}

def ONNX_TriluOp : ONNX_Op<"Trilu", 14, [Pure, Folds]> {
  let shape = "sameAsFirst";
  let summary = "the upper or lower triangle of each matrix";
  let description = [{
    `k` moves the diagonal up.

    - (C1) `input` has at least rank 2.
    - (C2) `k` has one element.
    - (C3) `upper` is 0 or 1.
  }];
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  let arguments = (ins T:$input, Optional<TensorIn<[Int64]>>:$k, IntOr<1>:$upper);
  let results = (outs T:$output);
  let hasVerifier = 1;
}

def ONNX_UniqueOp : ONNX_Op<"Unique", 28, [Pure, Folds]> {
  let summary = "distinct elements or slices, with where and how often they occur";
  let description = [{
    Without `axis` the tensor counts as flattened. With `sorted` the result ascends,
    otherwise it keeps the order of first occurrence.

    - (C1) `axis` is an axis of `X`.
    - (C2) `sorted` is 0 or 1.
  }];
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  defvar FixedInt64 = TensorIn<[Int64]>;
  let arguments = (ins T:$X, OptInt:$axis, IntOr<1>:$sorted);
  let results = (outs
      T:$Y, Optional<FixedInt64>:$indices, Optional<FixedInt64>:$inverse_indices,
      Optional<FixedInt64>:$counts);
  let hasVerifier = 1;
  let extraClassDeclaration = anyRankCallDeclaration;
}

def ONNX_NonZeroOp : ONNX_Op<"NonZero", 13, [Pure, Folds]> {
  let summary = "the indices of the elements that are not zero";
  let description = [{
    The result has a row for each axis, one for a scalar, and a column for each element
    found.
  }];
  let arguments = (ins Var<"T", TensorIn<PlainTypes>>:$X);
  let results = (outs TensorIn<[Int64]>:$Y);
}
