// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_ConcatFromSequenceOp : ONNX_Op<"ConcatFromSequence", 11, [Pure, Folds]> {
  let shape = "types";
  let summary = "the tensors of a sequence joined or stacked along an axis";
  let description = [{
    With `new_axis` the tensors are stacked, otherwise joined.

    - (C1) `new_axis` is 0 or 1.
    - (C2) the result has the type of the sequence's elements.
    - (C3) `axis` is an axis of the elements, or with `new_axis` of the result.
  }];
  let arguments = (ins
      Var<"S", SequenceIn<ClassicTypes>>:$input_sequence, Int:$axis,
      IntOr<0>:$new_axis);
  let results = (outs Var<"T", TensorIn<ClassicTypes>>:$concat_result);
  let hasVerifier = 1;
  let extraClassDeclaration = anyRankCallDeclaration;
}

def ONNX_OptionalOp : ONNX_Op<"Optional", 28, [Pure, Folds]> {
  let shape = "types";
  let summary = "a value, or none, as an optional";
  let description = [{
    - (C1) `input` or `type` is given.
    - (C2) the result is an optional of that type.
  }];
  let arguments = (ins
      Optional<Var<"V", TypeSet<AllTypes, AllTypes>>>:$input, OptTypeProto:$type);
  let results = (outs Var<"O", TypeSet<[], [], AllTypes, AllTypes>>:$output);
  let hasVerifier = 1;
}

def ONNX_OptionalGetElementOp : ONNX_Op<"OptionalGetElement", 28, [Pure, Folds]> {
  let shape = "types";
  let summary = "the value of an optional that has one";
  let description = [{
    A value that is not optional is its own element.

    - (C1) the result has the type of the operand's element.
  }];
  let arguments = (ins Var<"O", TypeSet<AllTypes, AllTypes, AllTypes, AllTypes>>:$input);
  let results = (outs Var<"V", TypeSet<AllTypes, AllTypes>>:$output);
  let hasVerifier = 1;
}

def ONNX_OptionalHasElementOp : ONNX_Op<"OptionalHasElement", 28, [Pure, Entries, Folds]> {
  let shape = "scalar";
  let summary = "true when an optional has a value";
  let arguments = (ins
      Optional<Var<"O", TypeSet<AllTypes, AllTypes, AllTypes, AllTypes>>>:$input);
  let results = (outs Var<"B", TensorIn<[Bool]>>:$output);
}

def ONNX_SequenceAtOp : ONNX_Op<"SequenceAt", 11, [Pure, Folds]> {
  let shape = "types";
  let summary = "an element of a sequence";
  let description = [{
    - (C1) the result has the type of the sequence's elements.
    - (C2) `position` has one element.
  }];
  let arguments = (ins
      Var<"S", SequenceIn<ClassicTypes>>:$input_sequence,
      Var<"I", TensorIn<IndexTypes>>:$position);
  let results = (outs Var<"T", TensorIn<ClassicTypes>>:$tensor);
  let hasVerifier = 1;
}

def ONNX_SequenceConstructOp : ONNX_Op<"SequenceConstruct", 11, [Pure, Folds]> {
  let shape = "types";
  let summary = "a sequence of the operands";
  let description = [{
    - (C1) there is an operand.
    - (C2) the elements of the result have the operands' type.
  }];
  let arguments = (ins Variadic<Var<"T", TensorIn<ClassicTypes>>>:$inputs);
  let results = (outs Var<"S", SequenceIn<ClassicTypes>>:$output_sequence);
  let hasVerifier = 1;
}

def ONNX_SequenceEmptyOp : ONNX_Op<"SequenceEmpty", 11, [Pure, Folds]> {
  let shape = "types";
  let summary = "a sequence of no tensors";
  let description = [{
    - (C1) `dtype` is the number of a data type, that of the result's elements; without it
      they are floats.
  }];
  let arguments = (ins OptInt:$dtype);
  let results = (outs Var<"S", SequenceIn<ClassicTypes>>:$output);
  let hasVerifier = 1;
}

def ONNX_SequenceEraseOp : ONNX_Op<"SequenceErase", 11, [Pure, Folds]> {
  let shape = "types";
  let summary = "a sequence without one of its elements";
  let description = [{
    Without `position` the last element goes.

    - (C1) `position` has one element.
  }];
  defvar S = Var<"S", SequenceIn<ClassicTypes>>;
  let arguments = (ins
      S:$input_sequence, Optional<Var<"I", TensorIn<IndexTypes>>>:$position);
  let results = (outs S:$output_sequence);
  let hasVerifier = 1;
}

def ONNX_SequenceInsertOp : ONNX_Op<"SequenceInsert", 11, [Pure, Folds]> {
  let shape = "types";
  let summary = "a sequence with one more element";
  let description = [{
    Without `position` the element comes last.

    - (C1) `tensor` has the type of the sequence's elements.
    - (C2) `position` has one element.
  }];
  defvar S = Var<"S", SequenceIn<ClassicTypes>>;
  let arguments = (ins
      S:$input_sequence, Var<"T", TensorIn<ClassicTypes>>:$tensor,
      Optional<Var<"I", TensorIn<IndexTypes>>>:$position);
  let results = (outs S:$output_sequence);
  let hasVerifier = 1;
}

def ONNX_SequenceLengthOp : ONNX_Op<"SequenceLength", 11, [Pure, Entries, Folds]> {
  let shape = "scalar";
  let summary = "the number of elements of a sequence";
  let arguments = (ins Var<"S", SequenceIn<ClassicTypes>>:$input_sequence);
  let results = (outs Var<"I", TensorIn<[Int64]>>:$length);
}

def ONNX_SplitToSequenceOp : ONNX_Op<"SplitToSequence", 24, [Pure, Folds]> {
  let shape = "types";
  let summary = "a tensor cut along an axis, as a sequence";
  let description = [{
    A scalar `split` is the size of every part but a smaller last one; without it parts
    have size one, and lose the axis unless `keepdims` is 1. Runtimes do not agree on what
    `keepdims` means beside a scalar `split`.

    - (C1) `axis` is an axis of `input`.
    - (C2) `keepdims` is 0 or 1.
    - (C3) the elements of the result have the operand's type.
    - (C4) a scalar `split` is at least 1; others are at least 0, and the axis in sum.
  }];
  let arguments = (ins
      Var<"T", TensorIn<PlainTypes>>:$input,
      Optional<Var<"I", TensorIn<IndexTypes>>>:$split, IntOr<0>:$axis,
      IntOr<1>:$keepdims);
  let results = (outs Var<"S", SequenceIn<PlainTypes>>:$output_sequence);
  let hasVerifier = 1;
  let extraClassDeclaration = anyRankCallDeclaration;
}
