// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of tensors' elements in memory while a model runs.
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

def WinogradPass : Pass<"invar-winograd", "::mlir::func::FuncOp"> {
  let summary = "convolve by fewer products";
  let description = [{
    A convolution of 3 x 3 with a constant filter, of stride and dilation 1 and without
    groups, channels last and of f32, reads a filter that is given back from its transformed
    form U = G g G^T, in panels `[O/panel][m + 2][m + 2][C][panel]` (Support/Winograd.h):

    ```mlir
    %w = const.ref … : tensor<64x64x3x3xf32>
    // becomes
    %g = arith.constant dense<[[0.25, 0.0, 0.0], …]> : tensor<6x3xf32>
    %h = linalg.generic … ins(%w, %g) … -> tensor<64x64x3x6xf32>
    %u = linalg.generic … ins(%g, %h) … -> tensor<64x64x6x6xf32>
    %p = linalg.pack %u … -> tensor<2x6x6x64x32xf32>
    %t = linalg.unpack %p … -> tensor<64x64x6x6xf32>
    %w = linalg.generic … ins(%inverse, %inverse, %t) … {invar.restored_filter}
    ```

    The first four are constant, and folded as others are; kernels read through the last
    two, and compute with the transformed filter itself. Which form is taken, F(2x2, 3x3),
    F(4x4, 3x3) or none, follows from what each would cost, and from the memory that there is
    for filters to grow: it goes to those that save most for each byte. Its time is linear in
    the operations, and sorts the convolutions.
  }];
  let options = [
    Option<"everywhere", "everywhere", "bool", "false",
           "Transform all filters, also where that does not pay">,
    Option<"growth", "growth", "int64_t", "10",
           "By how much transformed filters may grow, in percent of all weights">,
    Option<"allowance", "allowance", "int64_t", "16 << 20",
           "The bytes that they may grow by in any case">,
    Option<"panel", "panel", "int64_t", "32", "Columns of a panel: two vectors">,
    Option<"lanes", "lanes", "int64_t", "16", "Floats of a vector">,
  ];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect", "::invar::constants::ConstDialect"];
  let statistics = [
    Statistic<"numTransformed", "transformed", "Number of convolutions with transformed filters">,
  ];
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

    Packing itself is an operation on the constant, `linalg.pack`: folding computes it once.
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

def LowerPackPass : Pass<"invar-lower-pack", "::mlir::func::FuncOp"> {
  let summary = "say packing as loops";
  let description = [{
    A `linalg.pack` that was not folded becomes a copy, a `linalg.generic` which reads for
    each place of a tile the element that belongs there; what fills up the last tile is a
    `tensor.pad` of what is read.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

#endif // INVAR_LAYOUT_PASSES_TD
