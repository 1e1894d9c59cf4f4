// RUN: invar-opt --invar-constprop --split-input-file %s | FileCheck %s
// RUN: invar-opt --invar-constprop="wide=true" --split-input-file %s | FileCheck %s --check-prefix=WIDE

// CHECK-LABEL: @constant_right(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2xi32>
func.func @constant_right(%x: tensor<2xi32>) -> tensor<2xi32> {
  // CHECK: %[[C:.*]] = onnx.Constant
  %c = onnx.Constant dense<[1, 2]> : tensor<2xi32>
  // CHECK: onnx.Add(%[[X]], %[[C]])
  %0 = onnx.Add(%c, %x) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// A difference is another one with its operands exchanged.
// CHECK-LABEL: @constant_right_refused(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2xi32>
func.func @constant_right_refused(%x: tensor<2xi32>) -> tensor<2xi32> {
  // CHECK: %[[C:.*]] = onnx.Constant
  %c = onnx.Constant dense<[1, 2]> : tensor<2xi32>
  // CHECK: onnx.Sub(%[[C]], %[[X]])
  %0 = onnx.Sub(%c, %x) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// CHECK-LABEL: @merge_constants(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2xi32>
func.func @merge_constants(%x: tensor<2xi32>) -> tensor<2xi32> {
  %c = onnx.Constant dense<3> : tensor<i32>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi32>
  // CHECK: %[[C:.*]] = onnx.Constant {{.*}}dense<[12, 15]>
  // CHECK: onnx.Mul(%[[X]], %[[C]])
  // CHECK-NOT: onnx.Mul(
  %0 = onnx.Mul(%x, %c) : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  %1 = onnx.Mul(%0, %d) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %1 : tensor<2xi32>
}

// -----

// A row and a column would become a matrix, and what something else uses stays.
// CHECK-LABEL: @merge_constants_refused(
func.func @merge_constants_refused(%x: tensor<2x2xi32>) -> (tensor<2x2xi32>, tensor<2x2xi32>, tensor<2x2xi32>) {
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

// Both constants go outward and become one.
// CHECK-LABEL: @constant_outward(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2xi32>, %[[Y:[^:]*]]: tensor<2xi32>
func.func @constant_outward(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi32> {
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

// A constant stays where fewer elements are, or may be.
// CHECK-LABEL: @constant_outward_refused(
// CHECK-SAME: %[[X:[^:]*]]: tensor<1xi32>, %[[Y:[^:]*]]: tensor<8xi32>, %[[Z:[^:]*]]: tensor<?xi32
func.func @constant_outward_refused(%x: tensor<1xi32>, %y: tensor<8xi32>, %z: tensor<?xi32>) -> (tensor<8xi32>, tensor<8xi32>) {
  %c = onnx.Constant dense<3> : tensor<1xi32>
  // CHECK: %[[SUM:.*]] = onnx.Add(%[[X]], %{{.*}})
  // CHECK: onnx.Add(%[[SUM]], %[[Y]])
  %0 = onnx.Add(%x, %c) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %1 = onnx.Add(%0, %y) : (tensor<1xi32>, tensor<8xi32>) -> tensor<8xi32>
  // CHECK: %[[SUM2:.*]] = onnx.Add(%[[Z]], %{{.*}})
  // CHECK: onnx.Add(%[[SUM2]], %[[Y]])
  %2 = onnx.Add(%z, %c) : (tensor<?xi32>, tensor<1xi32>) -> tensor<?xi32>
  %3 = onnx.Add(%2, %y) : (tensor<?xi32>, tensor<8xi32>) -> tensor<8xi32>
  return %1, %3 : tensor<8xi32>, tensor<8xi32>
}

// -----

// Floats round: only with --numerics=wide.
// CHECK-LABEL: @merge_float_constants(
// CHECK-COUNT-2: onnx.Mul(
// WIDE-LABEL: @merge_float_constants(
// WIDE-SAME: %[[X:[^:]*]]: tensor<2xf32>
func.func @merge_float_constants(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = onnx.Constant dense<3.0> : tensor<f32>
  %d = onnx.Constant dense<5.0> : tensor<f32>
  // WIDE-DAG: %[[C:.*]] = onnx.Constant {{.*}}dense<1.500000e+01>
  // WIDE: onnx.Mul(%[[X]], %[[C]])
  // WIDE-NOT: onnx.Mul(
  %0 = onnx.Mul(%x, %c) : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = onnx.Mul(%0, %d) : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

// CHECK-LABEL: @merge_float_constants_refused(
// WIDE-LABEL: @merge_float_constants_refused(
// WIDE-COUNT-2: onnx.Mul(
func.func @merge_float_constants_refused(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %row = onnx.Constant dense<[[3.0, 4.0]]> : tensor<1x2xf32>
  %column = onnx.Constant dense<[[5.0], [6.0]]> : tensor<2x1xf32>
  %0 = onnx.Mul(%x, %row) : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  %1 = onnx.Mul(%0, %column) : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @float_constant_outward(
// CHECK-COUNT-3: onnx.Mul(
// WIDE-LABEL: @float_constant_outward(
// WIDE-SAME: %[[X:[^:]*]]: tensor<2xf32>, %[[Y:[^:]*]]: tensor<2xf32>
func.func @float_constant_outward(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
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

// CHECK-LABEL: @float_constant_outward_refused(
// WIDE-LABEL: @float_constant_outward_refused(
// WIDE-SAME: %[[X:[^:]*]]: tensor<1xf32>, %[[Y:[^:]*]]: tensor<8xf32>
func.func @float_constant_outward_refused(%x: tensor<1xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %c = onnx.Constant dense<3.0> : tensor<1xf32>
  // WIDE: %[[SUM:.*]] = onnx.Add(%[[X]], %{{.*}})
  // WIDE: onnx.Add(%[[SUM]], %[[Y]])
  %0 = onnx.Add(%x, %c) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %1 = onnx.Add(%0, %y) : (tensor<1xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// Extremes are the same in any order, of floats too.
// CHECK-LABEL: @flatten_extremes(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2xf32>, %[[Y:[^:]*]]: tensor<2xf32>
func.func @flatten_extremes(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %c = onnx.Constant dense<3.0> : tensor<2xf32>
  %d = onnx.Constant dense<5.0> : tensor<f32>
  // CHECK: %[[C:.*]] = onnx.Constant {{.*}}dense<5.000000e+00> : tensor<2xf32>
  // CHECK: onnx.Max(%[[X]], %[[Y]], %[[C]])
  // CHECK-NOT: onnx.Max(
  %0 = onnx.Max(%c, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = onnx.Max(%0, %d, %y, %x) : (tensor<2xf32>, tensor<f32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

// What something else uses is computed anyway.
// CHECK-LABEL: @flatten_extremes_refused(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2xf32>, %[[Y:[^:]*]]: tensor<2xf32>
func.func @flatten_extremes_refused(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %c = onnx.Constant dense<3.0> : tensor<2xf32>
  // CHECK: %[[INNER:.*]] = onnx.Max(%[[X]], %{{.*}})
  // CHECK: onnx.Max(%[[INNER]], %[[Y]])
  %0 = onnx.Max(%x, %c) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = onnx.Max(%0, %y) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// -----

// Sums of floats are not the same in any order.
// CHECK-LABEL: @flatten_sum(
// CHECK-COUNT-2: onnx.Sum(
// WIDE-LABEL: @flatten_sum(
// WIDE-SAME: %[[X:[^:]*]]: tensor<2xf32>, %[[Y:[^:]*]]: tensor<2xf32>
func.func @flatten_sum(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %c = onnx.Constant dense<3.0> : tensor<2xf32>
  %d = onnx.Constant dense<5.0> : tensor<f32>
  // WIDE: %[[C:.*]] = onnx.Constant {{.*}}dense<8.000000e+00> : tensor<2xf32>
  // WIDE: onnx.Sum(%[[X]], %[[Y]], %[[Y]], %[[C]])
  // WIDE-NOT: onnx.Sum(
  %0 = onnx.Sum(%c, %x, %y) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = onnx.Sum(%0, %d, %y) : (tensor<2xf32>, tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

// The inner one is smaller.
// CHECK-LABEL: @flatten_sum_refused(
// WIDE-LABEL: @flatten_sum_refused(
// WIDE-SAME: %[[X:[^:]*]]: tensor<1xf32>, %[[Y:[^:]*]]: tensor<2xf32>
func.func @flatten_sum_refused(%x: tensor<1xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %c = onnx.Constant dense<3.0> : tensor<1xf32>
  // WIDE: %[[INNER:.*]] = onnx.Sum(%[[X]], %[[X]], %{{.*}})
  // WIDE: onnx.Sum(%[[INNER]], %[[Y]], %[[Y]])
  %0 = onnx.Sum(%x, %x, %c) : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %1 = onnx.Sum(%0, %y, %y) : (tensor<1xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

// CHECK-LABEL: @sub_to_add(
func.func @sub_to_add(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = onnx.Constant dense<[3.0, 0.0]> : tensor<2xf32>
  // CHECK-DAG: %[[C:.*]] = onnx.Constant {{.*}}dense<[-3.000000e+00, -0.000000e+00]>
  // CHECK-DAG: onnx.Add(%{{.*}}, %[[C]])
  %0 = onnx.Add(%x, %c) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = onnx.Sub(%0, %c) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

// Unsigned numbers wrap around; the two become one.
// CHECK-LABEL: @sub_to_add_of_unsigned(
// CHECK-SAME: %[[N:[^:]*]]: tensor<2xui8>
func.func @sub_to_add_of_unsigned(%n: tensor<2xui8>) -> tensor<2xui8> {
  %d = onnx.Constant dense<[3, 4]> : tensor<2xui8>
  // CHECK: %[[D:.*]] = onnx.Constant {{.*}}dense<[250, 248]>
  // CHECK: onnx.Add(%[[N]], %[[D]])
  %0 = onnx.Sub(%n, %d) : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  %1 = onnx.Sub(%0, %d) : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  return %1 : tensor<2xui8>
}

// -----

// Alone, a difference stays one, and one from a constant is no sum.
// CHECK-LABEL: @sub_to_add_refused(
// CHECK-COUNT-2: onnx.Sub(
func.func @sub_to_add_refused(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %c = onnx.Constant dense<[3.0, 0.0]> : tensor<2xf32>
  %0 = onnx.Sub(%x, %c) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = onnx.Sub(%c, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// -----

// CHECK-LABEL: @inner_sub_to_add(
// CHECK-SAME: %[[N:[^:]*]]: tensor<2xi32>
func.func @inner_sub_to_add(%n: tensor<2xi32>) -> tensor<2xi32> {
  %c = onnx.Constant dense<[3, 4]> : tensor<2xi32>
  %d = onnx.Constant dense<[10, 20]> : tensor<2xi32>
  // CHECK: %[[C:.*]] = onnx.Constant {{.*}}dense<[7, 16]>
  // CHECK: onnx.Add(%[[N]], %[[C]])
  %0 = onnx.Sub(%n, %c) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %1 = onnx.Add(%0, %d) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %1 : tensor<2xi32>
}

// -----

// What something else uses stays a difference.
// CHECK-LABEL: @inner_sub_to_add_refused(
// CHECK: %[[INNER:.*]] = onnx.Sub(
// CHECK: onnx.Add(%[[INNER]],
func.func @inner_sub_to_add_refused(%n: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %c = onnx.Constant dense<[3, 4]> : tensor<2xi32>
  %d = onnx.Constant dense<[10, 20]> : tensor<2xi32>
  %0 = onnx.Sub(%n, %c) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %1 = onnx.Add(%0, %d) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %0, %1 : tensor<2xi32>, tensor<2xi32>
}

// -----

// CHECK-LABEL: @div_to_mul(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2xf32>
func.func @div_to_mul(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = onnx.Constant dense<[-8.0, 0.5]> : tensor<2xf32>
  // CHECK: %[[C:.*]] = onnx.Constant {{.*}}dense<[-1.250000e-01, 2.000000e+00]>
  // CHECK: onnx.Mul(%[[X]], %[[C]])
  %0 = onnx.Div(%x, %c) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// A third is rounded, 2^127 has an inverse, but not a normal one, and integers have none.
// CHECK-LABEL: @div_to_mul_refused(
// CHECK-COUNT-3: onnx.Div(
func.func @div_to_mul_refused(%x: tensor<2xf32>, %n: tensor<2xi32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xi32>) {
  %c = onnx.Constant dense<[8.0, 3.0]> : tensor<2xf32>
  %d = onnx.Constant dense<1.7014118346046923e+38> : tensor<f32>
  %e = onnx.Constant dense<4> : tensor<i32>
  %0 = onnx.Div(%x, %c) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = onnx.Div(%x, %d) : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %2 = onnx.Div(%n, %e) : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xi32>
}
