// RUN: invar-opt --invar-constprop --split-input-file %s | FileCheck %s

// CHECK-LABEL: @batch(
func.func @batch() -> (tensor<1x2x2xf32>, tensor<2x1xf32>, tensor<1xf32>, tensor<1xf32>) {
  %x = onnx.Constant dense<[[[1.0, 2.0], [3.0, 4.0]]]> : tensor<1x2x2xf32>
  %scale = onnx.Constant dense<[2.0, 1.0]> : tensor<2xf32>
  %shift = onnx.Constant dense<[0.0, 10.0]> : tensor<2xf32>
  %mean = onnx.Constant dense<[1.0, 3.0]> : tensor<2xf32>
  %variance = onnx.Constant dense<[4.0, 0.25]> : tensor<2xf32>
  // CHECK-DAG: dense<{{\[\[\[}}0.000000e+00, 1.000000e+00], [1.000000e+01, 1.200000e+01]]]> : tensor<1x2x2xf32>
  %0 = onnx.BatchNormalization(%x, %scale, %shift, %mean, %variance) {epsilon = 0.0 : f32} : (tensor<1x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x2xf32>
  // In training the statistics are those of the batch, here 3 and 4.
  %y = onnx.Constant dense<[[1.0], [5.0]]> : tensor<2x1xf32>
  %one = onnx.Constant dense<1.0> : tensor<1xf32>
  %zero = onnx.Constant dense<0.0> : tensor<1xf32>
  // CHECK-DAG: dense<{{\[\[}}-1.000000e+00], [1.000000e+00]]> : tensor<2x1xf32>
  // CHECK-DAG: dense<1.500000e+00> : tensor<1xf32>
  // CHECK-DAG: dense<2.500000e+00> : tensor<1xf32>
  %1, %2, %3 = onnx.BatchNormalization(%y, %one, %zero, %zero, %one) {epsilon = 0.0 : f32, momentum = 0.5 : f32, training_mode = 1 : i64} : (tensor<2x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<2x1xf32>, tensor<1xf32>, tensor<1xf32>)
  // CHECK-NOT: onnx.BatchNormalization
  return %0, %1, %2, %3 : tensor<1x2x2xf32>, tensor<2x1xf32>, tensor<1xf32>, tensor<1xf32>
}

// -----

// CHECK-LABEL: @dropout(
func.func @dropout() -> (tensor<2xf32>, tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) {
  %x = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  // CHECK-DAG: dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  // CHECK-DAG: dense<true> : tensor<2xi1>
  %0, %1 = onnx.Dropout(%x) : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xi1>)
  %none = onnx.Constant dense<0.0> : tensor<f32>
  %some = onnx.Constant dense<0.25> : tensor<f32>
  %training = onnx.Constant dense<true> : tensor<i1>
  %2 = onnx.Dropout(%x, %none, %training) : (tensor<2xf32>, tensor<f32>, tensor<i1>) -> tensor<2xf32>
  // What is random is left to run time.
  // CHECK: onnx.Dropout(
  // CHECK-NOT: onnx.Dropout(
  %3 = onnx.Dropout(%x, %some, %training) : (tensor<2xf32>, tensor<f32>, tensor<i1>) -> tensor<2xf32>
  return %0, %1, %2, %3 : tensor<2xf32>, tensor<2xi1>, tensor<2xf32>, tensor<2xf32>
}

// -----

