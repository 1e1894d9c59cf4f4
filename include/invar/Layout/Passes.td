// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of tensors' elements in memory while a model runs.
#ifndef INVAR_LAYOUT_PASSES_TD
#define INVAR_LAYOUT_PASSES_TD

include "mlir/Pass/PassBase.td"

def ChannelsLastPass : Pass<"invar-channels-last", "::mlir::func::FuncOp"> {
  let summary = "make channels the last axis of images";
  let description = [{
    Rebuilds convolutions and pools so that channels are adjacent in memory: n h w c. Operations
    between them (elementwise operations, concatenations, reads at computed positions) follow.
    Images are then transposed only at the beginning and at the end of the model, and where a
    reshape needs the order of ONNX. Needs nothing; takes time linear in the number of operations.

    ```mlir
    func.func @main(%x: tensor<1x8x6x6xf32>, %y: tensor<1x32x4x4xf32>) -> tensor<1x32x4x4xf32> {
      %w = const.ref dense<1.0> : tensor<32x8x3x3xf32>
      %0 = linalg.generic {
          indexing_maps = [affine_map<(n, o, h, w, c, i, j) -> (n, c, h + i, w + j)>,
                           affine_map<(n, o, h, w, c, i, j) -> (o, c, i, j)>,
                           affine_map<(n, o, h, w, c, i, j) -> (n, o, h, w)>],
          iterator_types = ["parallel", "parallel", "parallel", "parallel",
                            "reduction", "reduction", "reduction"]}
          ins(%x, %w : tensor<1x8x6x6xf32>, tensor<32x8x3x3xf32>)
          outs(%y : tensor<1x32x4x4xf32>) {
      ^bb0(%a: f32, %b: f32, %s: f32):
        %1 = arith.mulf %a, %b : f32
        %2 = arith.addf %s, %1 : f32
        linalg.yield %2 : f32
      } -> tensor<1x32x4x4xf32>
      return %0 : tensor<1x32x4x4xf32>
    }
    // becomes, in part
    %t = linalg.generic … ins(%x : tensor<1x8x6x6xf32>) outs(%e : tensor<1x6x6x8xf32>) {
    %0 = linalg.generic … ins(%t, %w : tensor<1x6x6x8xf32>, tensor<32x8x3x3xf32>) outs(%y : tensor<1x4x4x32xf32>) {
    %1 = linalg.generic … ins(%0 : tensor<1x4x4x32xf32>) outs(%f : tensor<1x32x4x4xf32>) {
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def FoldTransposesPass : Pass<"invar-fold-transposes", "::mlir::func::FuncOp"> {
  let summary = "read and write through transposes";
  let description = [{
    Lets a product or a reduction read the source of a transposed tensor, with other indexing maps,
    and write its result transposed if nothing else uses it. Transposes and reshapes of constants
    become constants, which are views. Needs nothing; takes time linear in the number of
    operations.

    ```mlir
    func.func @main(%x: tensor<4x3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
      %e = tensor.empty() : tensor<3x4xf32>
      %t = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
          iterator_types = ["parallel", "parallel"]}
          ins(%x : tensor<4x3xf32>) outs(%e : tensor<3x4xf32>) {
      ^bb0(%a: f32, %b: f32):
        linalg.yield %a : f32
      } -> tensor<3x4xf32>
      %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
          iterator_types = ["parallel", "reduction"]}
          ins(%t : tensor<3x4xf32>) outs(%y : tensor<3xf32>) {
      ^bb0(%a: f32, %s: f32):
        %1 = arith.addf %s, %a : f32
        linalg.yield %1 : f32
      } -> tensor<3xf32>
      return %0 : tensor<3xf32>
    }
    // becomes, in part
    %0 = linalg.generic … ins(%x : tensor<4x3xf32>) outs(%y : tensor<3xf32>) {
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::invar::constants::ConstDialect"];
}

def WinogradPass : Pass<"invar-winograd", "::mlir::func::FuncOp"> {
  let summary = "compute 3 x 3 convolutions with fewer products";
  let description = [{
    Changes a convolution of 3 x 3 with a constant filter (Constness.h), stride and dilation 1,
    without groups, channels last and of f32. It reads a filter that is restored from its
    transformed form U = G g G^T, which is stored in panels `[O/panel][m + 2][m + 2][C][panel]`
    (Winograd/Winograd.h). The packing and the transformation are constants, and are folded like
    others. Kernels read through the restoration and compute with U itself.

    The cost of each form and the memory that filters may grow by decide between F(2x2, 3x3),
    F(4x4, 3x3) and none; filters that save most time per byte come first. Needs
    `invar-channels-last`; takes time linear in the number of operations, and sorts the
    convolutions.

    ```mlir
    // with everywhere=true
    func.func @main(%x: tensor<1x6x6x8xf32>) -> tensor<1x4x4x32xf32> {
      %z = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<1x4x4x32xf32>
      %y = linalg.fill ins(%z : f32) outs(%e : tensor<1x4x4x32xf32>) -> tensor<1x4x4x32xf32>
      %w = const.ref dense<1.0> : tensor<32x8x3x3xf32>
      %0 = linalg.generic {
          indexing_maps = [affine_map<(n, o, h, w, c, i, j) -> (n, h + i, w + j, c)>,
                           affine_map<(n, o, h, w, c, i, j) -> (o, c, i, j)>,
                           affine_map<(n, o, h, w, c, i, j) -> (n, h, w, o)>],
          iterator_types = ["parallel", "parallel", "parallel", "parallel",
                            "reduction", "reduction", "reduction"]}
          ins(%x, %w : tensor<1x6x6x8xf32>, tensor<32x8x3x3xf32>)
          outs(%y : tensor<1x4x4x32xf32>) {
      ^bb0(%a: f32, %b: f32, %s: f32):
        %1 = arith.mulf %a, %b : f32
        %2 = arith.addf %s, %1 : f32
        linalg.yield %2 : f32
      } -> tensor<1x4x4x32xf32>
      return %0 : tensor<1x4x4x32xf32>
    }
    // becomes, in part
    %p = linalg.pack %w outer_dims_perm = [0, 2, 3, 1] inner_dims_pos = [0] inner_tiles = [32] into %e : tensor<32x8x3x3xf32> -> tensor<1x3x3x8x32xf32>
    %u = linalg.generic … ins(%p, %g : tensor<1x3x3x8x32xf32>, tensor<4x4x3x3xf32>) outs(%f : tensor<1x4x4x8x32xf32>) {
    %t = linalg.unpack %u outer_dims_perm = [0, 2, 3, 1] inner_dims_pos = [0] inner_tiles = [32] into %h : tensor<1x4x4x8x32xf32> -> tensor<32x8x4x4xf32>
    %v = linalg.generic … ins(%a, %a, %t : tensor<3x4xf32>, tensor<3x4xf32>, tensor<32x8x4x4xf32>) outs(%z : tensor<32x8x3x3xf32>) attrs =  {invar.restored_filter} {
    %0 = linalg.generic … ins(%x, %v : tensor<1x6x6x8xf32>, tensor<32x8x3x3xf32>) outs(%y : tensor<1x4x4x32xf32>) {
    ```
  }];
  let options = [
    Option<"everywhere", "everywhere", "bool", "false",
           "Transform all filters, even if that is slower">,
    Option<"growth", "growth", "int64_t", "10",
           "How much transformed filters may grow, in percent of all weights">,
    Option<"allowance", "allowance", "int64_t", "16 << 20",
           "The bytes that they may always grow by">,
    Option<"panel", "panel", "int64_t", "32", "Columns of a panel">,
    Option<"narrowestPanel", "narrowest-panel", "int64_t", "8",
           "The least that panels are halved to if there are few columns">,
    Option<"lanes", "lanes", "int64_t", "16", "Floats of a vector">,
  ];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect", "::invar::constants::ConstDialect"];
}

def PackWeightsPass : Pass<"invar-pack-weights", "::mlir::func::FuncOp"> {
  let summary = "store weights as kernels read them";
  let description = [{
    Replaces the constant factor (Constness.h) of a sum of products by its panels,
    `[N/panel][K][panel]`, or `[O/panel][kh][kw][C][panel]` for a convolution, and `linalg.unpack`
    of them. Kernels read through the `linalg.unpack` without unpacking. The packing itself is an
    operation on the constant, `linalg.pack`, which is folded once. Needs `invar-channels-last` for
    convolutions; takes time linear in the number of operations.

    ```mlir
    func.func @main(%x: tensor<1x6x6x8xf32>, %y: tensor<1x4x4x32xf32>) -> tensor<1x4x4x32xf32> {
      %w = const.ref dense<1.0> : tensor<32x8x3x3xf32>
      %0 = linalg.generic {
          indexing_maps = [affine_map<(n, o, h, w, c, i, j) -> (n, h + i, w + j, c)>,
                           affine_map<(n, o, h, w, c, i, j) -> (o, c, i, j)>,
                           affine_map<(n, o, h, w, c, i, j) -> (n, h, w, o)>],
          iterator_types = ["parallel", "parallel", "parallel", "parallel",
                            "reduction", "reduction", "reduction"]}
          ins(%x, %w : tensor<1x6x6x8xf32>, tensor<32x8x3x3xf32>)
          outs(%y : tensor<1x4x4x32xf32>) {
      ^bb0(%a: f32, %b: f32, %s: f32):
        %1 = arith.mulf %a, %b : f32
        %2 = arith.addf %s, %1 : f32
        linalg.yield %2 : f32
      } -> tensor<1x4x4x32xf32>
      return %0 : tensor<1x4x4x32xf32>
    }
    // becomes, in part
    %p = linalg.pack %w outer_dims_perm = [0, 2, 3, 1] inner_dims_pos = [0] inner_tiles = [32] into %e : tensor<32x8x3x3xf32> -> tensor<1x3x3x8x32xf32>
    %u = linalg.unpack %p outer_dims_perm = [0, 2, 3, 1] inner_dims_pos = [0] inner_tiles = [32] into %f : tensor<1x3x3x8x32xf32> -> tensor<32x8x3x3xf32>
    %0 = linalg.generic … ins(%x, %u : tensor<1x6x6x8xf32>, tensor<32x8x3x3xf32>) outs(%y : tensor<1x4x4x32xf32>) {
    ```
  }];
  let options = [
    Option<"panel", "panel", "int64_t", "32", "Columns of a panel">,
    Option<"narrowestPanel", "narrowest-panel", "int64_t", "8",
           "The least that panels are halved to if there are few columns">,
  ];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::invar::constants::ConstDialect"];
}

def LowerPackPass : Pass<"invar-lower-pack", "::mlir::func::FuncOp"> {
  let summary = "lower packing to loops";
  let description = [{
    Replaces each `linalg.pack` that was not folded by a copy: a `linalg.generic` that reads the
    element for each position of a tile. If the last tile is not full, it reads a `tensor.pad` of
    the operand. Needs nothing; takes time linear in the number of operations.

    ```mlir
    func.func @main(%w: tensor<2x4xf32>) -> tensor<1x2x4xf32> {
      %e = tensor.empty() : tensor<1x2x4xf32>
      %p = linalg.pack %w outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [4] into %e
          : tensor<2x4xf32> -> tensor<1x2x4xf32>
      return %p : tensor<1x2x4xf32>
    }
    // becomes
    func.func @main(%w: tensor<2x4xf32>) -> tensor<1x2x4xf32> {
      %e = tensor.empty() : tensor<1x2x4xf32>
      %p = linalg.generic {
          indexing_maps = [affine_map<(a, b, c) -> (b, a * 4 + c)>, affine_map<(a, b, c) -> (a, b, c)>],
          iterator_types = ["parallel", "parallel", "parallel"]}
          ins(%w : tensor<2x4xf32>) outs(%e : tensor<1x2x4xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<1x2x4xf32>
      return %p : tensor<1x2x4xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

#endif // INVAR_LAYOUT_PASSES_TD
