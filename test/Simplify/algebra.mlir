// RUN: invar-opt --invar-constprop --split-input-file %s | FileCheck %s
// RUN: invar-opt --invar-constprop="wide=true" --split-input-file %s | FileCheck %s --check-prefix=WIDE

// CHECK-LABEL: @right(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2xi32>
func.func @right(%x: tensor<2xi32>) -> tensor<2xi32> {
  %c = onnx.Constant dense<[1, 2]> : tensor<2xi32>
  // CHECK: onnx.Add(%[[X]], %{{.*}})
  %0 = onnx.Add(%c, %x) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// Both constants go outward and become one.
// CHECK-LABEL: @together(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2xi32>, %[[Y:[^:]*]]: tensor<2xi32>
func.func @together(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi32> {
  %c = onnx.Constant dense<3> : tensor<2xi32>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi32>
  // CHECK-DAG: %[[C:.*]] = onnx.Constant {{.*}}dense<[7, 8]>
  // CHECK-DAG: %[[SUM:.*]] = onnx.Add(%[[X]], %[[Y]])
  // CHECK: onnx.Add(%[[SUM]], %[[C]])
  %0 = onnx.Add(%c, %x) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %1 = onnx.Add(%y, %d) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %2 = onnx.Add(%0, %1) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %2 : tensor<2xi32>
}

// -----

// A row and a column would become a matrix, and what something else uses stays.
// CHECK-LABEL: @apart(
func.func @apart(%x: tensor<2x2xi32>) -> (tensor<2x2xi32>, tensor<2x2xi32>, tensor<2x2xi32>) {
  %row = onnx.Constant dense<[[3, 4]]> : tensor<1x2xi32>
  %column = onnx.Constant dense<[[5], [6]]> : tensor<2x1xi32>
  %one = onnx.Constant dense<9> : tensor<i32>
  // CHECK-COUNT-4: onnx.Mul(
  %0 = onnx.Mul(%x, %row) : (tensor<2x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
  %1 = onnx.Mul(%0, %column) : (tensor<2x2xi32>, tensor<2x1xi32>) -> tensor<2x2xi32>
  %2 = onnx.Mul(%x, %one) : (tensor<2x2xi32>, tensor<i32>) -> tensor<2x2xi32>
  %3 = onnx.Mul(%2, %one) : (tensor<2x2xi32>, tensor<i32>) -> tensor<2x2xi32>
  return %1, %2, %3 : tensor<2x2xi32>, tensor<2x2xi32>, tensor<2x2xi32>
}

// -----

// A constant stays where fewer elements are.
// CHECK-LABEL: @small(
// CHECK-SAME: %[[X:[^:]*]]: tensor<1xi32>, %[[Y:[^:]*]]: tensor<8xi32>
func.func @small(%x: tensor<1xi32>, %y: tensor<8xi32>) -> tensor<8xi32> {
  %c = onnx.Constant dense<3> : tensor<1xi32>
  // CHECK: %[[SUM:.*]] = onnx.Add(%[[X]], %{{.*}})
  // CHECK: onnx.Add(%[[SUM]], %[[Y]])
  %0 = onnx.Add(%x, %c) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %1 = onnx.Add(%0, %y) : (tensor<1xi32>, tensor<8xi32>) -> tensor<8xi32>
  return %1 : tensor<8xi32>
}

// -----

// Floats round: only with --numerics=wide.
// CHECK-LABEL: @floats(
// CHECK-COUNT-3: onnx.Mul(
// WIDE-LABEL: @floats(
// WIDE-SAME: %[[X:[^:]*]]: tensor<2xf32>, %[[Y:[^:]*]]: tensor<2xf32>
func.func @floats(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %c = onnx.Constant dense<3.0> : tensor<f32>
  %d = onnx.Constant dense<5.0> : tensor<f32>
  // WIDE-DAG: %[[C:.*]] = onnx.Constant {{.*}}dense<1.500000e+01>
  // WIDE-DAG: %[[PRODUCT:.*]] = onnx.Mul(%[[X]], %[[Y]])
  // WIDE: onnx.Mul(%[[PRODUCT]], %[[C]])
  %0 = onnx.Mul(%x, %c) : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = onnx.Mul(%0, %y) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %2 = onnx.Mul(%1, %d) : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}

// -----

// Extremes are the same in any order, of floats too; the sum is not.
// CHECK-LABEL: @many(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2xf32>, %[[Y:[^:]*]]: tensor<2xf32>
// WIDE-LABEL: @many(
func.func @many(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %c = onnx.Constant dense<3.0> : tensor<2xf32>
  %d = onnx.Constant dense<5.0> : tensor<f32>
  // CHECK-DAG: %[[C:.*]] = onnx.Constant {{.*}}dense<5.000000e+00> : tensor<2xf32>
  // CHECK-DAG: onnx.Max(%[[X]], %[[Y]], %[[C]])
  %0 = onnx.Max(%c, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = onnx.Max(%0, %d, %y, %x) : (tensor<2xf32>, tensor<f32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-DAG: %[[SUM:.*]] = onnx.Sum(%{{.*}}, %[[X]])
  // CHECK-DAG: onnx.Sum(%[[SUM]], %{{.*}}, %[[Y]])
  // WIDE: onnx.Sum(
  // WIDE-NOT: onnx.Sum(
  %2 = onnx.Sum(%c, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %3 = onnx.Sum(%2, %d, %y) : (tensor<2xf32>, tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  return %1, %3 : tensor<2xf32>, tensor<2xf32>
}

// -----

// CHECK-LABEL: @differences(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2xf32>, %[[N:[^:]*]]: tensor<2xui8>
func.func @differences(%x: tensor<2xf32>, %n: tensor<2xui8>) -> (tensor<2xf32>, tensor<2xui8>, tensor<2xf32>) {
  %c = onnx.Constant dense<[3.0, 0.0]> : tensor<2xf32>
  %d = onnx.Constant dense<[3, 4]> : tensor<2xui8>
  // CHECK-DAG: %[[C:.*]] = onnx.Constant {{.*}}dense<[-3.000000e+00, -0.000000e+00]>
  // CHECK-DAG: onnx.Add(%{{.*}}, %[[C]])
  %shifted = onnx.Add(%x, %c) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %0 = onnx.Sub(%shifted, %c) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // Unsigned numbers wrap around; the two become one.
  // CHECK-DAG: %[[D:.*]] = onnx.Constant {{.*}}dense<[250, 248]>
  // CHECK-DAG: onnx.Add(%[[N]], %[[D]])
  %less = onnx.Sub(%n, %d) : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  %1 = onnx.Sub(%less, %d) : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  // CHECK-DAG: onnx.Sub(%{{.*}}, %[[X]])
  %2 = onnx.Sub(%c, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xui8>, tensor<2xf32>
}

// -----

// Alone, a difference stays one.
// CHECK-LABEL: @difference(
// CHECK: onnx.Sub(
func.func @difference(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = onnx.Constant dense<[3.0, 0.0]> : tensor<2xf32>
  %0 = onnx.Sub(%x, %c) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// 2^127 has an inverse, but not a normal one.
// CHECK-LABEL: @quotients(
func.func @quotients(%x: tensor<2xf32>, %n: tensor<2xi32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xi32>) {
  %c = onnx.Constant dense<[-8.0, 0.5]> : tensor<2xf32>
  %d = onnx.Constant dense<[8.0, 3.0]> : tensor<2xf32>
  %e = onnx.Constant dense<1.7014118346046923e+38> : tensor<f32>
  %f = onnx.Constant dense<4> : tensor<i32>
  // CHECK-DAG: %[[C:.*]] = onnx.Constant {{.*}}dense<[-1.250000e-01, 2.000000e+00]>
  // CHECK-DAG: onnx.Mul(%{{.*}}, %[[C]])
  // CHECK-COUNT-3: onnx.Div(
  %0 = onnx.Div(%x, %c) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = onnx.Div(%x, %d) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %2 = onnx.Div(%x, %e) : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %3 = onnx.Div(%n, %f) : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  return %0, %1, %2, %3 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xi32>
}
