// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

/// Types that can be converted to another type: all except complex numbers.
defvar Castable25 = !listconcat(Numbers, LowTypes25, [String, Bool]);
defvar Castable = !listconcat(Castable25, Float6s);
/// Types with a fixed number of bits: all except strings.
defvar BitCastable = !listconcat(Numbers, LowTypes25, [Bool, Complex64, Complex128]);

def ONNX_BitCastOp : ONNX_Op<"BitCast", 26, [Pure, Folds]> {
  let summary = "the same bits read as another type";
  let description = [{
    - (C1) `to` is the number of a data type, the result's.
    - (C2) both element types have the same width.
  }];
  let arguments = (ins Var<"T1", TensorIn<BitCastable>>:$input, Int:$to);
  let results = (outs Var<"T2", TensorIn<BitCastable>>:$output);
  let hasVerifier = 1;
  let extraClassDeclaration = anyRankCallDeclaration;
}

def ONNX_CastOp : ONNX_Op<"Cast", 28, [Pure, Entries, Folds]> {
  let summary = "each element converted to another type";
  let description = [{
    `saturate` says what becomes of values that a float8 type cannot hold; `round_mode`
    how float8e8m0 is rounded to.

    - (C1) `to` is the number of a data type, the result's.
    - (C2) `round_mode` is "up", "down" or "nearest".
    - (C3) `saturate` is 0 or 1.
  }];
  let arguments = (ins
      Var<"T1", TensorIn<Castable>>:$input, StrOr<"up">:$round_mode,
      IntOr<1>:$saturate, Int:$to);
  let results = (outs Var<"T2", TensorIn<Castable>>:$output);
  let hasVerifier = 1;
  let extraClassDeclaration = anyRankCallDeclaration;
}

def ONNX_CastLikeOp : ONNX_Op<"CastLike", 25, [Pure, Entries, Folds]> {
  let shape = "sameAsFirst";
  let summary = "each element converted to the type of another tensor";
  let description = [{
    - (C1) `round_mode` is "up", "down" or "nearest".
    - (C2) `saturate` is 0 or 1.
  }];
  defvar T2 = Var<"T2", TensorIn<Castable25>>;
  let arguments = (ins
      Var<"T1", TensorIn<Castable25>>:$input, T2:$target_type,
      StrOr<"up">:$round_mode, IntOr<1>:$saturate);
  let results = (outs T2:$output);
  let hasVerifier = 1;
  let extraClassDeclaration = anyRankCallDeclaration;
}
