// RUN: invar-opt --invar-decompose --split-input-file %s | FileCheck %s

// CHECK-LABEL: @decompose_celu(
// CHECK-SAME: %[[X:[^:]*]]:
func.func @decompose_celu(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: %[[TWO:.*]] = onnx.Constant {{.*}}dense<2.000000e+00>
  // CHECK: %[[DIV:.*]] = onnx.Div(%[[X]], %[[TWO]])
  // CHECK: %[[EXP:.*]] = onnx.Exp(%[[DIV]])
  // CHECK: %[[ONE:.*]] = onnx.Constant {{.*}}dense<1.000000e+00>
  // CHECK: %[[SUB:.*]] = onnx.Sub(%[[EXP]], %[[ONE]])
  // CHECK: %[[TWO2:.*]] = onnx.Constant {{.*}}dense<2.000000e+00>
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[TWO2]], %[[SUB]])
  // CHECK: %[[ZERO:.*]] = onnx.Constant {{.*}}dense<0.000000e+00>
  // CHECK: %[[LESS:.*]] = onnx.Less(%[[X]], %[[ZERO]])
  // CHECK: %[[WHERE:.*]] = onnx.Where(%[[LESS]], %[[MUL]], %[[X]])
  // CHECK: return %[[WHERE]]
  %0 = onnx.Celu(%x) {alpha = 2.0 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @decompose_celu_refused(
func.func @decompose_celu_refused(%x: !onnx.unknown) -> !onnx.unknown {
  // CHECK: onnx.Celu(
  %0 = onnx.Celu(%x) {alpha = 2.0 : f32} : (!onnx.unknown) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// -----

// CHECK-LABEL: @decompose_elu(
// CHECK-SAME: %[[X:[^:]*]]:
func.func @decompose_elu(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: %[[EXP:.*]] = onnx.Exp(%[[X]])
  // CHECK: %[[ONE:.*]] = onnx.Constant {{.*}}dense<1.000000e+00>
  // CHECK: %[[SUB:.*]] = onnx.Sub(%[[EXP]], %[[ONE]])
  // CHECK: %[[TWO:.*]] = onnx.Constant {{.*}}dense<2.000000e+00>
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[TWO]], %[[SUB]])
  // CHECK: %[[ZERO:.*]] = onnx.Constant {{.*}}dense<0.000000e+00>
  // CHECK: %[[LESS:.*]] = onnx.Less(%[[X]], %[[ZERO]])
  // CHECK: %[[WHERE:.*]] = onnx.Where(%[[LESS]], %[[MUL]], %[[X]])
  // CHECK: return %[[WHERE]]
  %0 = onnx.Elu(%x) {alpha = 2.0 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @decompose_elu_refused(
func.func @decompose_elu_refused(%x: !onnx.unknown) -> !onnx.unknown {
  // CHECK: onnx.Elu(
  %0 = onnx.Elu(%x) {alpha = 2.0 : f32} : (!onnx.unknown) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// -----

// Of e^x - 1 a narrow type would leave little.
// CHECK-LABEL: @decompose_elu_of_narrow(
// CHECK-SAME: %[[X:[^:]*]]:
func.func @decompose_elu_of_narrow(%x: tensor<2xf16>) -> tensor<2xf16> {
  // CHECK: %[[CAST:.*]] = onnx.Cast(%[[X]]) {to = 1 : i64}
  // CHECK: %[[EXP:.*]] = onnx.Exp(%[[CAST]])
  // CHECK: %[[ONE:.*]] = onnx.Constant {{.*}}dense<1.000000e+00>
  // CHECK: %[[SUB:.*]] = onnx.Sub(%[[EXP]], %[[ONE]])
  // CHECK: %[[ZERO:.*]] = onnx.Constant {{.*}}dense<0.000000e+00>
  // CHECK: %[[LESS:.*]] = onnx.Less(%[[CAST]], %[[ZERO]])
  // CHECK: %[[WHERE:.*]] = onnx.Where(%[[LESS]], %[[SUB]], %[[CAST]])
  // CHECK: %[[CAST2:.*]] = onnx.Cast(%[[WHERE]]) {to = 10 : i64}
  // CHECK: return %[[CAST2]]
  %0 = onnx.Elu(%x) : (tensor<2xf16>) -> tensor<2xf16>
  return %0 : tensor<2xf16>
}

// -----

// CHECK-LABEL: @decompose_gelu(
// CHECK-SAME: %[[X:[^:]*]]:
func.func @decompose_gelu(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: %[[NUMBER:.*]] = onnx.Constant {{.*}}dense<0.707106769>
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[X]], %[[NUMBER]])
  // CHECK: %[[ERF:.*]] = onnx.Erf(%[[MUL]])
  // CHECK: %[[HALF:.*]] = onnx.Constant {{.*}}dense<5.000000e-01>
  // CHECK: %[[MUL2:.*]] = onnx.Mul(%[[X]], %[[HALF]])
  // CHECK: %[[ONE:.*]] = onnx.Constant {{.*}}dense<1.000000e+00>
  // CHECK: %[[ADD:.*]] = onnx.Add(%[[ONE]], %[[ERF]])
  // CHECK: %[[MUL3:.*]] = onnx.Mul(%[[MUL2]], %[[ADD]])
  // CHECK: return %[[MUL3]]
  %0 = onnx.Gelu(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @decompose_gelu_refused(
func.func @decompose_gelu_refused(%x: !onnx.unknown) -> !onnx.unknown {
  // CHECK: onnx.Gelu(
  %0 = onnx.Gelu(%x) : (!onnx.unknown) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// -----

// CHECK-LABEL: @decompose_gelu_by_tanh(
// CHECK-SAME: %[[X:[^:]*]]:
func.func @decompose_gelu_by_tanh(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[X]], %[[X]])
  // CHECK: %[[MUL2:.*]] = onnx.Mul(%[[MUL]], %[[X]])
  // CHECK: %[[NUMBER:.*]] = onnx.Constant {{.*}}dense<4.471500e-02>
  // CHECK: %[[MUL3:.*]] = onnx.Mul(%[[NUMBER]], %[[MUL2]])
  // CHECK: %[[ADD:.*]] = onnx.Add(%[[X]], %[[MUL3]])
  // CHECK: %[[NUMBER2:.*]] = onnx.Constant {{.*}}dense<0.797884583>
  // CHECK: %[[MUL4:.*]] = onnx.Mul(%[[NUMBER2]], %[[ADD]])
  // CHECK: %[[TANH:.*]] = onnx.Tanh(%[[MUL4]])
  // CHECK: %[[HALF:.*]] = onnx.Constant {{.*}}dense<5.000000e-01>
  // CHECK: %[[MUL5:.*]] = onnx.Mul(%[[X]], %[[HALF]])
  // CHECK: %[[ONE:.*]] = onnx.Constant {{.*}}dense<1.000000e+00>
  // CHECK: %[[ADD2:.*]] = onnx.Add(%[[ONE]], %[[TANH]])
  // CHECK: %[[MUL6:.*]] = onnx.Mul(%[[MUL5]], %[[ADD2]])
  // CHECK: return %[[MUL6]]
  %0 = onnx.Gelu(%x) {approximate = "tanh"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @decompose_hard_sigmoid(
// CHECK-SAME: %[[X:[^:]*]]:
func.func @decompose_hard_sigmoid(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: %[[NUMBER:.*]] = onnx.Constant {{.*}}dense<2.000000e-01>
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[X]], %[[NUMBER]])
  // CHECK: %[[HALF:.*]] = onnx.Constant {{.*}}dense<5.000000e-01>
  // CHECK: %[[ADD:.*]] = onnx.Add(%[[MUL]], %[[HALF]])
  // CHECK: %[[ONE:.*]] = onnx.Constant {{.*}}dense<1.000000e+00>
  // CHECK: %[[MIN:.*]] = onnx.Min(%[[ADD]], %[[ONE]])
  // CHECK: %[[ZERO:.*]] = onnx.Constant {{.*}}dense<0.000000e+00>
  // CHECK: %[[MAX:.*]] = onnx.Max(%[[MIN]], %[[ZERO]])
  // CHECK: return %[[MAX]]
  %0 = onnx.HardSigmoid(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @decompose_hard_sigmoid_refused(
func.func @decompose_hard_sigmoid_refused(%x: !onnx.unknown) -> !onnx.unknown {
  // CHECK: onnx.HardSigmoid(
  %0 = onnx.HardSigmoid(%x) : (!onnx.unknown) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// -----

// CHECK-LABEL: @decompose_hard_swish(
// CHECK-SAME: %[[X:[^:]*]]:
func.func @decompose_hard_swish(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: %[[NUMBER:.*]] = onnx.Constant {{.*}}dense<0.166666672>
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[X]], %[[NUMBER]])
  // CHECK: %[[HALF:.*]] = onnx.Constant {{.*}}dense<5.000000e-01>
  // CHECK: %[[ADD:.*]] = onnx.Add(%[[MUL]], %[[HALF]])
  // CHECK: %[[ONE:.*]] = onnx.Constant {{.*}}dense<1.000000e+00>
  // CHECK: %[[MIN:.*]] = onnx.Min(%[[ADD]], %[[ONE]])
  // CHECK: %[[ZERO:.*]] = onnx.Constant {{.*}}dense<0.000000e+00>
  // CHECK: %[[MAX:.*]] = onnx.Max(%[[MIN]], %[[ZERO]])
  // CHECK: %[[MUL2:.*]] = onnx.Mul(%[[X]], %[[MAX]])
  // CHECK: return %[[MUL2]]
  %0 = onnx.HardSwish(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @decompose_hard_swish_refused(
func.func @decompose_hard_swish_refused(%x: !onnx.unknown) -> !onnx.unknown {
  // CHECK: onnx.HardSwish(
  %0 = onnx.HardSwish(%x) : (!onnx.unknown) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// -----

// CHECK-LABEL: @decompose_leaky_relu(
// CHECK-SAME: %[[X:[^:]*]]:
func.func @decompose_leaky_relu(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: %[[ZERO:.*]] = onnx.Constant {{.*}}dense<0.000000e+00>
  // CHECK: %[[LESS:.*]] = onnx.Less(%[[X]], %[[ZERO]])
  // CHECK: %[[NUMBER:.*]] = onnx.Constant {{.*}}dense<0.00999999977>
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[X]], %[[NUMBER]])
  // CHECK: %[[WHERE:.*]] = onnx.Where(%[[LESS]], %[[MUL]], %[[X]])
  // CHECK: return %[[WHERE]]
  %0 = onnx.LeakyRelu(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @decompose_leaky_relu_refused(
func.func @decompose_leaky_relu_refused(%x: !onnx.unknown) -> !onnx.unknown {
  // CHECK: onnx.LeakyRelu(
  %0 = onnx.LeakyRelu(%x) : (!onnx.unknown) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// -----

// CHECK-LABEL: @decompose_mish(
// CHECK-SAME: %[[X:[^:]*]]:
func.func @decompose_mish(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: %[[ZERO:.*]] = onnx.Constant {{.*}}dense<0.000000e+00>
  // CHECK: %[[MAX:.*]] = onnx.Max(%[[X]], %[[ZERO]])
  // CHECK: %[[ABS:.*]] = onnx.Abs(%[[X]])
  // CHECK: %[[NEG:.*]] = onnx.Neg(%[[ABS]])
  // CHECK: %[[EXP:.*]] = onnx.Exp(%[[NEG]])
  // CHECK: %[[ONE:.*]] = onnx.Constant {{.*}}dense<1.000000e+00>
  // CHECK: %[[ADD:.*]] = onnx.Add(%[[ONE]], %[[EXP]])
  // CHECK: %[[LOG:.*]] = onnx.Log(%[[ADD]])
  // CHECK: %[[ADD2:.*]] = onnx.Add(%[[MAX]], %[[LOG]])
  // CHECK: %[[TANH:.*]] = onnx.Tanh(%[[ADD2]])
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[X]], %[[TANH]])
  // CHECK: return %[[MUL]]
  %0 = onnx.Mish(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @decompose_prelu(
// CHECK-SAME: %[[X:[^:]*]]:{{.*}} %[[SLOPE:[^:]*]]:
func.func @decompose_prelu(%x: tensor<2x3xf32>, %slope: tensor<3xf32>) -> tensor<2x3xf32> {
  // CHECK: %[[ZERO:.*]] = onnx.Constant {{.*}}dense<0.000000e+00>
  // CHECK: %[[LESS:.*]] = onnx.Less(%[[X]], %[[ZERO]])
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[X]], %[[SLOPE]])
  // CHECK: %[[WHERE:.*]] = onnx.Where(%[[LESS]], %[[MUL]], %[[X]])
  // CHECK: return %[[WHERE]]
  %0 = onnx.PRelu(%x, %slope) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @decompose_prelu_refused(
func.func @decompose_prelu_refused(%x: !onnx.unknown, %slope: !onnx.unknown) -> !onnx.unknown {
  // CHECK: onnx.PRelu(
  %0 = onnx.PRelu(%x, %slope) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// -----

// CHECK-LABEL: @decompose_selu(
// CHECK-SAME: %[[X:[^:]*]]:
func.func @decompose_selu(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: %[[EXP:.*]] = onnx.Exp(%[[X]])
  // CHECK: %[[ONE:.*]] = onnx.Constant {{.*}}dense<1.000000e+00>
  // CHECK: %[[SUB:.*]] = onnx.Sub(%[[EXP]], %[[ONE]])
  // CHECK: %[[NUMBER:.*]] = onnx.Constant {{.*}}dense<1.67326319>
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[NUMBER]], %[[SUB]])
  // CHECK: %[[ZERO:.*]] = onnx.Constant {{.*}}dense<0.000000e+00>
  // CHECK: %[[LESS:.*]] = onnx.Less(%[[X]], %[[ZERO]])
  // CHECK: %[[WHERE:.*]] = onnx.Where(%[[LESS]], %[[MUL]], %[[X]])
  // CHECK: %[[NUMBER2:.*]] = onnx.Constant {{.*}}dense<1.05070102>
  // CHECK: %[[MUL2:.*]] = onnx.Mul(%[[NUMBER2]], %[[WHERE]])
  // CHECK: return %[[MUL2]]
  %0 = onnx.Selu(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @decompose_selu_refused(
func.func @decompose_selu_refused(%x: !onnx.unknown) -> !onnx.unknown {
  // CHECK: onnx.Selu(
  %0 = onnx.Selu(%x) : (!onnx.unknown) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// -----

// CHECK-LABEL: @decompose_shrink(
// CHECK-SAME: %[[X:[^:]*]]:
func.func @decompose_shrink(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: %[[NUMBER:.*]] = onnx.Constant {{.*}}dense<1.500000e+00>
  // CHECK: %[[LESS:.*]] = onnx.Less(%[[NUMBER]], %[[X]])
  // CHECK: %[[ONE:.*]] = onnx.Constant {{.*}}dense<1.000000e+00>
  // CHECK: %[[SUB:.*]] = onnx.Sub(%[[X]], %[[ONE]])
  // CHECK: %[[ZERO:.*]] = onnx.Constant {{.*}}dense<0.000000e+00>
  // CHECK: %[[WHERE:.*]] = onnx.Where(%[[LESS]], %[[SUB]], %[[ZERO]])
  // CHECK: %[[NUMBER2:.*]] = onnx.Constant {{.*}}dense<-1.500000e+00>
  // CHECK: %[[LESS2:.*]] = onnx.Less(%[[X]], %[[NUMBER2]])
  // CHECK: %[[ONE2:.*]] = onnx.Constant {{.*}}dense<1.000000e+00>
  // CHECK: %[[ADD:.*]] = onnx.Add(%[[X]], %[[ONE2]])
  // CHECK: %[[WHERE2:.*]] = onnx.Where(%[[LESS2]], %[[ADD]], %[[WHERE]])
  // CHECK: return %[[WHERE2]]
  %0 = onnx.Shrink(%x) {bias = 1.0 : f32, lambd = 1.5 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// Integers are moved as floats and cut back.
// CHECK-LABEL: @decompose_shrink_refused(
func.func @decompose_shrink_refused(%x: tensor<2xi32>) -> tensor<2xi32> {
  // CHECK: onnx.Shrink(
  %0 = onnx.Shrink(%x) {bias = 1.0 : f32, lambd = 1.5 : f32} : (tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// CHECK-LABEL: @decompose_softplus(
// CHECK-SAME: %[[X:[^:]*]]:
func.func @decompose_softplus(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: %[[ZERO:.*]] = onnx.Constant {{.*}}dense<0.000000e+00>
  // CHECK: %[[MAX:.*]] = onnx.Max(%[[X]], %[[ZERO]])
  // CHECK: %[[ABS:.*]] = onnx.Abs(%[[X]])
  // CHECK: %[[NEG:.*]] = onnx.Neg(%[[ABS]])
  // CHECK: %[[EXP:.*]] = onnx.Exp(%[[NEG]])
  // CHECK: %[[ONE:.*]] = onnx.Constant {{.*}}dense<1.000000e+00>
  // CHECK: %[[ADD:.*]] = onnx.Add(%[[ONE]], %[[EXP]])
  // CHECK: %[[LOG:.*]] = onnx.Log(%[[ADD]])
  // CHECK: %[[ADD2:.*]] = onnx.Add(%[[MAX]], %[[LOG]])
  // CHECK: return %[[ADD2]]
  %0 = onnx.Softplus(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @decompose_softplus_refused(
func.func @decompose_softplus_refused(%x: !onnx.unknown) -> !onnx.unknown {
  // CHECK: onnx.Softplus(
  %0 = onnx.Softplus(%x) : (!onnx.unknown) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// -----

// CHECK-LABEL: @decompose_softsign(
// CHECK-SAME: %[[X:[^:]*]]:
func.func @decompose_softsign(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: %[[ABS:.*]] = onnx.Abs(%[[X]])
  // CHECK: %[[ONE:.*]] = onnx.Constant {{.*}}dense<1.000000e+00>
  // CHECK: %[[ADD:.*]] = onnx.Add(%[[ONE]], %[[ABS]])
  // CHECK: %[[DIV:.*]] = onnx.Div(%[[X]], %[[ADD]])
  // CHECK: return %[[DIV]]
  %0 = onnx.Softsign(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @decompose_softsign_refused(
func.func @decompose_softsign_refused(%x: !onnx.unknown) -> !onnx.unknown {
  // CHECK: onnx.Softsign(
  %0 = onnx.Softsign(%x) : (!onnx.unknown) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// -----

// CHECK-LABEL: @decompose_swiglu(
// CHECK-SAME: %[[A:[^:]*]]:{{.*}} %[[B:[^:]*]]:
func.func @decompose_swiglu(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: %[[SIGMOID:.*]] = onnx.Sigmoid(%[[A]])
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[A]], %[[SIGMOID]])
  // CHECK: %[[MUL2:.*]] = onnx.Mul(%[[MUL]], %[[B]])
  // CHECK: return %[[MUL2]]
  %0 = onnx.SwiGLU(%a, %b) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @decompose_swish(
// CHECK-SAME: %[[X:[^:]*]]:
func.func @decompose_swish(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: %[[SIGMOID:.*]] = onnx.Sigmoid(%[[X]])
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[X]], %[[SIGMOID]])
  // CHECK: return %[[MUL]]
  %0 = onnx.Swish(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @decompose_swish_with_alpha(
// CHECK-SAME: %[[X:[^:]*]]:
func.func @decompose_swish_with_alpha(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: %[[TWO:.*]] = onnx.Constant {{.*}}dense<2.000000e+00>
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[TWO]], %[[X]])
  // CHECK: %[[SIGMOID:.*]] = onnx.Sigmoid(%[[MUL]])
  // CHECK: %[[MUL2:.*]] = onnx.Mul(%[[X]], %[[SIGMOID]])
  // CHECK: return %[[MUL2]]
  %0 = onnx.Swish(%x) {alpha = 2.0 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @decompose_thresholded_relu(
// CHECK-SAME: %[[X:[^:]*]]:
func.func @decompose_thresholded_relu(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: %[[TWO:.*]] = onnx.Constant {{.*}}dense<2.000000e+00>
  // CHECK: %[[LESS:.*]] = onnx.Less(%[[TWO]], %[[X]])
  // CHECK: %[[ZERO:.*]] = onnx.Constant {{.*}}dense<0.000000e+00>
  // CHECK: %[[WHERE:.*]] = onnx.Where(%[[LESS]], %[[X]], %[[ZERO]])
  // CHECK: return %[[WHERE]]
  %0 = onnx.ThresholdedRelu(%x) {alpha = 2.0 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @decompose_thresholded_relu_refused(
func.func @decompose_thresholded_relu_refused(%x: !onnx.unknown) -> !onnx.unknown {
  // CHECK: onnx.ThresholdedRelu(
  %0 = onnx.ThresholdedRelu(%x) {alpha = 2.0 : f32} : (!onnx.unknown) -> !onnx.unknown
  return %0 : !onnx.unknown
}
