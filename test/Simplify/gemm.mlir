// RUN: invar-opt --invar-simplify %s | FileCheck %s
// RUN: invar-opt --invar-simplify=opset=10 %s | FileCheck %s --check-prefix=OLD

!x = tensor<?x2xf32>
!w = tensor<2x3xf32>
!wt = tensor<3x2xf32>
!y = tensor<?x3xf32>
!c = tensor<3xf32>

// CHECK-LABEL: @make_gemm(
// CHECK-SAME: %[[X:[^:]*]]: {{.*}}, %[[W:[^:]*]]: {{.*}}, %[[B:[^:]*]]: tensor<3xf32>
// CHECK-NEXT: %[[Y:.*]] = onnx.Gemm(%[[X]], %[[W]], %[[B]])
// CHECK-NEXT: return %[[Y]]
func.func @make_gemm(%x: !x, %w: !w, %b: !c) -> !y {
  %0 = onnx.MatMul(%x, %w) : (!x, !w) -> !y
  %1 = onnx.Add(%b, %0) : (!c, !y) -> !y
  return %1 : !y
}

// The sum may have more rows than the product.
// CHECK-LABEL: @make_gemm_refused(
// CHECK: onnx.MatMul(
func.func @make_gemm_refused(%x: tensor<1x2xf32>, %w: !w, %b: !y) -> !y {
  %0 = onnx.MatMul(%x, %w) : (tensor<1x2xf32>, !w) -> tensor<1x3xf32>
  %1 = onnx.Add(%0, %b) : (tensor<1x3xf32>, !y) -> !y
  return %1 : !y
}

// A Reshape would be needed.
// CHECK-LABEL: @make_gemm_refused_rank(
// CHECK: onnx.MatMul(
func.func @make_gemm_refused_rank(%x: tensor<?x4x2xf32>, %w: !w, %b: !c) -> tensor<?x4x3xf32> {
  %0 = onnx.MatMul(%x, %w) : (tensor<?x4x2xf32>, !w) -> tensor<?x4x3xf32>
  %1 = onnx.Add(%0, %b) : (tensor<?x4x3xf32>, !c) -> tensor<?x4x3xf32>
  return %1 : tensor<?x4x3xf32>
}

// A product of constants is computed once.
// CHECK-LABEL: @make_gemm_refused_constant(
// CHECK: %[[C:.*]] = onnx.Constant {{.*}}dense<{{\[\[}}7.000000e+00, 1.000000e+01]]> : tensor<1x2xf32>
// CHECK-NEXT: onnx.Add(%{{.*}}, %[[C]])
func.func @make_gemm_refused_constant(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %a = onnx.Constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %b = onnx.Constant dense<[[3.0, 4.0], [2.0, 3.0]]> : tensor<2x2xf32>
  %0 = onnx.MatMul(%a, %b) : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  %1 = onnx.Add(%x, %0) : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  return %1 : tensor<1x2xf32>
}

// CHECK-LABEL: @summand_up(
// CHECK: %[[SUM:.*]] = onnx.Gemm(
// CHECK: onnx.Reshape(%[[SUM]],
// CHECK-NOT: onnx.Add(
// CHECK: return
func.func @summand_up(%x: !x, %w: !w) -> tensor<?x1x3xf32> {
  %b = onnx.Constant dense<[1.0, 2.0, 3.0]> : !c
  %shape = onnx.Constant dense<[-1, 1, 3]> : tensor<3xi64>
  %0 = onnx.MatMul(%x, %w) : (!x, !w) -> !y
  %1 = onnx.Reshape(%0, %shape) : (!y, tensor<3xi64>) -> tensor<?x1x3xf32>
  %2 = onnx.Add(%1, %b) : (tensor<?x1x3xf32>, !c) -> tensor<?x1x3xf32>
  return %2 : tensor<?x1x3xf32>
}

