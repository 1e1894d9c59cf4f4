// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constant tensors, computed once (docs/Rationale/ConstantTensors.md).
#ifndef INVAR_CONSTFOLD_PASSES_TD
#define INVAR_CONSTFOLD_PASSES_TD

include "mlir/Pass/PassBase.td"

def AnalyzeConstnessPass : Pass<"invar-analyze-constness", "::mlir::ModuleOp"> {
  let summary = "find what stays the same from run to run";
  let description = [{
    States of each operation with results how constant these are, in the attribute
    `constness`: `literal`, `compile-time`, `run-once` or `variable` (Constness.h). With
    `print-constness` it prints that, and that of arguments, and changes nothing.
  }];
  let options = [
    Option<"print", "print-constness", "bool", "false",
           "Print each value with its constness instead">,
  ];
}

def FoldConstantTensorsPass : Pass<"invar-fold-constant-tensors", "::mlir::ModuleOp"> {
  let summary = "compute constant tensors once, in functions of their own";
  let description = [{
    What is constant (Constness.h) and read by something that is not moves out of each public
    function, with all that computes it, into `runtime_fold`; the function takes the results
    as arguments instead, each with an id. With `split`, what is known when compiling moves
    into `compiletime_fold`, whose results `runtime_fold` may take too. Arguments that nothing
    else reads are the function's no longer.

    Which values are kept is one decision (ConstantGraph.h): the bytes that are kept exceed
    those of the cheapest choice by `max-growth` percent of the constants at most. What only
    repeats or arranges what it reads, and what a kernel reads through, stays.

    ```mlir
    func.func @main(%x: tensor<2xf32>, %w: tensor<2xf32>) -> tensor<2xf32>
        attributes {runtime_const_args_index = array<i64: 1>} {
      %0 = arith.mulf %w, %w : tensor<2xf32>
      %1 = arith.addf %x, %0 : tensor<2xf32>
      return %1 : tensor<2xf32>
    }
    // becomes
    func.func @main(%x: tensor<2xf32>, %0: tensor<2xf32> {const.id = 0 : i64}) -> tensor<2xf32>
        attributes {runtime_const_args_index = array<i64: 1>} {
      %1 = arith.addf %x, %0 : tensor<2xf32>
      return %1 : tensor<2xf32>
    }
    func.func @runtime_fold(%w: tensor<2xf32>) -> (tensor<2xf32> {const.id = 0 : i64})
        attributes {const.fold = "run-once", runtime_const_args_index = array<i64: 0>} {
      %0 = arith.mulf %w, %w : tensor<2xf32>
      return %0 : tensor<2xf32>
    }
    ```
  }];
  let options = [
    Option<"split", "split", "bool", "false",
           "Move what is known when compiling to a function of its own">,
    Option<"maxGrowth", "max-growth", "uint64_t", "400",
           "Percent of the constants' bytes that may be spent beyond the cheapest choice">,
  ];
  let statistics = [
    Statistic<"numFolded", "folded", "Number of values that are computed once">,
  ];
}

#endif // INVAR_CONSTFOLD_PASSES_TD
