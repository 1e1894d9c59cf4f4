// RUN: invar-opt --invar-infer-shapes --invar-onnx-to-linalg --canonicalize --cse --split-input-file %s | FileCheck %s

// Forwards it is a slice, which kernels read where it is.
// CHECK-LABEL: @forwards(
// CHECK: tensor.extract_slice %{{.*}}[1, 0] [3, 4] [2, 1] : tensor<8x4xf32> to tensor<3x4xf32>
func.func @forwards(%x: tensor<8x4xf32>) -> tensor<*xf32> {
  %starts = onnx.Constant dense<1> : tensor<1xi64>
  %ends = onnx.Constant dense<-2> : tensor<1xi64>
  %axes = onnx.Constant dense<0> : tensor<1xi64>
  %steps = onnx.Constant dense<2> : tensor<1xi64>
  %0 = onnx.Slice(%x, %starts, %ends, %axes, %steps)
      : (tensor<8x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// A part that has nothing may begin where the tensor ends.
// CHECK-LABEL: @nothing(
// CHECK-NEXT: tensor.empty() : tensor<0x4xf32>
func.func @nothing(%x: tensor<8x4xf32>) -> tensor<*xf32> {
  %starts = onnx.Constant dense<8> : tensor<1xi64>
  %ends = onnx.Constant dense<9> : tensor<1xi64>
  %0 = onnx.Slice(%x, %starts, %ends) : (tensor<8x4xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @backwards(
// CHECK: %[[PLACE:.*]] = linalg.index 0
// CHECK: %[[FROM:.*]] = arith.subi %c7, %[[PLACE]]
// CHECK: tensor.extract %{{.*}}[%[[FROM]], %{{.*}}]
func.func @backwards(%x: tensor<8x4xf32>) -> tensor<*xf32> {
  %starts = onnx.Constant dense<-1> : tensor<1xi64>
  %ends = onnx.Constant dense<-100> : tensor<1xi64>
  %axes = onnx.Constant dense<0> : tensor<1xi64>
  %steps = onnx.Constant dense<-1> : tensor<1xi64>
  %0 = onnx.Slice(%x, %starts, %ends, %axes, %steps)
      : (tensor<8x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// Where only the program knows a step, no place is outside whatever it is.
// CHECK-LABEL: @open_step(
// CHECK: linalg.generic
// CHECK: arith.minsi
// CHECK: %[[FROM:.*]] = arith.maxsi
// CHECK: tensor.extract %{{.*}}[%[[FROM]]]
func.func @open_step(%x: tensor<8xf32>, %starts: tensor<1xi64>, %steps: tensor<1xi64>) -> tensor<*xf32> {
  %axes = onnx.Constant dense<0> : tensor<1xi64>
  %0 = onnx.Slice(%x, %starts, %starts, %axes, %steps)
      : (tensor<8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// Parts that only the program knows must not be negative, and add up.
// CHECK-LABEL: @split(
// CHECK-COUNT-2: cf.assert {{.*}}, "expected parts of at least 0"
// CHECK: cf.assert {{.*}}, "expected parts that add up to the axis"
// CHECK: tensor.extract_slice %{{.*}}[0, 0] [%{{.*}}, 2] [1, 1]
// CHECK: tensor.extract_slice
func.func @split(%x: tensor<8x2xf32>, %sizes: tensor<2xi64>) -> (tensor<*xf32>, tensor<*xf32>) {
  %0:2 = onnx.Split(%x, %sizes) : (tensor<8x2xf32>, tensor<2xi64>) -> (tensor<*xf32>, tensor<*xf32>)
  return %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

// CHECK-LABEL: @center(
// CHECK: %[[PART:.*]] = tensor.extract_slice %{{.*}}[2, 0] [3, 4] [1, 1]
// CHECK: tensor.pad %[[PART]] low[0, 1] high[0, 2]
func.func @center(%x: tensor<8x4xf32>) -> tensor<*xf32> {
  %shape = onnx.Constant dense<[3, 7]> : tensor<2xi64>
  %0 = onnx.CenterCropPad(%x, %shape) : (tensor<8x4xf32>, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @triangle(
// CHECK-DAG: %[[ROW:.*]] = linalg.index 1
// CHECK-DAG: %[[COLUMN:.*]] = linalg.index 2
// CHECK: %[[PLACE:.*]] = arith.subi %[[COLUMN]], %[[ROW]]
// CHECK: arith.cmpi sle, %[[PLACE]], %c0
func.func @triangle(%x: tensor<2x3x3xi32>) -> tensor<*xi32> {
  %0 = onnx.Trilu(%x) {upper = 0 : i64} : (tensor<2x3x3xi32>) -> tensor<*xi32>
  return %0 : tensor<*xi32>
}

// -----

// The results that are left out are said.
// CHECK-LABEL: @unique(
// CHECK: rt.call "Unique"(%{{.*}}) {results = array<i64: 0, 2>, sorted = 0 : i64}
func.func @unique(%x: tensor<6xf32>) -> (tensor<*xf32>, tensor<*xi64>) {
  %0:2 = onnx.Unique(%x) {sorted = 0 : i64} : (tensor<6xf32>) -> (tensor<*xf32>, _, tensor<*xi64>)
  return %0#0, %0#1 : tensor<*xf32>, tensor<*xi64>
}
