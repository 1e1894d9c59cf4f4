// RUN: invar-opt --invar-constprop=fuse=false --split-input-file %s | FileCheck %s
// RUN: invar-opt --invar-constprop --split-input-file %s | FileCheck %s --check-prefix=FUSED

// CHECK-LABEL: @neutral(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2xf32>, %[[N:[^:]*]]: tensor<2xi8>, %[[B:[^:]*]]: tensor<2xi1>
func.func @neutral(%x: tensor<2xf32>, %n: tensor<2xi8>, %b: tensor<2xi1>) -> (tensor<2xf32>, tensor<2xi8>, tensor<2xi1>) {
  %minus0 = onnx.Constant dense<-0.0> : tensor<f32>
  %zero = onnx.Constant dense<0.0> : tensor<f32>
  %one = onnx.Constant dense<1.0> : tensor<2xf32>
  %0 = onnx.Add(%minus0, %x) : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = onnx.Sub(%0, %zero) : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %2 = onnx.Mul(%1, %one) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %3 = onnx.Div(%2, %one) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %4 = onnx.Pow(%3, %one) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %n0 = onnx.Constant dense<0> : tensor<i8>
  %bits = onnx.Constant dense<-1> : tensor<2xi8>
  %5 = onnx.Add(%n, %n0) : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  %6 = onnx.BitwiseAnd(%5, %bits) : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  %7 = onnx.BitwiseXor(%6, %n0) : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  %true = onnx.Constant dense<true> : tensor<2xi1>
  %8 = onnx.And(%true, %b) : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  // CHECK-NEXT: return %[[X]], %[[N]], %[[B]]
  return %4, %7, %8 : tensor<2xf32>, tensor<2xi8>, tensor<2xi1>
}

// -----

// -0 + 0 is 0, and what broadcasts is not neutral.
// CHECK-LABEL: @not_neutral(
// FUSED-LABEL: @not_neutral(
func.func @not_neutral(%x: tensor<2xf32>, %y: tensor<?xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<3x2xf32>, tensor<?xf32>) {
  %zero = onnx.Constant dense<0.0> : tensor<f32>
  %minus0 = onnx.Constant dense<-0.0> : tensor<f32>
  %ones = onnx.Constant dense<1.0> : tensor<3x1xf32>
  %two = onnx.Constant dense<1.0> : tensor<2xf32>
  // CHECK: onnx.Add(
  // CHECK: onnx.Sub(
  // FUSED-NOT: onnx.Add(
  %0 = onnx.Add(%x, %zero) : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = onnx.Sub(%x, %minus0) : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  // CHECK-COUNT-2: onnx.Mul(
  // FUSED-COUNT-2: onnx.Mul(
  %2 = onnx.Mul(%x, %ones) : (tensor<2xf32>, tensor<3x1xf32>) -> tensor<3x2xf32>
  %3 = onnx.Mul(%y, %two) : (tensor<?xf32>, tensor<2xf32>) -> tensor<?xf32>
  return %0, %1, %2, %3 : tensor<2xf32>, tensor<2xf32>, tensor<3x2xf32>, tensor<?xf32>
}

// -----

