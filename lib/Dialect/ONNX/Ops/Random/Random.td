// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_BernoulliOp : ONNX_Op<"Bernoulli", 22> {
  let summary = "zeros and ones drawn with given probabilities";
  let description = [{
    - (C1) `dtype` is the number of a data type, the result's.
  }];
  let arguments = (ins Var<"T1", TensorIn<Floats>>:$input, OptInt:$dtype, OptReal:$seed);
  let results = (outs Var<"T2", TensorIn<!listconcat(Numbers, [Bool])>>:$output);
  let hasVerifier = 1;
  let extraClassDeclaration = anyRankCallDeclaration;
}

def ONNX_MultinomialOp : ONNX_Op<"Multinomial", 22> {
  let summary = "indices drawn with given weights";
  let description = [{
    The weights are unnormalized logarithms, a row for each draw.

    - (C1) `dtype` is the number of int32 or int64, and of the result's type.
    - (C2) `sample_size` is at least 1.
    - (C3) `input` has rank 2.
  }];
  let arguments = (ins
      Var<"T1", TensorIn<Floats>>:$input, IntOr<6>:$dtype, IntOr<1>:$sample_size,
      OptReal:$seed);
  let results = (outs Var<"T2", TensorIn<IndexTypes>>:$output);
  let hasVerifier = 1;
  let extraClassDeclaration = anyRankCallDeclaration;
}

def ONNX_RandomNormalOp : ONNX_Op<"RandomNormal", 22> {
  let summary = "numbers drawn from a normal distribution";
  let description = [{
    - (C1) `dtype` is the number of a data type, the result's.
    - (C2) the entries of `shape` are at least 0.
  }];
  let arguments = (ins
      IntOr<1>:$dtype, RealOr<"0.0">:$mean, RealOr<"1.0">:$scale, OptReal:$seed,
      IntList:$shape);
  let results = (outs Var<"T", TensorIn<Floats>>:$output);
  let hasVerifier = 1;
  let extraClassDeclaration = callDeclaration;
}

def ONNX_RandomNormalLikeOp : ONNX_Op<"RandomNormalLike", 22> {
  let summary = "numbers drawn from a normal distribution in the shape of a tensor";
  let description = [{
    - (C1) `dtype` is the number of a data type, the result's.
  }];
  let arguments = (ins
      Var<"T1", TensorIn<PlainTypes>>:$input, OptInt:$dtype, RealOr<"0.0">:$mean,
      RealOr<"1.0">:$scale, OptReal:$seed);
  let results = (outs Var<"T2", TensorIn<Floats>>:$output);
  let hasVerifier = 1;
  let extraClassDeclaration = callDeclaration;
}

def ONNX_RandomUniformOp : ONNX_Op<"RandomUniform", 22> {
  let summary = "numbers drawn evenly from a range";
  let description = [{
    - (C1) `dtype` is the number of a data type, the result's.
    - (C2) the entries of `shape` are at least 0.
  }];
  let arguments = (ins
      IntOr<1>:$dtype, RealOr<"1.0">:$high, RealOr<"0.0">:$low, OptReal:$seed,
      IntList:$shape);
  let results = (outs Var<"T", TensorIn<Floats>>:$output);
  let hasVerifier = 1;
  let extraClassDeclaration = callDeclaration;
}

def ONNX_RandomUniformLikeOp : ONNX_Op<"RandomUniformLike", 22> {
  let summary = "numbers drawn evenly from a range in the shape of a tensor";
  let description = [{
    - (C1) `dtype` is the number of a data type, the result's.
  }];
  let arguments = (ins
      Var<"T1", TensorIn<PlainTypes>>:$input, OptInt:$dtype, RealOr<"1.0">:$high,
      RealOr<"0.0">:$low, OptReal:$seed);
  let results = (outs Var<"T2", TensorIn<Floats>>:$output);
  let hasVerifier = 1;
  let extraClassDeclaration = callDeclaration;
}
