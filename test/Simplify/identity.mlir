// RUN: invar-opt --invar-simplify --split-input-file %s | FileCheck %s
// RUN: invar-opt --invar-simplify="fuse=false" --split-input-file %s | FileCheck %s --check-prefix=EXACT

// CHECK-LABEL: @drop_neutral(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2xf32>, %[[N:[^:]*]]: tensor<2xi8>, %[[B:[^:]*]]: tensor<2xi1>
func.func @drop_neutral(%x: tensor<2xf32>, %n: tensor<2xi8>, %b: tensor<2xi1>) -> (tensor<2xf32>, tensor<2xi8>, tensor<2xi1>) {
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

// A scalar is neutral to any shape, also one that is not known.
// CHECK-LABEL: @drop_neutral_of_any_shape(
// CHECK-SAME: %[[X:[^:]*]]: tensor<*xf32>
func.func @drop_neutral_of_any_shape(%x: tensor<*xf32>) -> tensor<*xf32> {
  %one = onnx.Constant dense<1.0> : tensor<f32>
  %0 = onnx.Mul(%x, %one) : (tensor<*xf32>, tensor<f32>) -> tensor<*xf32>
  // CHECK-NEXT: return %[[X]]
  return %0 : tensor<*xf32>
}

// -----

// What broadcasts is not neutral.
// CHECK-LABEL: @drop_neutral_refused(
func.func @drop_neutral_refused(%x: tensor<2xf32>, %y: tensor<?xf32>) -> (tensor<3x2xf32>, tensor<?xf32>) {
  %ones = onnx.Constant dense<1.0> : tensor<3x1xf32>
  %two = onnx.Constant dense<1.0> : tensor<2xf32>
  // CHECK-COUNT-2: onnx.Mul(
  %0 = onnx.Mul(%x, %ones) : (tensor<2xf32>, tensor<3x1xf32>) -> tensor<3x2xf32>
  %1 = onnx.Mul(%y, %two) : (tensor<?xf32>, tensor<2xf32>) -> tensor<?xf32>
  return %0, %1 : tensor<3x2xf32>, tensor<?xf32>
}

// -----

// CHECK-LABEL: @drop_zero(
// EXACT-LABEL: @drop_zero(
func.func @drop_zero(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %zero = onnx.Constant dense<0.0> : tensor<f32>
  %minus0 = onnx.Constant dense<-0.0> : tensor<f32>
  // -0 + 0 is 0.
  // EXACT: onnx.Add(
  // EXACT: onnx.Sub(
  // CHECK-NEXT: return %arg0, %arg0
  %0 = onnx.Add(%x, %zero) : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = onnx.Sub(%x, %minus0) : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// -----

// CHECK-LABEL: @drop_zero_refused(
func.func @drop_zero_refused(%x: tensor<2xf32>) -> (tensor<3x2xf32>) {
  %zero = onnx.Constant dense<0.0> : tensor<3x1xf32>
  // CHECK: onnx.Add(
  %0 = onnx.Add(%x, %zero) : (tensor<2xf32>, tensor<3x1xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
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
// CHECK-LABEL: @absorb_refused(
func.func @absorb_refused(%x: tensor<2xf32>, %n: tensor<?xi32>) -> (tensor<2xf32>, tensor<?xi32>) {
  // CHECK-COUNT-2: onnx.Sub(
  %0 = onnx.Sub(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = onnx.Sub(%n, %n) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %0, %1 : tensor<2xf32>, tensor<?xi32>
}

// -----

// CHECK-LABEL: @drop_same_operand(
func.func @drop_same_operand(%b: tensor<?xi1>) -> tensor<?xi1> {
  %0 = onnx.And(%b, %b) : (tensor<?xi1>, tensor<?xi1>) -> tensor<?xi1>
  // CHECK-NEXT: return %arg0
  return %0 : tensor<?xi1>
}

// -----

// CHECK-LABEL: @drop_same_operand_refused(
func.func @drop_same_operand_refused(%b: tensor<?xi1>, %c: tensor<?xi1>) -> (tensor<?xi1>, tensor<?xi1>) {
  // CHECK: onnx.And(
  // CHECK: onnx.Xor(
  %0 = onnx.And(%b, %c) : (tensor<?xi1>, tensor<?xi1>) -> tensor<?xi1>
  %1 = onnx.Xor(%b, %b) : (tensor<?xi1>, tensor<?xi1>) -> tensor<?xi1>
  return %0, %1 : tensor<?xi1>, tensor<?xi1>
}

// -----

// CHECK-LABEL: @drop_single(
func.func @drop_single(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = onnx.Mean(%x) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: return %arg0
  return %0 : tensor<2xf32>
}

// -----

// CHECK-LABEL: @drop_single_refused(
func.func @drop_single_refused(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: onnx.Mean(
  %0 = onnx.Mean(%x, %y) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK-LABEL: @choose(
func.func @choose(%c: tensor<2xi1>, %x: tensor<2xf32>, %y: tensor<1xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %true = onnx.Constant dense<true> : tensor<2xi1>
  %0 = onnx.Where(%c, %x, %x) : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = onnx.Where(%true, %x, %y) : (tensor<2xi1>, tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
  // CHECK-NEXT: return %arg1, %arg1
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// -----

// What is chosen would have been broadcast.
// CHECK-LABEL: @choose_refused(
func.func @choose_refused(%c: tensor<2xi1>, %x: tensor<2xf32>, %y: tensor<1xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %false = onnx.Constant dense<false> : tensor<1xi1>
  // CHECK-COUNT-2: onnx.Where(
  %0 = onnx.Where(%false, %x, %y) : (tensor<1xi1>, tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
  %1 = onnx.Where(%c, %y, %y) : (tensor<2xi1>, tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// -----

// A constant has one name, and bodies are simplified too.
// CHECK-LABEL: @drop_identity(
func.func @drop_identity(%x: tensor<2xf32>, %t: tensor<i1>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  // CHECK-DAG: %[[C:.*]] = onnx.Constant {{.*}}dense<[1.000000e+00, 2.000000e+00]>
  // CHECK-NOT: onnx.Identity(
  %c = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = onnx.Identity(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = onnx.Identity(%c) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: return %arg0, %[[C]], %[[C]]
  return %0, %1, %c : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// -----

// It is another value.
// CHECK-LABEL: @drop_identity_refused(
func.func @drop_identity_refused(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: onnx.Neg(
  %0 = onnx.Neg(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK-LABEL: @drop_dropout(
func.func @drop_dropout(%x: tensor<2xf32>) -> tensor<2xf32> {
  %half = onnx.Constant dense<0.5> : tensor<f32>
  %0 = onnx.Dropout(%x, %half) : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  // CHECK-NEXT: return %arg0
  return %0 : tensor<2xf32>
}

// -----

// Whether it is training is not known, or the mask is wanted.
// CHECK-LABEL: @drop_dropout_refused(
func.func @drop_dropout_refused(%x: tensor<2xf32>, %t: tensor<i1>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xi1>) {
  %half = onnx.Constant dense<0.5> : tensor<f32>
  // CHECK-DAG: %[[TRAINED:.*]] = onnx.Dropout(%arg0, %{{.*}}, %arg1)
  // CHECK-DAG: %[[MASKED:.*]]:2 = onnx.Dropout(%arg0)
  %0 = onnx.Dropout(%x, %half, %t) : (tensor<2xf32>, tensor<f32>, tensor<i1>) -> tensor<2xf32>
  %1, %mask = onnx.Dropout(%x) : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xi1>)
  return %0, %1, %mask : tensor<2xf32>, tensor<2xf32>, tensor<2xi1>
}

// -----

// CHECK-LABEL: @drop_double(
func.func @drop_double(%x: tensor<2xf32>, %b: tensor<2xi1>) -> (tensor<2xf32>, tensor<2xi1>) {
  %0 = onnx.Neg(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = onnx.Neg(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %2 = onnx.Not(%b) : (tensor<2xi1>) -> tensor<2xi1>
  %3 = onnx.Not(%2) : (tensor<2xi1>) -> tensor<2xi1>
  // CHECK-NEXT: return %arg0, %arg1
  return %1, %3 : tensor<2xf32>, tensor<2xi1>
}

// -----

// The inverse of an inverse is rounded twice.
// CHECK-LABEL: @drop_double_refused(
func.func @drop_double_refused(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK-COUNT-2: onnx.Reciprocal(
  %0 = onnx.Reciprocal(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = onnx.Reciprocal(%0) : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

// CHECK-LABEL: @drop_repeated(
func.func @drop_repeated(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK-NEXT: %[[RELU:.*]] = onnx.Relu(%arg0)
  // CHECK-NEXT: return %[[RELU]]
  %0 = onnx.Relu(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = onnx.Relu(%0) : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

// CHECK-LABEL: @drop_repeated_refused(
func.func @drop_repeated_refused(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: onnx.Floor(
  // CHECK: onnx.Ceil(
  // CHECK: onnx.Sqrt(
  // CHECK: onnx.Sqrt(
  %0 = onnx.Floor(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = onnx.Ceil(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %2 = onnx.Sqrt(%1) : (tensor<2xf32>) -> tensor<2xf32>
  %3 = onnx.Sqrt(%2) : (tensor<2xf32>) -> tensor<2xf32>
  return %3 : tensor<2xf32>
}
