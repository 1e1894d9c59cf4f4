// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In which order the elements of tensors lie while a model runs.
#ifndef INVAR_LAYOUT_PASSES_TD
#define INVAR_LAYOUT_PASSES_TD

include "mlir/Pass/PassBase.td"

def ChannelsLastPass : Pass<"invar-channels-last", "::mlir::func::FuncOp"> {
  let summary = "let channels be the last axis of images";
  let description = [{
    Convolutions and pools read channels next to each other: n h w c. What stands between
    them (elementwise operations, concatenations, reads at computed places) follows, so
    that images are only turned where the model begins and ends, or where a reshape needs
    the order of ONNX. One way from the top; its time is linear in the operations.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"numTurned", "turned", "Number of operations with channels last">,
    Statistic<"numTransposes", "transposes", "Number of transposes added for that">,
  ];
}

def FoldTransposesPass : Pass<"invar-fold-transposes", "::mlir::func::FuncOp"> {
  let summary = "read and write through transposes";
  let description = [{
    A product or reduction that reads a transposed tensor reads the tensor itself, in
    another order; one whose result is only transposed writes it so. Transposes and reshapes
    of constants become constants, which are views.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::invar::constants::ConstDialect"];
}

def PackWeightsPass : Pass<"invar-pack-weights", "::mlir::func::FuncOp"> {
  let summary = "lay weights out as products and convolutions read them";
  let description = [{
    The constant factor of a sum of products is replaced by its panels,
    `[N/panel][K][panel]`, or `[O/panel][kh][kw][C][panel]` of a convolution, and
    `linalg.unpack` of them, through which kernels read without unpacking:

    ```mlir
    %b = const.ref … : tensor<768x3072xf32>
    // becomes
    %p = const.ref … : tensor<96x768x32xf32>
    %b = linalg.unpack %p outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [32]
        into %e : tensor<96x768x32xf32> -> tensor<768x3072xf32>
    ```

    The panels are a view of the constant; nothing is copied before a library is written.
  }];
  let options = [
    Option<"panel", "panel", "int64_t", "32", "Columns of a panel: two vectors">,
  ];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::invar::constants::ConstDialect"];
  let statistics = [
    Statistic<"numPacked", "packed", "Number of constants packed">,
  ];
}

#endif // INVAR_LAYOUT_PASSES_TD
