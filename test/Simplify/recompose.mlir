// RUN: invar-opt --invar-simplify %s | FileCheck %s
// RUN: invar-opt --invar-simplify=opset=13 %s | FileCheck %s --check-prefix=OLD

!t = tensor<?x8xf32>
!s = tensor<f32>

// The number that is left, 2*0.5, is one.
// CHECK-LABEL: @make_gelu(
// CHECK-SAME: %[[X:[^:]*]]:
// CHECK-NEXT: %[[Y:.*]] = onnx.Gelu(%[[X]])
// CHECK-NEXT: return %[[Y]]
// OLD-LABEL: @make_gelu(
// OLD: onnx.Erf(
func.func @make_gelu(%x: !t) -> !t {
  %root = onnx.Constant dense<1.41421354> : !s
  %one = onnx.Constant dense<1.0> : !s
  %half = onnx.Constant dense<0.5> : !s
  %0 = onnx.Div(%x, %root) : (!t, !s) -> !t
  %1 = onnx.Erf(%0) : (!t) -> !t
  %2 = onnx.Add(%1, %one) : (!t, !s) -> !t
  %3 = onnx.Mul(%x, %2) : (!t, !t) -> !t
  %4 = onnx.Mul(%3, %half) : (!t, !s) -> !t
  return %4 : !t
}

// The polynomial is 0.79788*x + 0.035677*x^3, in whatever order; the gate is 0.5 + 0.5*t.
// CHECK-LABEL: @make_gelu_of_tanh(
// CHECK-SAME: %[[X:[^:]*]]:
// CHECK-NEXT: %[[Y:.*]] = onnx.Gelu(%[[X]]) {approximate = "tanh"}
// CHECK-NEXT: return %[[Y]]
func.func @make_gelu_of_tanh(%x: !t) -> !t {
  %root = onnx.Constant dense<0.797884583> : !s
  %cube = onnx.Constant dense<0.044715> : !s
  %one = onnx.Constant dense<1.0> : !s
  %half = onnx.Constant dense<0.5> : !s
  %0 = onnx.Mul(%x, %x) : (!t, !t) -> !t
  %1 = onnx.Mul(%0, %cube) : (!t, !s) -> !t
  %2 = onnx.Add(%1, %one) : (!t, !s) -> !t
  %3 = onnx.Mul(%x, %2) : (!t, !t) -> !t
  %4 = onnx.Mul(%root, %3) : (!s, !t) -> !t
  %5 = onnx.Tanh(%4) : (!t) -> !t
  %6 = onnx.Mul(%5, %half) : (!t, !s) -> !t
  %7 = onnx.Add(%half, %6) : (!s, !t) -> !t
  %8 = onnx.Mul(%7, %x) : (!t, !t) -> !t
  return %8 : !t
}

// 1.4 is no root of two.
// CHECK-LABEL: @make_gelu_refused(
// CHECK: onnx.Erf(
func.func @make_gelu_refused(%x: !t) -> !t {
  %root = onnx.Constant dense<1.4> : !s
  %one = onnx.Constant dense<1.0> : !s
  %half = onnx.Constant dense<0.5> : !s
  %0 = onnx.Div(%x, %root) : (!t, !s) -> !t
  %1 = onnx.Erf(%0) : (!t) -> !t
  %2 = onnx.Add(%1, %one) : (!t, !s) -> !t
  %3 = onnx.Mul(%x, %2) : (!t, !t) -> !t
  %4 = onnx.Mul(%3, %half) : (!t, !s) -> !t
  return %4 : !t
}

