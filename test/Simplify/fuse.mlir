// RUN: invar-opt --invar-constprop --split-input-file %s | FileCheck %s
// RUN: invar-opt --invar-constprop=fuse=false --split-input-file %s | FileCheck %s --check-prefix=OFF

// Scale over deviation is 2 and 4; the mean goes into the bias.
// CHECK-LABEL: @fuse_batchnorm(
// CHECK-SAME: %[[X:[^:]*]]: tensor<1x1x4xf32>
// OFF-LABEL: @fuse_batchnorm(
// OFF: onnx.BatchNormalization(
func.func @fuse_batchnorm(%x: tensor<1x1x4xf32>) -> tensor<1x2x4xf32> {
  %w = onnx.Constant dense<[[[1.0]], [[3.0]]]> : tensor<2x1x1xf32>
  %b = onnx.Constant dense<[5.0, 6.0]> : tensor<2xf32>
  %scale = onnx.Constant dense<[4.0, 8.0]> : tensor<2xf32>
  %shift = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  %mean = onnx.Constant dense<[1.0, 3.0]> : tensor<2xf32>
  %variance = onnx.Constant dense<[4.0, 4.0]> : tensor<2xf32>
  // CHECK-DAG: %[[W:.*]] = onnx.Constant {{.*}}dense<{{\[\[\[}}2.000000e+00]], {{\[\[}}1.200000e+01]]]>
  // CHECK-DAG: %[[B:.*]] = onnx.Constant {{.*}}dense<[9.000000e+00, 1.400000e+01]>
  // CHECK: %[[Y:.*]] = onnx.Conv(%[[X]], %[[W]], %[[B]])
  // CHECK: return %[[Y]]
  %0 = onnx.Conv(%x, %w, %b) : (tensor<1x1x4xf32>, tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<1x2x4xf32>
  %1 = onnx.BatchNormalization(%0, %scale, %shift, %mean, %variance) {epsilon = 0.0 : f32}
      : (tensor<1x2x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x4xf32>
  return %1 : tensor<1x2x4xf32>
}

// -----

// Of a grouped transposed convolution the groups lie along the inputs.
// CHECK-LABEL: @fuse_batchnorm_of_groups(
func.func @fuse_batchnorm_of_groups(%x: tensor<1x2x4xf32>) -> tensor<1x2x4xf32> {
  %w = onnx.Constant dense<[[[1.0]], [[3.0]]]> : tensor<2x1x1xf32>
  %scale = onnx.Constant dense<[4.0, 8.0]> : tensor<2xf32>
  %none = onnx.Constant dense<[0.0, 0.0]> : tensor<2xf32>
  %variance = onnx.Constant dense<[4.0, 4.0]> : tensor<2xf32>
  // CHECK-DAG: dense<{{\[\[\[}}2.000000e+00]], {{\[\[}}1.200000e+01]]]>
  // CHECK-DAG: onnx.ConvTranspose(
  // CHECK-NOT: onnx.BatchNormalization(
  %0 = onnx.ConvTranspose(%x, %w) {group = 2 : i64} : (tensor<1x2x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4xf32>
  %1 = onnx.BatchNormalization(%0, %scale, %none, %none, %variance) {epsilon = 0.0 : f32}
      : (tensor<1x2x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x4xf32>
  return %1 : tensor<1x2x4xf32>
}

// -----

// Statistics that come from the run are no constants, and what something else uses stays.
// CHECK-LABEL: @fuse_batchnorm_refused(
// CHECK-COUNT-2: onnx.BatchNormalization(
func.func @fuse_batchnorm_refused(%x: tensor<1x1x4xf32>, %mean: tensor<2xf32>) -> (tensor<1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>) {
  %w = onnx.Constant dense<[[[1.0]], [[3.0]]]> : tensor<2x1x1xf32>
  %scale = onnx.Constant dense<[4.0, 8.0]> : tensor<2xf32>
  %0 = onnx.Conv(%x, %w) : (tensor<1x1x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4xf32>
  %1 = onnx.BatchNormalization(%0, %scale, %scale, %mean, %scale)
      : (tensor<1x2x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x4xf32>
  %2 = onnx.Conv(%x, %w) {strides = array<i64: 1>, kernel_shape = array<i64: 1>} : (tensor<1x1x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4xf32>
  %3 = onnx.BatchNormalization(%2, %scale, %scale, %scale, %scale)
      : (tensor<1x2x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x4xf32>
  return %1, %2, %3 : tensor<1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>
}

// -----

// CHECK-LABEL: @fuse_mul(
// OFF-LABEL: @fuse_mul(
// OFF: onnx.Mul(
func.func @fuse_mul(%x: tensor<1x1x4xf32>) -> tensor<1x2x4xf32> {
  %w = onnx.Constant dense<[[[1.0]], [[3.0]]]> : tensor<2x1x1xf32>
  %b = onnx.Constant dense<[5.0, 6.0]> : tensor<2xf32>
  %c = onnx.Constant dense<[[2.0], [4.0]]> : tensor<2x1xf32>
  // CHECK-DAG: %[[W:.*]] = onnx.Constant {{.*}}dense<{{\[\[\[}}2.000000e+00]], {{\[\[}}1.200000e+01]]]>
  // CHECK-DAG: %[[B:.*]] = onnx.Constant {{.*}}dense<[1.000000e+01, 2.400000e+01]>
  // CHECK: onnx.Conv(%{{.*}}, %[[W]], %[[B]])
  // CHECK-NOT: onnx.Mul(
  %0 = onnx.Conv(%x, %w, %b) : (tensor<1x1x4xf32>, tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<1x2x4xf32>
  %1 = onnx.Mul(%c, %0) : (tensor<2x1xf32>, tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  return %1 : tensor<1x2x4xf32>
}

// -----

// A product of matrices takes factors, of a batch of any size.
// CHECK-LABEL: @fuse_mul_of_matmul(
func.func @fuse_mul_of_matmul(%x: tensor<?x5x2xf32>) -> tensor<?x5x2xf32> {
  %w = onnx.Constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %c = onnx.Constant dense<[2.0, 10.0]> : tensor<2xf32>
  // CHECK: dense<{{\[\[}}2.000000e+00, 2.000000e+01], [6.000000e+00, 4.000000e+01]]>
  // CHECK: onnx.MatMul(
  // CHECK-NOT: onnx.Mul(
  %0 = onnx.MatMul(%x, %w) : (tensor<?x5x2xf32>, tensor<2x2xf32>) -> tensor<?x5x2xf32>
  %1 = onnx.Mul(%0, %c) : (tensor<?x5x2xf32>, tensor<2xf32>) -> tensor<?x5x2xf32>
  return %1 : tensor<?x5x2xf32>
}

// -----

// Another factor for each place, and weights that another product has, too.
// CHECK-LABEL: @fuse_mul_refused(
// CHECK-COUNT-2: onnx.Mul(
func.func @fuse_mul_refused(%x: tensor<1x1x2xf32>, %y: tensor<1x1x3xf32>) -> (tensor<1x2x2xf32>, tensor<1x2x2xf32>, tensor<1x2x3xf32>) {
  %v = onnx.Constant dense<[[[7.0]], [[9.0]]]> : tensor<2x1x1xf32>
  %w = onnx.Constant dense<[[[1.0]], [[3.0]]]> : tensor<2x1x1xf32>
  %c = onnx.Constant dense<[[[2.0, 4.0]]]> : tensor<1x1x2xf32>
  %d = onnx.Constant dense<2.0> : tensor<f32>
  %0 = onnx.Conv(%x, %v) : (tensor<1x1x2xf32>, tensor<2x1x1xf32>) -> tensor<1x2x2xf32>
  %1 = onnx.Mul(%0, %c) : (tensor<1x2x2xf32>, tensor<1x1x2xf32>) -> tensor<1x2x2xf32>
  %2 = onnx.Conv(%x, %w) : (tensor<1x1x2xf32>, tensor<2x1x1xf32>) -> tensor<1x2x2xf32>
  %3 = onnx.Mul(%2, %d) : (tensor<1x2x2xf32>, tensor<f32>) -> tensor<1x2x2xf32>
  %4 = onnx.Conv(%y, %w) : (tensor<1x1x3xf32>, tensor<2x1x1xf32>) -> tensor<1x2x3xf32>
  return %1, %3, %4 : tensor<1x2x2xf32>, tensor<1x2x2xf32>, tensor<1x2x3xf32>
}

// -----

// CHECK-LABEL: @fuse_div(
// OFF-LABEL: @fuse_div(
// OFF: onnx.Div(
func.func @fuse_div(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %w = onnx.Constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = onnx.Constant dense<[5.0, 6.0]> : tensor<2xf32>
  %c = onnx.Constant dense<[5.0, 10.0]> : tensor<2xf32>
  // CHECK-DAG: dense<{{\[\[}}2.000000e-01, 2.000000e-01], [6.000000e-01, 4.000000e-01]]>
  // CHECK-DAG: dense<[1.000000e+00, 6.000000e-01]>
  // CHECK: onnx.Gemm(
  // CHECK-NOT: onnx.Div(
  %0 = onnx.Gemm(%x, %w, %b) : (tensor<3x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  %1 = onnx.Div(%0, %c) : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// -----

// Nothing multiplies a divisor.
// CHECK-LABEL: @fuse_div_refused(
// CHECK: onnx.Div(
func.func @fuse_div_refused(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %w = onnx.Constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %c = onnx.Constant dense<[5.0, 10.0]> : tensor<2xf32>
  %0 = onnx.Gemm(%x, %w) : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  %1 = onnx.Div(%c, %0) : (tensor<2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// -----

// A convolution's bias has a number for each channel.
// CHECK-LABEL: @fuse_add(
// OFF-LABEL: @fuse_add(
// OFF: onnx.Add(
func.func @fuse_add(%x: tensor<1x1x4xf32>) -> tensor<1x2x4xf32> {
  %w = onnx.Constant dense<[[[1.0]], [[3.0]]]> : tensor<2x1x1xf32>
  %c = onnx.Constant dense<7.0> : tensor<f32>
  // CHECK-DAG: %[[B:.*]] = onnx.Constant {{.*}}dense<7.000000e+00> : tensor<2xf32>
  // CHECK: onnx.Conv(%{{.*}}, %{{.*}}, %[[B]])
  // CHECK-NOT: onnx.Add(
  %0 = onnx.Conv(%x, %w) : (tensor<1x1x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4xf32>
  %1 = onnx.Add(%c, %0) : (tensor<f32>, tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  return %1 : tensor<1x2x4xf32>
}

// -----

// Another summand for each place, and a product whose bias is scaled.
// CHECK-LABEL: @fuse_add_refused(
// CHECK-COUNT-2: onnx.Add(
func.func @fuse_add_refused(%x: tensor<1x1x2xf32>, %y: tensor<3x2xf32>) -> (tensor<1x2x2xf32>, tensor<3x2xf32>) {
  %v = onnx.Constant dense<[[[7.0]], [[9.0]]]> : tensor<2x1x1xf32>
  %w = onnx.Constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %c = onnx.Constant dense<[[[2.0, 4.0]]]> : tensor<1x1x2xf32>
  %d = onnx.Constant dense<[5.0, 10.0]> : tensor<2xf32>
  %0 = onnx.Conv(%x, %v) : (tensor<1x1x2xf32>, tensor<2x1x1xf32>) -> tensor<1x2x2xf32>
  %1 = onnx.Add(%0, %c) : (tensor<1x2x2xf32>, tensor<1x1x2xf32>) -> tensor<1x2x2xf32>
  %2 = onnx.Gemm(%y, %w, %d) {beta = 0.5 : f32} : (tensor<3x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  %3 = onnx.Add(%2, %d) : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  return %1, %3 : tensor<1x2x2xf32>, tensor<3x2xf32>
}