// The last axis is another one.
// CHECK-LABEL: @summand_up_refused(
// CHECK: onnx.Add(
func.func @summand_up_refused(%x: tensor<2x2xf32>, %w: !w) -> tensor<3x2xf32> {
  %b = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  %shape = onnx.Constant dense<[3, 2]> : tensor<2xi64>
  %0 = onnx.MatMul(%x, %w) : (tensor<2x2xf32>, !w) -> tensor<2x3xf32>
  %1 = onnx.Reshape(%0, %shape) : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<3x2xf32>
  %2 = onnx.Add(%1, %b) : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  return %2 : tensor<3x2xf32>
}

// CHECK-LABEL: @make_gemm_of_transposed(
// CHECK-SAME: %[[X:[^:]*]]: {{.*}}, %[[W:[^:]*]]: tensor<3x2xf32>
// CHECK-NEXT: %[[Y:.*]] = onnx.Gemm(%[[X]], %[[W]]) {transB = 1 : i64}
// CHECK-NEXT: return %[[Y]]
// OLD-LABEL: @make_gemm_of_transposed(
// OLD: onnx.MatMul(
func.func @make_gemm_of_transposed(%x: !x, %w: !wt) -> !y {
  %0 = onnx.Transpose(%w) : (!wt) -> !w
  %1 = onnx.MatMul(%x, %0) : (!x, !w) -> !y
  return %1 : !y
}

// A weight that is stored anyway is not stored transposed too.
// CHECK-LABEL: @make_gemm_of_transposed_shared(
// CHECK: %[[W:.*]] = onnx.Constant
// CHECK-NOT: onnx.Constant
// CHECK: onnx.Gemm(%{{.*}}, %[[W]]) {transB = 1 : i64}
func.func @make_gemm_of_transposed_shared(%x: !x, %z: !y) -> (!y, !x) {
  %w = onnx.Constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : !wt
  %0 = onnx.Transpose(%w) : (!wt) -> !w
  %1 = onnx.MatMul(%x, %0) : (!x, !w) -> !y
  %2 = onnx.MatMul(%z, %w) : (!y, !wt) -> !x
  return %1, %2 : !y, !x
}

// The transposed is wanted itself.
// CHECK-LABEL: @make_gemm_of_transposed_refused(
// CHECK: onnx.MatMul(
func.func @make_gemm_of_transposed_refused(%x: !x, %w: !wt) -> (!y, !w) {
  %0 = onnx.Transpose(%w) : (!wt) -> !w
  %1 = onnx.MatMul(%x, %0) : (!x, !w) -> !y
  return %1, %0 : !y, !w
}

// CHECK-LABEL: @fuse_mul_of_sum(
// CHECK-DAG: %[[W:.*]] = onnx.Constant {{.*}}dense<{{\[\[}}2.000000e+00, 4.000000e+00], [6.000000e+00, 8.000000e+00]]>
// CHECK-DAG: %[[B:.*]] = onnx.Constant {{.*}}dense<[1.000000e+01, 1.200000e+01]>
// CHECK: %[[Y:.*]] = onnx.MatMul(%{{.*}}, %[[W]])
// CHECK: onnx.Add(%[[Y]], %[[B]])
// CHECK-NOT: onnx.Mul(
// CHECK: return
func.func @fuse_mul_of_sum(%x: tensor<?x4x2xf32>) -> tensor<?x4x2xf32> {
  %w = onnx.Constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = onnx.Constant dense<[5.0, 6.0]> : tensor<2xf32>
  %c = onnx.Constant dense<2.0> : tensor<f32>
  %0 = onnx.MatMul(%x, %w) : (tensor<?x4x2xf32>, tensor<2x2xf32>) -> tensor<?x4x2xf32>
  %1 = onnx.Add(%0, %b) : (tensor<?x4x2xf32>, tensor<2xf32>) -> tensor<?x4x2xf32>
  %2 = onnx.Mul(%1, %c) : (tensor<?x4x2xf32>, tensor<f32>) -> tensor<?x4x2xf32>
  return %2 : tensor<?x4x2xf32>
}

