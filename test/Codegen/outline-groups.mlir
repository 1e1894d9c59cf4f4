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