// CHECK-LABEL: @make_gelu_refused_used(
// CHECK: onnx.Erf(
func.func @make_gelu_refused_used(%x: !t) -> (!t, !t) {
  %root = onnx.Constant dense<1.41421354> : !s
  %one = onnx.Constant dense<1.0> : !s
  %half = onnx.Constant dense<0.5> : !s
  %0 = onnx.Div(%x, %root) : (!t, !s) -> !t
  %1 = onnx.Erf(%0) : (!t) -> !t
  %2 = onnx.Add(%1, %one) : (!t, !s) -> !t
  %3 = onnx.Mul(%x, %2) : (!t, !t) -> !t
  %4 = onnx.Mul(%3, %half) : (!t, !s) -> !t
  return %4, %1 : !t, !t
}

// In older opsets the product stays one.
// CHECK-LABEL: @make_hard_sigmoid(
// CHECK: onnx.HardSwish(
// OLD-LABEL: @make_hard_sigmoid(
// OLD-SAME: %[[X:[^:]*]]:
// OLD-NEXT: %[[GATE:.*]] = onnx.HardSigmoid(%[[X]]) {alpha = 0.166666672 : f32, beta = 5.000000e-01 : f32}
// OLD-NEXT: %[[Y:.*]] = onnx.Mul(%[[X]], %[[GATE]])
// OLD-NEXT: return %[[Y]]
func.func @make_hard_sigmoid(%x: !t) -> !t {
  %zero = onnx.Constant dense<0.0> : !s
  %three = onnx.Constant dense<3.0> : !s
  %six = onnx.Constant dense<6.0> : !s
  %0 = onnx.Add(%x, %three) : (!t, !s) -> !t
  %1 = onnx.Clip(%0, %zero, %six) : (!t, !s, !s) -> !t
  %2 = onnx.Mul(%x, %1) : (!t, !t) -> !t
  %3 = onnx.Div(%2, %six) : (!t, !s) -> !t
  return %3 : !t
}

// CHECK-LABEL: @make_hard_sigmoid_refused(
// CHECK: onnx.Clip(
func.func @make_hard_sigmoid_refused(%x: !t) -> !t {
  %zero = onnx.Constant dense<0.0> : !s
  %three = onnx.Constant dense<3.0> : !s
  %five = onnx.Constant dense<5.0> : !s
  %six = onnx.Constant dense<6.0> : !s
  %0 = onnx.Add(%x, %three) : (!t, !s) -> !t
  %1 = onnx.Clip(%0, %zero, %five) : (!t, !s, !s) -> !t
  %2 = onnx.Div(%1, %six) : (!t, !s) -> !t
  return %2 : !t
}

// CHECK-LABEL: @clip_to_hard_sigmoid(
// CHECK-SAME: %[[X:[^:]*]]:
// CHECK-NEXT: onnx.HardSigmoid(%[[X]]) {alpha = 2.000000e-01 : f32, beta = 5.000000e-01 : f32}
func.func @clip_to_hard_sigmoid(%x: !t) -> !t {
  %zero = onnx.Constant dense<0.0> : !s
  %one = onnx.Constant dense<1.0> : !s
  %slope = onnx.Constant dense<0.2> : !s
  %start = onnx.Constant dense<0.5> : !s
  %0 = onnx.Mul(%x, %slope) : (!t, !s) -> !t
  %1 = onnx.Add(%0, %start) : (!t, !s) -> !t
  %2 = onnx.Clip(%1, %zero, %one) : (!t, !s, !s) -> !t
  return %2 : !t
}

// A plain clip is no less as a line.
// CHECK-LABEL: @clip_to_hard_sigmoid_refused(
// CHECK: onnx.Clip(
func.func @clip_to_hard_sigmoid_refused(%x: !t) -> !t {
  %zero = onnx.Constant dense<0.0> : !s
  %one = onnx.Constant dense<1.0> : !s
  %0 = onnx.Clip(%x, %zero, %one) : (!t, !s, !s) -> !t
  return %0 : !t
}

