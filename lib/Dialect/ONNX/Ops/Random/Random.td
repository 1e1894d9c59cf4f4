// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_BernoulliOp : ONNX_Op<"Bernoulli", 22> {
  let summary = "zeros and ones drawn with given probabilities";
  let arguments = (ins Var<"T1", TensorIn<Floats>>:$input, OptInt:$dtype, OptReal:$seed);
  let results = (outs Var<"T2", TensorIn<!listconcat(Numbers, [Bool])>>:$output);
}

def ONNX_MultinomialOp : ONNX_Op<"Multinomial", 22> {
  let summary = "indices drawn with given weights";
  let arguments = (ins
      Var<"T1", TensorIn<Floats>>:$input, IntOr<6>:$dtype, IntOr<1>:$sample_size,
      OptReal:$seed);
  let results = (outs Var<"T2", TensorIn<IndexTypes>>:$output);
}

def ONNX_RandomNormalOp : ONNX_Op<"RandomNormal", 22> {
  let summary = "numbers drawn from a normal distribution";
  let arguments = (ins
      IntOr<1>:$dtype, RealOr<"0.0">:$mean, RealOr<"1.0">:$scale, OptReal:$seed,
      IntList:$shape);
  let results = (outs Var<"T", TensorIn<Floats>>:$output);
}

def ONNX_RandomNormalLikeOp : ONNX_Op<"RandomNormalLike", 22> {
  let summary = "numbers drawn from a normal distribution in the shape of a tensor";
  let arguments = (ins
      Var<"T1", TensorIn<PlainTypes>>:$input, OptInt:$dtype, RealOr<"0.0">:$mean,
      RealOr<"1.0">:$scale, OptReal:$seed);
  let results = (outs Var<"T2", TensorIn<Floats>>:$output);
}

def ONNX_RandomUniformOp : ONNX_Op<"RandomUniform", 22> {
  let summary = "numbers drawn evenly from a range";
  let arguments = (ins
      IntOr<1>:$dtype, RealOr<"1.0">:$high, RealOr<"0.0">:$low, OptReal:$seed,
      IntList:$shape);
  let results = (outs Var<"T", TensorIn<Floats>>:$output);
}

def ONNX_RandomUniformLikeOp : ONNX_Op<"RandomUniformLike", 22> {
  let summary = "numbers drawn evenly from a range in the shape of a tensor";
  let arguments = (ins
      Var<"T1", TensorIn<PlainTypes>>:$input, OptInt:$dtype, RealOr<"1.0">:$high,
      RealOr<"0.0">:$low, OptReal:$seed);
  let results = (outs Var<"T2", TensorIn<Floats>>:$output);
}
