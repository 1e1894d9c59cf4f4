// RUN: invar-opt --pass-pipeline='builtin.module(func.func(invar-fold-constant-views{keep-shared},cse))' %s | FileCheck %s
// RUN: invar-opt --pass-pipeline='builtin.module(func.func(invar-fold-constant-views))' %s | FileCheck %s --check-prefix=ALL

// What is also read as it is would be stored twice: it is packed when the model first runs,
// from what is read.
// CHECK-LABEL: @shared(
// CHECK: %[[W:.*]] = const.ref {{.*}} : tensor<4x16xf32>
// CHECK: linalg.pack %[[W]] outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [8] {{.*}} : tensor<4x16xf32> -> tensor<2x4x8xf32>
// ALL-LABEL: @shared(
// ALL-NOT: linalg.pack
// ALL: return
func.func @shared() -> (tensor<4x16xf32>, tensor<2x4x8xf32>) {
  %w = const.ref dense<1.0> : tensor<4x16xf32>
  %e = tensor.empty() : tensor<2x4x8xf32>
  %p = linalg.pack %w outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [8] into %e : tensor<4x16xf32> -> tensor<2x4x8xf32>
  return %w, %p : tensor<4x16xf32>, tensor<2x4x8xf32>
}

// What is only packed is packed now, however often.
// CHECK-LABEL: @alone(
// CHECK-NOT: linalg.pack
// CHECK: return
func.func @alone() -> (tensor<2x4x8xf32>, tensor<4x4x4xf32>) {
  %w = const.ref dense<1.0> : tensor<4x16xf32>
  %e = tensor.empty() : tensor<2x4x8xf32>
  %p = linalg.pack %w outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [8] into %e : tensor<4x16xf32> -> tensor<2x4x8xf32>
  %f = tensor.empty() : tensor<4x4x4xf32>
  %q = linalg.pack %w outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [4] into %f : tensor<4x16xf32> -> tensor<4x4x4xf32>
  return %p, %q : tensor<2x4x8xf32>, tensor<4x4x4xf32>
}
