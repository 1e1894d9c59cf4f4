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

#endif // INVAR_CONSTFOLD_PASSES_TD
