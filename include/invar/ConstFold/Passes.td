// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constant tensors that are computed once (docs/Rationale/ConstantTensors.md).
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

def PostponeExpansionPass : Pass<"invar-postpone-expansion", "::mlir::func::FuncOp"> {
  let summary = "make constants larger as late as possible";
  let description = [{
    Of constants (Constness.h), what repeats, pads or extends moves behind what computes with
    it, so that the rest is done on fewer or narrower elements, and can be kept so:

    - broadcasts, tiles and tensors of one number move behind what computes element by
      element, where all operands are the same along what they repeat;
    - a border of one number moves there where all operands have the same border, and where
      what is computed from the border is one number again;
    - what makes wider elements of narrow ones, such as a dequantization, moves behind what
      brings elements to other places, with its scales and zero points.

    The sizes that are repeated along may be open; the others have to be known. All moves are
    exact. No element is computed more often than before, and each move lowers the bytes that
    are written (Postpone.h), so that a second run finds nothing. One way from the top; its
    time is linear in the operations. With `explain`, a remark says why something stays.

    ```mlir
    %b = linalg.broadcast ins(%w : tensor<8xf16>) outs(%e : tensor<4x8xf16>) dimensions = [0]
    %x = arith.extf %b : tensor<4x8xf16> to tensor<4x8xf32>
    // becomes
    %s = linalg.generic … ins(%w : tensor<8xf16>) outs(… : tensor<8xf32>) { arith.extf }
    %x = linalg.generic {indexing_maps = [(i, j) -> (j), (i, j) -> (i, j)], …}
        ins(%s : tensor<8xf32>) outs(… : tensor<4x8xf32>) { linalg.yield }
    ```
  }];
  let options = [
    Option<"explain", "explain", "bool", "false",
           "Say in a remark why an expansion stays in front of an operation">,
  ];
  let statistics = [
    Statistic<"numRepeats", "repeats", "Number of operations that repeats moved behind">,
    Statistic<"numPads", "pads", "Number of operations that pads moved behind">,
    Statistic<"numExtensions", "extensions",
              "Number of operations that extensions moved behind">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def FoldConstantViewsPass : Pass<"invar-fold-constant-views", "::mlir::func::FuncOp"> {
  let summary = "let constants in another order be constants";
  let description = [{
    `linalg.pack` of a `const.ref` becomes a `const.ref`, whose content is a view of the
    first one's: nothing is copied before a library is written, and nothing is generated for
    it.

    With `keep-shared`, that is not done where the constant is also read as it is, perhaps
    transposed, as weights are of which an embedding is tied to a product: it would be stored
    twice. Then what is packed is the very constant that is read.
  }];
  let options = [
    Option<"keepShared", "keep-shared", "bool", "false",
           "Leave what is packed of constants that are also read as they are">,
  ];
  let statistics = [
    Statistic<"numFolded", "folded", "Number of operations that became constants">,
  ];
  let dependentDialects = ["::invar::constants::ConstDialect"];
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
    Option<"onlyDecoding", "only-decoding", "bool", "false",
           "Move nothing but constants that are decoded">,
  ];
  let statistics = [
    Statistic<"numFolded", "folded", "Number of values that are computed once">,
  ];
}

#endif // INVAR_CONSTFOLD_PASSES_TD
