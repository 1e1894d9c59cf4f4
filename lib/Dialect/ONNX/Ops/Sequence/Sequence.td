// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_ConcatFromSequenceOp : ONNX_Op<"ConcatFromSequence", 11, [Pure]> {
  let summary = "the tensors of a sequence joined or stacked along an axis";
  let arguments = (ins
      Var<"S", SequenceIn<ClassicTypes>>:$input_sequence, Int:$axis,
      IntOr<0>:$new_axis);
  let results = (outs Var<"T", TensorIn<ClassicTypes>>:$concat_result);
}

def ONNX_OptionalOp : ONNX_Op<"Optional", 28, [Pure]> {
  let summary = "a value, or none, as an optional";
  let arguments = (ins
      Optional<Var<"V", TypeSet<AllTypes, AllTypes>>>:$input, OptTypeProto:$type);
  let results = (outs Var<"O", TypeSet<[], [], AllTypes, AllTypes>>:$output);
}

def ONNX_OptionalGetElementOp : ONNX_Op<"OptionalGetElement", 28, [Pure]> {
  let summary = "the value of an optional that has one";
  let arguments = (ins Var<"O", TypeSet<AllTypes, AllTypes, AllTypes, AllTypes>>:$input);
  let results = (outs Var<"V", TypeSet<AllTypes, AllTypes>>:$output);
}

def ONNX_OptionalHasElementOp : ONNX_Op<"OptionalHasElement", 28, [Pure]> {
  let summary = "true when an optional has a value";
  let arguments = (ins
      Optional<Var<"O", TypeSet<AllTypes, AllTypes, AllTypes, AllTypes>>>:$input);
  let results = (outs Var<"B", TensorIn<[Bool]>>:$output);
}

def ONNX_SequenceAtOp : ONNX_Op<"SequenceAt", 11, [Pure]> {
  let summary = "an element of a sequence";
  let arguments = (ins
      Var<"S", SequenceIn<ClassicTypes>>:$input_sequence,
      Var<"I", TensorIn<IndexTypes>>:$position);
  let results = (outs Var<"T", TensorIn<ClassicTypes>>:$tensor);
}

def ONNX_SequenceConstructOp : ONNX_Op<"SequenceConstruct", 11, [Pure]> {
  let summary = "a sequence of the operands";
  let arguments = (ins Variadic<Var<"T", TensorIn<ClassicTypes>>>:$inputs);
  let results = (outs Var<"S", SequenceIn<ClassicTypes>>:$output_sequence);
}

def ONNX_SequenceEmptyOp : ONNX_Op<"SequenceEmpty", 11, [Pure]> {
  let summary = "a sequence of no tensors";
  let arguments = (ins OptInt:$dtype);
  let results = (outs Var<"S", SequenceIn<ClassicTypes>>:$output);
}

def ONNX_SequenceEraseOp : ONNX_Op<"SequenceErase", 11, [Pure]> {
  let summary = "a sequence without one of its elements";
  defvar S = Var<"S", SequenceIn<ClassicTypes>>;
  let arguments = (ins
      S:$input_sequence, Optional<Var<"I", TensorIn<IndexTypes>>>:$position);
  let results = (outs S:$output_sequence);
}

def ONNX_SequenceInsertOp : ONNX_Op<"SequenceInsert", 11, [Pure]> {
  let summary = "a sequence with one more element";
  defvar S = Var<"S", SequenceIn<ClassicTypes>>;
  let arguments = (ins
      S:$input_sequence, Var<"T", TensorIn<ClassicTypes>>:$tensor,
      Optional<Var<"I", TensorIn<IndexTypes>>>:$position);
  let results = (outs S:$output_sequence);
}

def ONNX_SequenceLengthOp : ONNX_Op<"SequenceLength", 11, [Pure]> {
  let summary = "the number of elements of a sequence";
  let arguments = (ins Var<"S", SequenceIn<ClassicTypes>>:$input_sequence);
  let results = (outs Var<"I", TensorIn<[Int64]>>:$length);
}

def ONNX_SplitToSequenceOp : ONNX_Op<"SplitToSequence", 24, [Pure]> {
  let summary = "a tensor cut along an axis, as a sequence";
  let arguments = (ins
      Var<"T", TensorIn<PlainTypes>>:$input,
      Optional<Var<"I", TensorIn<IndexTypes>>>:$split, IntOr<0>:$axis,
      IntOr<1>:$keepdims);
  let results = (outs Var<"S", SequenceIn<PlainTypes>>:$output_sequence);
}
