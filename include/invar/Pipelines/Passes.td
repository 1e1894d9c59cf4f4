// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that need the whole compiler.
#ifndef INVAR_PIPELINES_PASSES_TD
#define INVAR_PIPELINES_PASSES_TD

include "mlir/Pass/PassBase.td"

def FoldNowPass : Pass<"invar-fold-now", "::mlir::ModuleOp"> {
  let summary = "compute compile-time constants";
  let description = [{
    Compiles each function that `invar-fold-constant-tensors` made for compile-time constants
    (`const.fold = "compile-time"`), runs it on this machine, and replaces the arguments that
    stand for its results by constants. A function that depends on weights which only a run
    has becomes a run-once function. Needs outlined kernels; its time is that of compiling and
    running them.

    ```mlir
    func.func @main(%0: tensor<2xf32> {const.id = 0 : i64}) -> tensor<2xf32> {
      return %0 : tensor<2xf32>
    }
    func.func @compiletime_fold() -> (tensor<2xf32> {const.id = 0 : i64})
        attributes {const.fold = "compile-time"} {
      %0 = const.ref dense<[1.0, 2.0]> : tensor<2xf32>
      return %0 : tensor<2xf32>
    }
    // becomes
    func.func @main() -> tensor<2xf32> {
      %0 = const.ref dense<[1.0, 2.0]> : tensor<2xf32>
      return %0 : tensor<2xf32>
    }
    ```
  }];
  let options = [
    Option<"threads", "threads", "unsigned", "0", "Number of threads; 0 is all cores">,
  ];
  let dependentDialects = ["::invar::constants::ConstDialect"];
}

#endif // INVAR_PIPELINES_PASSES_TD