// Rows are scaled, not channels.
// CHECK-LABEL: @fuse_mul_of_sum_refused(
// CHECK: onnx.Mul(
func.func @fuse_mul_of_sum_refused(%x: tensor<?x2x2xf32>) -> tensor<?x2x2xf32> {
  %w = onnx.Constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = onnx.Constant dense<[5.0, 6.0]> : tensor<2xf32>
  %c = onnx.Constant dense<[[2.0], [3.0]]> : tensor<2x1xf32>
  %0 = onnx.MatMul(%x, %w) : (tensor<?x2x2xf32>, tensor<2x2xf32>) -> tensor<?x2x2xf32>
  %1 = onnx.Add(%0, %b) : (tensor<?x2x2xf32>, tensor<2xf32>) -> tensor<?x2x2xf32>
  %2 = onnx.Mul(%1, %c) : (tensor<?x2x2xf32>, tensor<2x1xf32>) -> tensor<?x2x2xf32>
  return %2 : tensor<?x2x2xf32>
}

// CHECK-LABEL: @fuse_div_of_sum(
// CHECK-DAG: %[[W:.*]] = onnx.Constant {{.*}}dense<{{\[\[}}1.000000e+00, 4.000000e+00], [3.000000e+00, 8.000000e+00]]>
// CHECK-DAG: %[[B:.*]] = onnx.Constant {{.*}}dense<[5.000000e+00, 2.000000e+00]>
// CHECK: %[[Y:.*]] = onnx.MatMul(%{{.*}}, %[[W]])
// CHECK: onnx.Add(%[[Y]], %[[B]])
// CHECK-NOT: onnx.Div(
// CHECK: return
func.func @fuse_div_of_sum(%x: tensor<?x4x2xf32>) -> tensor<?x4x2xf32> {
  %w = onnx.Constant dense<[[3.0, 12.0], [9.0, 24.0]]> : tensor<2x2xf32>
  %b = onnx.Constant dense<[15.0, 6.0]> : tensor<2xf32>
  %c = onnx.Constant dense<3.0> : tensor<2xf32>
  %0 = onnx.MatMul(%x, %w) : (tensor<?x4x2xf32>, tensor<2x2xf32>) -> tensor<?x4x2xf32>
  %1 = onnx.Add(%0, %b) : (tensor<?x4x2xf32>, tensor<2xf32>) -> tensor<?x4x2xf32>
  %2 = onnx.Div(%1, %c) : (tensor<?x4x2xf32>, tensor<2xf32>) -> tensor<?x4x2xf32>
  return %2 : tensor<?x4x2xf32>
}

// The summand is wanted as it is.
// CHECK-LABEL: @fuse_div_of_sum_refused(
// CHECK: onnx.Div(
func.func @fuse_div_of_sum_refused(%x: tensor<?x4x2xf32>) -> (tensor<?x4x2xf32>, tensor<2xf32>) {
  %w = onnx.Constant dense<[[3.0, 12.0], [9.0, 24.0]]> : tensor<2x2xf32>
  %b = onnx.Constant dense<[15.0, 6.0]> : tensor<2xf32>
  %c = onnx.Constant dense<3.0> : tensor<2xf32>
  %0 = onnx.MatMul(%x, %w) : (tensor<?x4x2xf32>, tensor<2x2xf32>) -> tensor<?x4x2xf32>
  %1 = onnx.Add(%0, %b) : (tensor<?x4x2xf32>, tensor<2xf32>) -> tensor<?x4x2xf32>
  %2 = onnx.Div(%1, %c) : (tensor<?x4x2xf32>, tensor<2xf32>) -> tensor<?x4x2xf32>
  return %2, %b : tensor<?x4x2xf32>, tensor<2xf32>
}

