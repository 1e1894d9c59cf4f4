// RUN: invar-opt --invar-outline-kernels %s | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// A softmax without its maximum: what shares the loop over rows is one kernel, which is given
// the tensor that it writes.
// CHECK-LABEL: func.func @rows(
// CHECK: %[[TO:.*]] = tensor.empty(%{{.*}}) : tensor<?x8xf32>
// CHECK-NEXT: call @kernel_0(%arg0, %{{.*}}, %[[TO]])
// CHECK-NEXT: return
func.func @rows(%x: tensor<?x8xf32>, %n: index) -> tensor<?x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?x8xf32>
  %s = tensor.empty(%n) : tensor<?xf32>
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.exp %a : f32
    linalg.yield %r : f32
  } -> tensor<?x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%s : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%exp : tensor<?x8xf32>) outs(%init : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%exp, %sum : tensor<?x8xf32>, tensor<?xf32>) outs(%e : tensor<?x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// Equal kernels are one, whoever calls them.
// CHECK-LABEL: func.func @twice(
// CHECK: call @kernel_1(
// CHECK: call @kernel_1(
func.func @twice(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %o: f32):
    %r = arith.negf %in : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  %seen = tensor.cast %a : tensor<4x8xf32> to tensor<?x8xf32>
  %again = tensor.cast %seen : tensor<?x8xf32> to tensor<4x8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%again : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %o: f32):
    %r = arith.negf %in : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %b : tensor<4x8xf32>
}

// A part that a call wants is copied; a part that a kernel reads is not.
// CHECK-LABEL: func.func @parts(
// CHECK-NOT: tensor.extract_slice
// CHECK: call @kernel_{{[0-9]+}}(%arg0,
// CHECK: return
func.func @parts(%x: tensor<4x8xf32>) -> tensor<4x4xf32> {
  %part = tensor.extract_slice %x[0, 2] [4, 4] [1, 1] : tensor<4x8xf32> to tensor<4x4xf32>
  return %part : tensor<4x4xf32>
}

// CHECK: func.func private @kernel_0({{.*}}) -> tensor<?x8xf32> attributes {invar.in_place = array<i64: 0>, invar.kernel, invar.results = 1 : i64}
// CHECK-COUNT-3: linalg.generic
// CHECK: func.func private @kernel_1(
// CHECK: func.func private @kernel_2(
// CHECK: tensor.extract_slice
// CHECK-NOT: func.func