// A scalar is neutral to any shape, also one that is not known.
// CHECK-LABEL: @unknown(
// CHECK-SAME: %[[X:[^:]*]]: tensor<*xf32>
func.func @unknown(%x: tensor<*xf32>) -> tensor<*xf32> {
  %one = onnx.Constant dense<1.0> : tensor<f32>
  %0 = onnx.Mul(%x, %one) : (tensor<*xf32>, tensor<f32>) -> tensor<*xf32>
  // CHECK-NEXT: return %[[X]]
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @absorb(
func.func @absorb(%n: tensor<2xi32>, %b: tensor<2xi1>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi1>) {
  %zero = onnx.Constant dense<0> : tensor<i32>
  %true = onnx.Constant dense<true> : tensor<i1>
  // CHECK-DAG: onnx.Constant {{.*}}dense<0> : tensor<2xi32>
  // CHECK-DAG: onnx.Constant {{.*}}dense<true> : tensor<2xi1>
  // CHECK-NOT: onnx.{{Sub|Mul|Or}}(
  %0 = onnx.Sub(%n, %n) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %1 = onnx.Mul(%n, %zero) : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  %2 = onnx.Or(%b, %true) : (tensor<2xi1>, tensor<i1>) -> tensor<2xi1>
  return %0, %1, %2 : tensor<2xi32>, tensor<2xi32>, tensor<2xi1>
}

// -----

// Infinities make the difference of floats, and some shapes are not known.
// CHECK-LABEL: @not_absorbed(
func.func @not_absorbed(%x: tensor<2xf32>, %n: tensor<?xi32>) -> (tensor<2xf32>, tensor<?xi32>) {
  // CHECK-COUNT-2: onnx.Sub(
  %0 = onnx.Sub(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = onnx.Sub(%n, %n) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %0, %1 : tensor<2xf32>, tensor<?xi32>
}

// -----

// CHECK-LABEL: @pairs(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2xf32>, %[[B:[^:]*]]: tensor<2xi1>
func.func @pairs(%x: tensor<2xf32>, %b: tensor<2xi1>) -> (tensor<2xf32>, tensor<2xi1>, tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) {
  %0 = onnx.Neg(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = onnx.Neg(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %2 = onnx.Not(%b) : (tensor<2xi1>) -> tensor<2xi1>
  %3 = onnx.Not(%2) : (tensor<2xi1>) -> tensor<2xi1>
  %4 = onnx.And(%b, %b) : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  // CHECK-NEXT: %[[RELU:.*]] = onnx.Relu(%[[X]])
  // CHECK-NEXT: %[[ABS:.*]] = onnx.Abs(%[[RELU]])
  %5 = onnx.Relu(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %6 = onnx.Relu(%5) : (tensor<2xf32>) -> tensor<2xf32>
  %7 = onnx.Abs(%6) : (tensor<2xf32>) -> tensor<2xf32>
  %8 = onnx.Mean(%7) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: return %[[X]], %[[B]], %[[B]], %[[RELU]], %[[ABS]]
  return %1, %3, %4, %6, %8 : tensor<2xf32>, tensor<2xi1>, tensor<2xi1>, tensor<2xf32>, tensor<2xf32>
}

// -----

// CHECK-LABEL: @choose(
// CHECK-SAME: %[[C:[^:]*]]: tensor<2xi1>, %[[X:[^:]*]]: tensor<2xf32>, %[[Y:[^:]*]]: tensor<1xf32>
func.func @choose(%c: tensor<2xi1>, %x: tensor<2xf32>, %y: tensor<1xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %true = onnx.Constant dense<true> : tensor<2xi1>
  %false = onnx.Constant dense<false> : tensor<1xi1>
  %0 = onnx.Where(%c, %x, %x) : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = onnx.Where(%true, %x, %y) : (tensor<2xi1>, tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
  // What is chosen would have been broadcast.
  // CHECK: %[[DOUBLER:.*]] = onnx.Where(
  // CHECK: %[[SAME:.*]] = onnx.Where(
  %2 = onnx.Where(%false, %x, %y) : (tensor<1xi1>, tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
  %3 = onnx.Where(%c, %y, %y) : (tensor<2xi1>, tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
  // CHECK: return %[[X]], %[[X]], %[[DOUBLER]], %[[SAME]]
  return %0, %1, %2, %3 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// -----

// CHECK-LABEL: @casts(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2xf16>, %[[N:[^:]*]]: tensor<2xi32>
func.func @casts(%x: tensor<2xf16>, %n: tensor<2xi32>) -> (tensor<2xf16>, tensor<2xi64>, tensor<2xi32>, tensor<2xi8>, tensor<2xf16>) {
  // There and back again.
  %0 = onnx.Cast(%x) {to = 1 : i64} : (tensor<2xf16>) -> tensor<2xf32>
  %1 = onnx.Cast(%0) {to = 10 : i64} : (tensor<2xf32>) -> tensor<2xf16>
  // CHECK-DAG: %[[DIRECT:.*]] = onnx.Cast(%[[X]]) {to = 7 : i64}
  %2 = onnx.Cast(%0) {to = 7 : i64} : (tensor<2xf32>) -> tensor<2xi64>
  // To its own type.
  %3 = onnx.CastLike(%n, %n) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  // A double that does not fit wraps otherwise than an integer.
  // CHECK-DAG: %[[DOUBLE:.*]] = onnx.Cast(%[[N]]) {to = 11 : i64}
  // CHECK-DAG: %[[BYTE:.*]] = onnx.Cast(%[[DOUBLE]]) {to = 3 : i64}
  %4 = onnx.Cast(%n) {to = 11 : i64} : (tensor<2xi32>) -> tensor<2xf64>
  %5 = onnx.Cast(%4) {to = 3 : i64} : (tensor<2xf64>) -> tensor<2xi8>
  // The first loses digits.
  // CHECK-DAG: %[[INT:.*]] = onnx.Cast(%[[X]]) {to = 6 : i64}
  // CHECK-DAG: %[[LOST:.*]] = onnx.Cast(%[[INT]]) {to = 10 : i64}
  %6 = onnx.Cast(%x) {to = 6 : i64} : (tensor<2xf16>) -> tensor<2xi32>
  %7 = onnx.CastLike(%6, %x) : (tensor<2xi32>, tensor<2xf16>) -> tensor<2xf16>
  // CHECK: return %[[X]], %[[DIRECT]], %[[N]], %[[BYTE]], %[[LOST]]
  return %1, %2, %3, %5, %7 : tensor<2xf16>, tensor<2xi64>, tensor<2xi32>, tensor<2xi8>, tensor<2xf16>
}

// -----

// CHECK-LABEL: @nothing(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2xf32>, %[[T:[^:]*]]: tensor<i1>
func.func @nothing(%x: tensor<2xf32>, %t: tensor<i1>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xi1>) {
  %half = onnx.Constant dense<0.5> : tensor<f32>
  %0 = onnx.Identity(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = onnx.Dropout(%0, %half) : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  // Whether it is training is not known, or the mask is wanted.
  // CHECK-DAG: %[[TRAINED:.*]] = onnx.Dropout(%[[X]], %{{.*}}, %[[T]])
  // CHECK-DAG: %[[MASKED:.*]]:2 = onnx.Dropout(%[[X]])
  %2 = onnx.Dropout(%x, %half, %t) : (tensor<2xf32>, tensor<f32>, tensor<i1>) -> tensor<2xf32>
  %3, %mask = onnx.Dropout(%x) : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xi1>)
  // A constant has one name.
  // CHECK-DAG: %[[C:.*]] = onnx.Constant {{.*}}dense<[1.000000e+00, 2.000000e+00]>
  %c = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  %4 = onnx.Identity(%c) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: return %[[X]], %[[TRAINED]], %[[MASKED]]#0, %[[C]], %[[C]], %[[MASKED]]#1
  return %1, %2, %3, %4, %c, %mask : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xi1>
}

// -----

// Only the sign of zeros may differ.
// CHECK-LABEL: @drop_zero(
// CHECK: onnx.Add(
// FUSED-LABEL: @drop_zero(
// FUSED-SAME: %[[X:[^:]*]]:
// FUSED-NEXT: return %[[X]]
func.func @drop_zero(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %zeros = onnx.Constant dense<0.0> : tensor<2xf32>
  %0 = onnx.Add(%x, %zeros) : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

// -----

// Zeros may broadcast what they are added to.
// FUSED-LABEL: @drop_zero_refused(
// FUSED: onnx.Add(
func.func @drop_zero_refused(%x: tensor<?xf32>) -> tensor<?xf32> {
  %zeros = onnx.Constant dense<0.0> : tensor<2xf32>
  %0 = onnx.Add(%x, %zeros) : (tensor<?xf32>, tensor<2xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
