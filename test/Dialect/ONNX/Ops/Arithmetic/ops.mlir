// RUN: invar-opt %s | invar-opt | FileCheck %s
// RUN: invar-opt %s --mlir-print-op-generic | invar-opt | FileCheck %s
// RUN: invar-opt %s --emit-bytecode | invar-opt | FileCheck %s

// CHECK-LABEL: @abs(
func.func @abs(%x: tensor<2x3xf32>) {
  // CHECK: onnx.Abs(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Abs(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @ceil(
func.func @ceil(%x: tensor<2x3xf32>) {
  // CHECK: onnx.Ceil(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Ceil(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @erf(
func.func @erf(%x: tensor<2x3xf32>) {
  // CHECK: onnx.Erf(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Erf(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @exp(
func.func @exp(%x: tensor<2x3xf32>) {
  // CHECK: onnx.Exp(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Exp(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @floor(
func.func @floor(%x: tensor<2x3xf32>) {
  // CHECK: onnx.Floor(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Floor(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @log(
func.func @log(%x: tensor<2x3xf32>) {
  // CHECK: onnx.Log(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Log(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @neg(
func.func @neg(%x: tensor<2x3xf32>) {
  // CHECK: onnx.Neg(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Neg(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @reciprocal(
func.func @reciprocal(%x: tensor<2x3xf32>) {
  // CHECK: onnx.Reciprocal(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Reciprocal(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @round(
func.func @round(%x: tensor<2x3xf32>) {
  // CHECK: onnx.Round(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Round(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @sign(
func.func @sign(%x: tensor<2x3xf32>) {
  // CHECK: onnx.Sign(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Sign(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @sqrt(
func.func @sqrt(%x: tensor<2x3xf32>) {
  // CHECK: onnx.Sqrt(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Sqrt(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @add(
func.func @add(%a: tensor<2x1xf32>, %b: tensor<?x3xf32>) {
  // CHECK: onnx.Add(%arg0, %arg1) : (tensor<2x1xf32>, tensor<?x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Add(%a, %b) : (tensor<2x1xf32>, tensor<?x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @div(
func.func @div(%a: tensor<2x1xf32>, %b: tensor<?x3xf32>) {
  // CHECK: onnx.Div(%arg0, %arg1) : (tensor<2x1xf32>, tensor<?x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Div(%a, %b) : (tensor<2x1xf32>, tensor<?x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @mod(
func.func @mod(%a: tensor<2x1xf32>, %b: tensor<?x3xf32>) {
  // CHECK: onnx.Mod(%arg0, %arg1) : (tensor<2x1xf32>, tensor<?x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Mod(%a, %b) : (tensor<2x1xf32>, tensor<?x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @mul(
func.func @mul(%a: tensor<2x1xf32>, %b: tensor<?x3xf32>) {
  // CHECK: onnx.Mul(%arg0, %arg1) : (tensor<2x1xf32>, tensor<?x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Mul(%a, %b) : (tensor<2x1xf32>, tensor<?x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @pow(
func.func @pow(%a: tensor<2x1xf32>, %b: tensor<?x3xf32>) {
  // CHECK: onnx.Pow(%arg0, %arg1) : (tensor<2x1xf32>, tensor<?x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Pow(%a, %b) : (tensor<2x1xf32>, tensor<?x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @sub(
func.func @sub(%a: tensor<2x1xf32>, %b: tensor<?x3xf32>) {
  // CHECK: onnx.Sub(%arg0, %arg1) : (tensor<2x1xf32>, tensor<?x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Sub(%a, %b) : (tensor<2x1xf32>, tensor<?x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @mod_2(
func.func @mod_2(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  // CHECK: onnx.Mod(%arg0, %arg1) {fmod = 1 : i64}
  // CHECK-SAME: : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %0 = onnx.Mod(%a, %b) {fmod = 1 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// CHECK-LABEL: @pow_2(
func.func @pow_2(%a: tensor<2xf32>, %b: tensor<i64>) {
  // CHECK: onnx.Pow(%arg0, %arg1) : (tensor<2xf32>, tensor<i64>) -> tensor<2xf32>
  %0 = onnx.Pow(%a, %b) : (tensor<2xf32>, tensor<i64>) -> tensor<2xf32>
  return
}

// CHECK-LABEL: @clip(
func.func @clip(%input: tensor<2x3xf32>, %max: tensor<f32>) {
  // CHECK: onnx.Clip(%arg0, _, %arg1) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %0 = onnx.Clip(%input, _, %max) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @max(
func.func @max(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<f32>) {
  // CHECK: onnx.Max(%arg0, %arg1, %arg2)
  // CHECK-SAME: : (tensor<2x3xf32>, tensor<3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %0 = onnx.Max(%a, %b, %c)
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @mean(
func.func @mean(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<f32>) {
  // CHECK: onnx.Mean(%arg0, %arg1, %arg2)
  // CHECK-SAME: : (tensor<2x3xf32>, tensor<3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %0 = onnx.Mean(%a, %b, %c)
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @min(
func.func @min(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<f32>) {
  // CHECK: onnx.Min(%arg0, %arg1, %arg2)
  // CHECK-SAME: : (tensor<2x3xf32>, tensor<3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %0 = onnx.Min(%a, %b, %c)
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @sum(
func.func @sum(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<f32>) {
  // CHECK: onnx.Sum(%arg0, %arg1, %arg2)
  // CHECK-SAME: : (tensor<2x3xf32>, tensor<3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %0 = onnx.Sum(%a, %b, %c)
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return
}