// CHECK-LABEL: @own_statistics(
func.func @own_statistics() -> (tensor<1x2x2xf32>, tensor<1x2x2xf32>, tensor<2x2xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<1x2xf32>, tensor<2xf64>, tensor<2xf32>) {
  %x = onnx.Constant dense<[[[1.0, 3.0], [2.0, 10.0]]]> : tensor<1x2x2xf32>
  %scale = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  %shift = onnx.Constant dense<[0.0, 1.0]> : tensor<2xf32>
  // CHECK-DAG: dense<{{\[\[\[}}-1.000000e+00, 1.000000e+00], [-1.000000e+00, 3.000000e+00]]]> : tensor<1x2x2xf32>
  %0 = onnx.InstanceNormalization(%x, %scale, %shift) {epsilon = 0.0 : f32} : (tensor<1x2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x2xf32>
  %z = onnx.Constant dense<[[[1.0, 3.0], [3.0, 1.0]]]> : tensor<1x2x2xf32>
  // CHECK-DAG: dense<{{\[\[\[}}-1.000000e+00, 1.000000e+00], [3.000000e+00, -1.000000e+00]]]> : tensor<1x2x2xf32>
  %1 = onnx.GroupNormalization(%z, %scale, %shift) {epsilon = 0.0 : f32, num_groups = 1 : i64} : (tensor<1x2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x2xf32>
  %m = onnx.Constant dense<[[1.0, 3.0], [2.0, 10.0]]> : tensor<2x2xf32>
  // CHECK-DAG: dense<{{\[\[}}-1.000000e+00, 3.000000e+00], [-1.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
  // CHECK-DAG: dense<{{\[\[}}2.000000e+00], [6.000000e+00]]> : tensor<2x1xf32>
  // CHECK-DAG: dense<{{\[\[}}1.000000e+00], [2.500000e-01]]> : tensor<2x1xf32>
  %2, %3, %4 = onnx.LayerNormalization(%m, %scale, %shift) {epsilon = 0.0 : f32} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x2xf32>, tensor<2x1xf32>, tensor<2x1xf32>)
  %r = onnx.Constant dense<[[1.0, 7.0]]> : tensor<1x2xf32>
  // CHECK-DAG: dense<{{\[\[}}2.000000e-01, 2.800000e+00]]> : tensor<1x2xf32>
  %5 = onnx.RMSNormalization(%r, %scale) {epsilon = 0.0 : f32} : (tensor<1x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  %l = onnx.Constant dense<[3.0, -4.0]> : tensor<2xf64>
  // CHECK-DAG: dense<[6.000000e-01, -8.000000e-01]> : tensor<2xf64>
  %6 = onnx.LpNormalization(%l) : (tensor<2xf64>) -> tensor<2xf64>
  // No length is no division by zero.
  %n = onnx.Constant dense<0.0> : tensor<2xf32>
  // CHECK-DAG: dense<0.000000e+00> : tensor<2xf32>
  %7 = onnx.LpNormalization(%n) {p = 1 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NOT: Normalization(
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<1x2x2xf32>, tensor<1x2x2xf32>, tensor<2x2xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<1x2xf32>, tensor<2xf64>, tensor<2xf32>
}

// -----

// CHECK-LABEL: @around(
func.func @around() -> (tensor<1x3x1x1xf32>, tensor<1x1x1x2xf32>) {
  %x = onnx.Constant dense<[[[[1.0]], [[2.0]], [[4.0]]]]> : tensor<1x3x1x1xf32>
  // With an even size there is one channel more after than before.
  // CHECK-DAG: dense<{{.*}}2.000000e-01{{.*}}1.000000e-01{{.*}}2.500000e-01{{.*}}> : tensor<1x3x1x1xf32>
  %0 = onnx.LRN(%x) {alpha = 2.0 : f32, beta = 1.0 : f32, bias = 0.0 : f32, size = 2 : i64} : (tensor<1x3x1x1xf32>) -> tensor<1x3x1x1xf32>
  %y = onnx.Constant dense<[[[[1.0, 3.0]]]]> : tensor<1x1x1x2xf32>
  // CHECK-DAG: dense<{{\[\[\[\[}}-1.000000e+00, 1.000000e+00]]]]> : tensor<1x1x1x2xf32>
  %1 = onnx.MeanVarianceNormalization(%y) : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
  return %0, %1 : tensor<1x3x1x1xf32>, tensor<1x1x1x2xf32>
}
