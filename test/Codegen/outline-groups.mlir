// RUN: invar-opt --invar-outline-kernels %s | FileCheck %s

// Which operations become one kernel, and what is left of those that prepare operands.

#id = affine_map<(i, j) -> (i, j)>
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#turned = affine_map<(i, j) -> (j, i)>

// What another operand of the epilogue is made of is no part of the product's kernel: it has
// no place among the loops of the product.
// CHECK-LABEL: func.func @product_and_residual(
// CHECK: %[[TURNED:.*]] = call @kernel_{{[0-9]+}}(%arg2,
// CHECK: %[[Y:.*]] = call @kernel_{{[0-9]+}}(%arg0, %arg1, %[[TURNED]],
// CHECK-NEXT: return %[[Y]]
func.func @product_and_residual(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %z: tensor<16x4xf32>)
    -> tensor<4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16xf32>
  %t = linalg.generic {indexing_maps = [#turned, #id], iterator_types = ["parallel", "parallel"]}
      ins(%z : tensor<16x4xf32>) outs(%e : tensor<4x16xf32>) {
  ^bb0(%in: f32, %o: f32):
    linalg.yield %in : f32
  } -> tensor<4x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %p = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%init : tensor<4x16xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %m = arith.mulf %l, %r : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<4x16xf32>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %t : tensor<4x16xf32>, tensor<4x16xf32>) outs(%e : tensor<4x16xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %s = arith.addf %l, %r : f32
    linalg.yield %s : f32
  } -> tensor<4x16xf32>
  return %y : tensor<4x16xf32>
}

// Slices of slices become one, and what computes its place is arith.
// CHECK-LABEL: func.func @slice_of_slice(
// CHECK-NOT: affine.apply
// CHECK: return
func.func @slice_of_slice(%x: tensor<?xf32>, %n: index, %k: index) -> tensor<1xf32> {
  %a = tensor.extract_slice %x[%k] [%n] [2] : tensor<?xf32> to tensor<?xf32>
  %b = tensor.extract_slice %a[%n] [1] [1] : tensor<?xf32> to tensor<1xf32>
  return %b : tensor<1xf32>
}

// A kernel reads through one view: the border is seen by the kernel, and the part, which is contiguous, is its argument.
#image = affine_map<(n, h, w, i, j) -> (n, h + i, w + j)>
#taps = affine_map<(n, h, w, i, j) -> (i, j)>
#places = affine_map<(n, h, w, i, j) -> (n, h, w)>
// CHECK-LABEL: func.func @border_of_a_part(
// CHECK: %[[PART:.*]] = tensor.extract_slice %arg0
// CHECK: call @kernel_{{[0-9]+}}(%[[PART]],
func.func @border_of_a_part(%x: tensor<4x5x6xf32>, %n: index) -> tensor<?x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %part = tensor.extract_slice %x[1, 0, 0] [%n, 5, 6] [1, 1, 1] : tensor<4x5x6xf32> to tensor<?x5x6xf32>
  %wide = tensor.pad %part low[0, 1, 1] high[0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<?x5x6xf32> to tensor<?x7x8xf32>
  %window = tensor.empty() : tensor<3x3xf32>
  %e = tensor.empty(%n) : tensor<?x5x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<?x5x6xf32>) -> tensor<?x5x6xf32>
  %y = linalg.generic {indexing_maps = [#image, #taps, #places],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%wide, %window : tensor<?x7x8xf32>, tensor<3x3xf32>) outs(%init : tensor<?x5x6xf32>) {
  ^bb0(%in: f32, %w: f32, %o: f32):
    %s = arith.addf %o, %in : f32
    linalg.yield %s : f32
  } -> tensor<?x5x6xf32>
  return %y : tensor<?x5x6xf32>
}