// Groups of the operand's channels lie along the weights' first axis: 1*5, 2*6 and 3*7, 4*8.
// CHECK-LABEL: @fuse_mul_of_operand(
// CHECK-SAME: %[[X:[^:]*]]:
// CHECK: %[[W:.*]] = onnx.Constant {{.*}}dense<{{\[\[\[}}5.000000e+00], [1.200000e+01]], {{\[\[}}2.100000e+01], [3.200000e+01]]]>
// CHECK-NEXT: onnx.Conv(%[[X]], %[[W]]) {group = 2 : i64}
func.func @fuse_mul_of_operand(%x: tensor<?x4x?xf32>) -> tensor<?x2x?xf32> {
  %w = onnx.Constant dense<[[[1.0], [2.0]], [[3.0], [4.0]]]> : tensor<2x2x1xf32>
  %c = onnx.Constant dense<[[5.0], [6.0], [7.0], [8.0]]> : tensor<4x1xf32>
  %0 = onnx.Mul(%x, %c) : (tensor<?x4x?xf32>, tensor<4x1xf32>) -> tensor<?x4x?xf32>
  %1 = onnx.Conv(%0, %w) {group = 2 : i64} : (tensor<?x4x?xf32>, tensor<2x2x1xf32>) -> tensor<?x2x?xf32>
  return %1 : tensor<?x2x?xf32>
}

// Pixels are scaled, not channels.
// CHECK-LABEL: @fuse_mul_of_operand_refused(
// CHECK: onnx.Mul(
func.func @fuse_mul_of_operand_refused(%x: tensor<?x2x2xf32>) -> tensor<?x2x2xf32> {
  %w = onnx.Constant dense<[[[1.0], [2.0]], [[3.0], [4.0]]]> : tensor<2x2x1xf32>
  %c = onnx.Constant dense<[5.0, 6.0]> : tensor<2xf32>
  %0 = onnx.Mul(%x, %c) : (tensor<?x2x2xf32>, tensor<2xf32>) -> tensor<?x2x2xf32>
  %1 = onnx.Conv(%0, %w) : (tensor<?x2x2xf32>, tensor<2x2x1xf32>) -> tensor<?x2x2xf32>
  return %1 : tensor<?x2x2xf32>
}

// The sums of the weights, each times what it met: 1*5 + 2*6 and 3*5 + 4*6.
// CHECK-LABEL: @fuse_add_of_operand(
// CHECK-SAME: %[[X:[^:]*]]:
// CHECK: %[[B:.*]] = onnx.Constant {{.*}}dense<[1.700000e+01, 3.900000e+01]>
// CHECK: onnx.Conv(%[[X]], %{{.*}}, %[[B]])
func.func @fuse_add_of_operand(%x: tensor<?x2x?xf32>) -> tensor<?x2x?xf32> {
  %w = onnx.Constant dense<[[[1.0], [2.0]], [[3.0], [4.0]]]> : tensor<2x2x1xf32>
  %c = onnx.Constant dense<[[5.0], [6.0]]> : tensor<2x1xf32>
  %0 = onnx.Add(%x, %c) : (tensor<?x2x?xf32>, tensor<2x1xf32>) -> tensor<?x2x?xf32>
  %1 = onnx.Conv(%0, %w) : (tensor<?x2x?xf32>, tensor<2x2x1xf32>) -> tensor<?x2x?xf32>
  return %1 : tensor<?x2x?xf32>
}

// What is padded was not shifted.
// CHECK-LABEL: @fuse_add_of_operand_refused(
// CHECK: onnx.Add(
func.func @fuse_add_of_operand_refused(%x: tensor<?x2x?xf32>) -> tensor<?x2x?xf32> {
  %w = onnx.Constant dense<[[[1.0], [2.0]], [[3.0], [4.0]]]> : tensor<2x2x1xf32>
  %c = onnx.Constant dense<[[5.0], [6.0]]> : tensor<2x1xf32>
  %0 = onnx.Add(%x, %c) : (tensor<?x2x?xf32>, tensor<2x1xf32>) -> tensor<?x2x?xf32>
  %1 = onnx.Conv(%0, %w) {pads = array<i64: 1, 0>} : (tensor<?x2x?xf32>, tensor<2x2x1xf32>) -> tensor<?x2x?xf32>
  return %1 : tensor<?x2x?xf32>
}