// CHECK-LABEL: @make_hard_swish(
// CHECK-SAME: %[[X:[^:]*]]:
// CHECK-NEXT: %[[Y:.*]] = onnx.HardSwish(%[[X]])
// CHECK-NEXT: return %[[Y]]
// OLD-LABEL: @make_hard_swish(
// OLD-NOT: onnx.HardSwish(
// OLD: onnx.Mul(
func.func @make_hard_swish(%x: !t) -> !t {
  %0 = onnx.HardSigmoid(%x) {alpha = 0.166666672 : f32} : (!t) -> !t
  %1 = onnx.Mul(%0, %x) : (!t, !t) -> !t
  return %1 : !t
}

// CHECK-LABEL: @make_hard_swish_refused(
// CHECK: onnx.HardSigmoid(
func.func @make_hard_swish_refused(%x: !t) -> !t {
  %0 = onnx.HardSigmoid(%x) : (!t) -> !t
  %1 = onnx.Mul(%0, %x) : (!t, !t) -> !t
  return %1 : !t
}

// CHECK-LABEL: @make_swish(
// CHECK-SAME: %[[X:[^:]*]]:
// CHECK-NEXT: onnx.Swish(%[[X]]) {alpha = 1.702000e+00 : f32}
// OLD-LABEL: @make_swish(
// OLD: onnx.Sigmoid(
func.func @make_swish(%x: !t) -> !t {
  %alpha = onnx.Constant dense<1.702> : !s
  %0 = onnx.Mul(%x, %alpha) : (!t, !s) -> !t
  %1 = onnx.Sigmoid(%0) : (!t) -> !t
  %2 = onnx.Mul(%x, %1) : (!t, !t) -> !t
  return %2 : !t
}

// CHECK-LABEL: @make_swish_refused(
// CHECK: onnx.Sigmoid(
func.func @make_swish_refused(%x: !t, %y: !t) -> !t {
  %0 = onnx.Sigmoid(%y) : (!t) -> !t
  %1 = onnx.Mul(%x, %0) : (!t, !t) -> !t
  return %1 : !t
}

// CHECK-LABEL: @make_mish(
// CHECK-SAME: %[[X:[^:]*]]:
// CHECK-NEXT: %[[Y:.*]] = onnx.Mish(%[[X]])
// CHECK-NEXT: return %[[Y]]
func.func @make_mish(%x: !t) -> !t {
  %0 = onnx.Softplus(%x) : (!t) -> !t
  %1 = onnx.Tanh(%0) : (!t) -> !t
  %2 = onnx.Mul(%x, %1) : (!t, !t) -> !t
  return %2 : !t
}

// CHECK-LABEL: @make_mish_refused(
// CHECK: onnx.Softplus(
func.func @make_mish_refused(%x: !t) -> (!t, !t) {
  %0 = onnx.Softplus(%x) : (!t) -> !t
  %1 = onnx.Tanh(%0) : (!t) -> !t
  %2 = onnx.Mul(%x, %1) : (!t, !t) -> !t
  return %2, %0 : !t, !t
}

// Bounds of a clip are scalars.
// CHECK-LABEL: @make_clip(
// CHECK-SAME: %[[X:[^:]*]]:
// CHECK-DAG: %[[LOW:.*]] = onnx.Constant {{.*}}dense<-1.000000e+00> : tensor<f32>
// CHECK-DAG: %[[HIGH:.*]] = onnx.Constant {{.*}}dense<2.000000e+00> : tensor<f32>
// CHECK: onnx.Clip(%[[X]], %[[LOW]], %[[HIGH]])
func.func @make_clip(%x: !t) -> !t {
  %low = onnx.Constant dense<-1.0> : tensor<1xf32>
  %high = onnx.Constant dense<2.0> : !s
  %0 = onnx.Max(%x, %low) : (!t, tensor<1xf32>) -> !t
  %1 = onnx.Min(%high, %0) : (!s, !t) -> !t
  return %1 : !t
}

