// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constant tensors that are computed once (docs/Rationale/ConstantTensors.md).
#ifndef INVAR_CONSTFOLD_PASSES_TD
#define INVAR_CONSTFOLD_PASSES_TD

include "mlir/Pass/PassBase.td"

def AnalyzeConstnessPass : Pass<"invar-analyze-constness", "::mlir::ModuleOp"> {
  let summary = "find values that do not change between runs";
  let description = [{
    Sets the attribute `constness` of each operation with results: `literal`, `compile-time`,
    `run-once` or `variable` (Constness.h). With `print-constness`, prints this for operations and
    arguments, and changes nothing. Needs nothing; takes time linear in the number of operations.

    ```mlir
    func.func @main(%x: tensor<2xf32>, %w: tensor<2xf32>) -> tensor<2xf32>
        attributes {runtime_const_args_index = array<i64: 1>} {
      %c = const.ref dense<[1.0, 2.0]> : tensor<2xf32>
      %0 = arith.mulf %w, %c : tensor<2xf32>
      %1 = arith.addf %x, %0 : tensor<2xf32>
      return %1 : tensor<2xf32>
    }
    // becomes
    func.func @main(%x: tensor<2xf32>, %w: tensor<2xf32>) -> tensor<2xf32>
        attributes {runtime_const_args_index = array<i64: 1>} {
      %c = const.ref {constness = "literal"} dense<[1.0, 2.0]> : tensor<2xf32>
      %0 = arith.mulf %w, %c {constness = "run-once"} : tensor<2xf32>
      %1 = arith.addf %x, %0 {constness = "variable"} : tensor<2xf32>
      return %1 : tensor<2xf32>
    }
    ```
  }];
  let options = [
    Option<"print", "print-constness", "bool", "false",
           "Only print each value with its constness">,
  ];
}

def PostponeExpansionPass : Pass<"invar-postpone-expansion", "::mlir::func::FuncOp"> {
  let summary = "expand constants as late as possible";
  let description = [{
    Moves operations that make a constant (Constness.h) larger after the operations that compute
    with it. The computation then reads fewer or narrower elements, and its result can be stored
    in this form. It moves

    - broadcasts, tiles and tensors of one number, after elementwise operations, if all operands
      repeat along the same axes;
    - padding with one number, after elementwise operations, if all operands have the same padding
      and the result of the padding is one number again;
    - extensions to wider elements, such as a dequantization with its scales and zero points,
      after operations that only move elements.

    Sizes along repeated axes may be open; all others must be known. All moves are exact. No
    element is computed more often than before, and each move lowers the number of bytes that are
    written (Postpone.h), so a second run changes nothing. Needs nothing; takes time linear in the
    number of operations. With `explain`, a remark says why an expansion stays.

    ```mlir
    func.func @main() -> tensor<4x8xf32> {
      %w = const.ref dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf16>
      %e = tensor.empty() : tensor<4x8xf16>
      %b = linalg.broadcast ins(%w : tensor<8xf16>) outs(%e : tensor<4x8xf16>) dimensions = [0]
      %x = arith.extf %b : tensor<4x8xf16> to tensor<4x8xf32>
      return %x : tensor<4x8xf32>
    }
    // becomes, in part
    %s = linalg.generic … ins(%w : tensor<8xf16>) outs(%e : tensor<8xf32>) {
    %n = arith.extf %in : f16 to f32
    %x = linalg.generic … ins(%s : tensor<8xf32>) outs(%f : tensor<4x8xf32>) {
    linalg.yield %in : f32
    ```
  }];
  let options = [
    Option<"explain", "explain", "bool", "false",
           "Print a remark for each expansion that stays">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def FoldConstantViewsPass : Pass<"invar-fold-constant-views", "::mlir::func::FuncOp"> {
  let summary = "turn packed constants into constants";
  let description = [{
    Replaces `linalg.pack` of a `const.ref` by a `const.ref` whose content is a view of the first
    one. Nothing is copied before a library is written, and no code is generated for it. Needs
    nothing; takes time linear in the number of operations.

    With `keep-shared`, a constant stays as it is if it is also read unpacked, perhaps transposed.
    An example is the embedding that is tied to a product: it would be stored twice. The packing
    then reads the same constant.

    ```mlir
    func.func @main() -> tensor<1x2x4xf32> {
      %w = const.ref dense<1.0> : tensor<2x4xf32>
      %e = tensor.empty() : tensor<1x2x4xf32>
      %p = linalg.pack %w outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [4] into %e
          : tensor<2x4xf32> -> tensor<1x2x4xf32>
      return %p : tensor<1x2x4xf32>
    }
    // becomes, in part
    %p = const.ref … : tensor<1x2x4xf32>
    return %p : tensor<1x2x4xf32>
    ```
  }];
  let options = [
    Option<"keepShared", "keep-shared", "bool", "false",
           "Do not fold packing of constants that are also read unpacked">,
  ];
  let dependentDialects = ["::invar::constants::ConstDialect"];
}

def FoldConstantTensorsPass : Pass<"invar-fold-constant-tensors", "::mlir::ModuleOp"> {
  let summary = "move computations of constants to separate functions";
  let description = [{
    Finds the constants (Constness.h) that other operations read. Moves their computation out of
    each public function into `runtime_fold`. The function takes the results as arguments instead,
    each with an id. With `split`, values that are known at compile time move to
    `compiletime_fold`, whose results `runtime_fold` may take too. The function loses arguments
    that nothing else reads.

    One decision for the whole function chooses the values to keep (ConstantGraph.h): their bytes
    exceed those of the cheapest choice by at most `max-growth` percent of the constants. Operations
    stay if they only repeat or rearrange their operand, or if a kernel reads through them. Needs
    nothing; takes time linear in the number of operations, and the time of a minimum cut of the
    constants.

    ```mlir
    func.func @main(%x: tensor<2xf32>, %w: tensor<2xf32>) -> tensor<2xf32>
        attributes {runtime_const_args_index = array<i64: 1>} {
      %0 = arith.mulf %w, %w : tensor<2xf32>
      %1 = arith.addf %x, %0 : tensor<2xf32>
      return %1 : tensor<2xf32>
    }
    // becomes, in part
    func.func @main(%x: tensor<2xf32>, %0: tensor<2xf32> {const.id = 0 : i64}) -> tensor<2xf32> attributes {…runtime_const_args_index = array<i64: 1>} {
    %1 = arith.addf %x, %0 : tensor<2xf32>
    return %1 : tensor<2xf32>
    func.func @runtime_fold(%w: tensor<2xf32>) -> (tensor<2xf32> {const.id = 0 : i64}) attributes {const.fold = "run-once", runtime_const_args_index = array<i64: 0>} {
    %0 = arith.mulf %w, %w : tensor<2xf32>
    return %0 : tensor<2xf32>
    ```
  }];
  let options = [
    Option<"split", "split", "bool", "false",
           "Move compile-time constants to a separate function">,
    Option<"maxGrowth", "max-growth", "uint64_t", "400",
           "Percent of the bytes of constants that may be added to the cheapest choice">,
    Option<"onlyDecoding", "only-decoding", "bool", "false",
           "Move only decoded constants">,
  ];
}

#endif // INVAR_CONSTFOLD_PASSES_TD