// Scale over deviation is 2 and 4, the shifts are 1 - 1*2 and 2 - 3*4.
// CHECK-LABEL: @fuse_batchnorm_of_operand(
// CHECK-SAME: %[[X:[^:]*]]:
// CHECK-DAG: %[[W:.*]] = onnx.Constant {{.*}}dense<{{\[\[}}2.000000e+00, 4.000000e+00], [1.200000e+01, 1.600000e+01]]>
// CHECK-DAG: %[[B:.*]] = onnx.Constant {{.*}}dense<[-3.100000e+01, -4.200000e+01]>
// CHECK: onnx.Gemm(%[[X]], %[[W]], %[[B]])
// CHECK-NOT: onnx.BatchNormalization(
// CHECK: return
func.func @fuse_batchnorm_of_operand(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %w = onnx.Constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %scale = onnx.Constant dense<[4.0, 8.0]> : tensor<2xf32>
  %shift = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  %mean = onnx.Constant dense<[1.0, 3.0]> : tensor<2xf32>
  %variance = onnx.Constant dense<[4.0, 4.0]> : tensor<2xf32>
  %0 = onnx.BatchNormalization(%x, %scale, %shift, %mean, %variance) {epsilon = 0.0 : f32}
      : (tensor<?x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  %1 = onnx.MatMul(%0, %w) : (tensor<?x2xf32>, tensor<2x2xf32>) -> tensor<?x2xf32>
  return %1 : tensor<?x2xf32>
}

// The normalized value is wanted itself.
// CHECK-LABEL: @fuse_batchnorm_of_operand_refused(
// CHECK: onnx.BatchNormalization(
func.func @fuse_batchnorm_of_operand_refused(%x: tensor<?x2xf32>) -> (tensor<?x2xf32>, tensor<?x2xf32>) {
  %w = onnx.Constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %c = onnx.Constant dense<[4.0, 8.0]> : tensor<2xf32>
  %0 = onnx.BatchNormalization(%x, %c, %c, %c, %c)
      : (tensor<?x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  %1 = onnx.MatMul(%0, %w) : (tensor<?x2xf32>, tensor<2x2xf32>) -> tensor<?x2xf32>
  return %1, %0 : tensor<?x2xf32>, tensor<?x2xf32>
}

// CHECK-LABEL: @scale_to_operand(
// CHECK-DAG: %[[W:.*]] = onnx.Constant {{.*}}dense<{{\[\[}}2.000000e+00, 4.000000e+00], [6.000000e+00, 8.000000e+00]]>
// CHECK-DAG: %[[B:.*]] = onnx.Constant {{.*}}dense<[1.000000e+01, 1.200000e+01]>
// CHECK: onnx.MatMul(%{{.*}}, %[[W]])
// CHECK: onnx.Add(%{{.*}}, %[[B]])
// CHECK: onnx.Transpose(
// CHECK: %[[Y:.*]] = onnx.MatMul(
// CHECK-NEXT: return %[[Y]]
func.func @scale_to_operand(%x: tensor<?x4x2xf32>, %y: tensor<?x4x3xf32>) -> tensor<?x2x3xf32> {
  %w = onnx.Constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = onnx.Constant dense<[5.0, 6.0]> : tensor<2xf32>
  %c = onnx.Constant dense<2.0> : tensor<f32>
  %0 = onnx.MatMul(%x, %w) : (tensor<?x4x2xf32>, tensor<2x2xf32>) -> tensor<?x4x2xf32>
  %1 = onnx.Add(%0, %b) : (tensor<?x4x2xf32>, tensor<2xf32>) -> tensor<?x4x2xf32>
  %2 = onnx.Transpose(%1) {perm = array<i64: 0, 2, 1>} : (tensor<?x4x2xf32>) -> tensor<?x2x4xf32>
  %3 = onnx.MatMul(%2, %y) : (tensor<?x2x4xf32>, tensor<?x4x3xf32>) -> tensor<?x2x3xf32>
  %4 = onnx.Mul(%3, %c) : (tensor<?x2x3xf32>, tensor<f32>) -> tensor<?x2x3xf32>
  return %4 : tensor<?x2x3xf32>
}

// No weights could take it.
// CHECK-LABEL: @scale_to_operand_refused(
// CHECK: %[[Y:.*]] = onnx.MatMul(
// CHECK-NEXT: onnx.Mul(%[[Y]],
func.func @scale_to_operand_refused(%x: tensor<?x2x4xf32>, %y: tensor<?x4x3xf32>) -> tensor<?x2x3xf32> {
  %c = onnx.Constant dense<2.0> : tensor<f32>
  %0 = onnx.MatMul(%x, %y) : (tensor<?x2x4xf32>, tensor<?x4x3xf32>) -> tensor<?x2x3xf32>
  %1 = onnx.Mul(%0, %c) : (tensor<?x2x3xf32>, tensor<f32>) -> tensor<?x2x3xf32>
  return %1 : tensor<?x2x3xf32>
}

// CHECK-LABEL: @multiply_rows(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x?x8xf32, {{[^>]*}}>>, %[[W:[^:]*]]: tensor<8x5xf32>, %[[B:[^:]*]]: tensor<5xf32>
func.func @multiply_rows(%x: tensor<?x?x8xf32, #onnx.dims<"n", "m", "">>, %w: tensor<8x5xf32>, %b: tensor<5xf32>) -> tensor<*xf32> {
  // CHECK-NEXT: %[[PRODUCT:.*]] = onnx.MatMul(%[[X]], %[[W]])
  // CHECK-NEXT: onnx.Add(%[[PRODUCT]], %[[B]])
  // CHECK-NEXT: return
  %rows = onnx.Constant dense<[-1, 8]> : tensor<2xi64>
  %0 = onnx.Reshape(%x, %rows) : (tensor<?x?x8xf32, #onnx.dims<"n", "m", "">>, tensor<2xi64>) -> tensor<*xf32>
  %1 = onnx.Gemm(%0, %w, %b) : (tensor<*xf32>, tensor<8x5xf32>, tensor<5xf32>) -> tensor<*xf32>
  %sizes = onnx.Shape(%x) {end = 2 : i64} : (tensor<?x?x8xf32, #onnx.dims<"n", "m", "">>) -> tensor<2xi64>
  %five = onnx.Constant dense<5> : tensor<1xi64>
  %target = onnx.Concat(%sizes, %five) {axis = 0 : i64} : (tensor<2xi64>, tensor<1xi64>) -> tensor<3xi64>
  %2 = onnx.Reshape(%1, %target) : (tensor<*xf32>, tensor<3xi64>) -> tensor<*xf32>
  return %2 : tensor<*xf32>
}

// The rows come apart into other axes than they were put together of.
// CHECK-LABEL: @multiply_rows_refused(
func.func @multiply_rows_refused(%x: tensor<?x4x8xf32, #onnx.dims<"n", "", "">>, %w: tensor<8x5xf32>, %b: tensor<5xf32>) -> tensor<*xf32> {
  // CHECK: %[[PRODUCT:.*]] = onnx.Gemm(
  // CHECK: onnx.Reshape(%[[PRODUCT]], %{{.*}})
  %rows = onnx.Constant dense<[-1, 8]> : tensor<2xi64>
  %0 = onnx.Reshape(%x, %rows) : (tensor<?x4x8xf32, #onnx.dims<"n", "", "">>, tensor<2xi64>) -> tensor<*xf32>
  %1 = onnx.Gemm(%0, %w, %b) : (tensor<*xf32>, tensor<8x5xf32>, tensor<5xf32>) -> tensor<*xf32>
  %target = onnx.Constant dense<[-1, 2, 5]> : tensor<3xi64>
  %2 = onnx.Reshape(%1, %target) : (tensor<*xf32>, tensor<3xi64>) -> tensor<*xf32>
  return %2 : tensor<*xf32>
}