// An empty range has an order.
// CHECK-LABEL: @make_clip_refused(
// CHECK-NOT: onnx.Clip(
func.func @make_clip_refused(%x: !t) -> !t {
  %low = onnx.Constant dense<3.0> : !s
  %high = onnx.Constant dense<2.0> : !s
  %0 = onnx.Max(%x, %low) : (!t, !s) -> !t
  %1 = onnx.Min(%0, %high) : (!t, !s) -> !t
  return %1 : !t
}

// CHECK-LABEL: @make_leaky_relu(
// CHECK-SAME: %[[X:[^:]*]]:
// CHECK-NEXT: onnx.LeakyRelu(%[[X]]) {alpha = 1.000000e-01 : f32}
func.func @make_leaky_relu(%x: !t) -> !t {
  %slope = onnx.Constant dense<0.1> : !s
  %0 = onnx.Mul(%x, %slope) : (!t, !s) -> !t
  %1 = onnx.Max(%0, %x) : (!t, !t) -> !t
  return %1 : !t
}

// Above zero the product is the greater one.
// CHECK-LABEL: @make_leaky_relu_refused(
// CHECK: onnx.Max(
func.func @make_leaky_relu_refused(%x: !t) -> !t {
  %slope = onnx.Constant dense<1.5> : !s
  %0 = onnx.Mul(%x, %slope) : (!t, !s) -> !t
  %1 = onnx.Max(%0, %x) : (!t, !t) -> !t
  return %1 : !t
}

// CHECK-LABEL: @make_sigmoid(
// CHECK-SAME: %[[X:[^:]*]]:
// CHECK-NEXT: %[[Y:.*]] = onnx.Sigmoid(%[[X]])
// CHECK-NEXT: return %[[Y]]
func.func @make_sigmoid(%x: !t) -> !t {
  %one = onnx.Constant dense<1.0> : !s
  %0 = onnx.Neg(%x) : (!t) -> !t
  %1 = onnx.Exp(%0) : (!t) -> !t
  %2 = onnx.Add(%one, %1) : (!s, !t) -> !t
  %3 = onnx.Reciprocal(%2) : (!t) -> !t
  return %3 : !t
}

// CHECK-LABEL: @make_sigmoid_refused(
// CHECK: onnx.Exp(
func.func @make_sigmoid_refused(%x: !t) -> !t {
  %two = onnx.Constant dense<2.0> : !s
  %0 = onnx.Neg(%x) : (!t) -> !t
  %1 = onnx.Exp(%0) : (!t) -> !t
  %2 = onnx.Add(%two, %1) : (!s, !t) -> !t
  %3 = onnx.Reciprocal(%2) : (!t) -> !t
  return %3 : !t
}

// CHECK-LABEL: @make_softplus(
// CHECK-SAME: %[[X:[^:]*]]:
// CHECK-NEXT: %[[Y:.*]] = onnx.Softplus(%[[X]])
// CHECK-NEXT: return %[[Y]]
func.func @make_softplus(%x: !t) -> !t {
  %one = onnx.Constant dense<1.0> : !s
  %0 = onnx.Exp(%x) : (!t) -> !t
  %1 = onnx.Add(%0, %one) : (!t, !s) -> !t
  %2 = onnx.Log(%1) : (!t) -> !t
  return %2 : !t
}

// Of doubles there is none in the engines.
// CHECK-LABEL: @make_softplus_refused(
// CHECK: onnx.Exp(
func.func @make_softplus_refused(%x: tensor<8xf64>) -> tensor<8xf64> {
  %one = onnx.Constant dense<1.0> : tensor<f64>
  %0 = onnx.Exp(%x) : (tensor<8xf64>) -> tensor<8xf64>
  %1 = onnx.Add(%0, %one) : (tensor<8xf64>, tensor<f64>) -> tensor<8xf64>
  %2 = onnx.Log(%1) : (tensor<8xf64>) -> tensor<8xf64>
  return %2 : tensor<8xf64>
}
