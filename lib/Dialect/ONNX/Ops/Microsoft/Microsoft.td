// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators that onnxruntime adds to the standard and that resemble no standard operator.
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_MSCDistOp : ONNX_MicrosoftOp<"CDist"> {
  let summary = "the distance of each row of a matrix to each row of another";
  let description = [{
    Only "euclidean" and "sqeuclidean" are computed, here as in onnxruntime.

    - (C1) `A` and `B` are matrices with as many columns.
    - (C2) `metric` is one of those that scipy's cdist has.
  }];
  defvar T = Var<"T", TensorIn<[Float, Double]>>;
  let arguments = (ins T:$A, T:$B, StrOr<"sqeuclidean">:$metric);
  let results = (outs T:$C);
  let hasVerifier = 1;
}

def ONNX_MSMurmurHash3Op : ONNX_MicrosoftOp<"MurmurHash3"> {
  let summary = "a hash of each element, 32 bits long";
  let description = [{
    The hash is MurmurHash3_x86_32 of the bytes of an element. It is unsigned where
    `positive` is 1. Of `seed`, the lowest 32 bits count.
  }];
  let arguments = (ins
      Var<"T1", TensorIn<[UInt32, Int32, UInt64, Int64, Float, Double, String]>>:$X,
      IntOr<1>:$positive, IntOr<0>:$seed);
  let results = (outs Var<"T2", TensorIn<[UInt32, Int32]>>:$Y);
  let extraClassDeclaration = anyRankCallDeclaration;
}

def ONNX_MSTokenizerOp : ONNX_MicrosoftOp<"Tokenizer"> {
  let summary = "strings cut into tokens, along a new last axis";
  let description = [{
    Tokens are what is left between matches of `separators` or, without those, the matches
    of `tokenexp`. A single separator that is empty, or the pattern ".", makes each
    character a token. Rows are filled with `pad_value`; `mark` puts each between "\x02"
    and "\x03". Where no string has a token, rows are empty.

    Without strings there is no new axis: the last one is 0 then. Where that is not known
    when the model is compiled, there is one, of size 0.

    - (C1) `X` has rank 1 or 2.
    - (C2) `mincharnum` is at least 1, and 1 where tokens are characters.
    - (C3) `separators` or `tokenexp` is given, and is not empty.
  }];
  defvar T = Var<"T", TensorIn<[String]>>;
  let arguments = (ins
      T:$X, Int:$mark, Int:$mincharnum, Str:$pad_value, OptStrList:$separators,
      OptStr:$tokenexp);
  let results = (outs T:$Y);
  let hasVerifier = 1;
  let extraClassDeclaration = anyRankCallDeclaration;
}
