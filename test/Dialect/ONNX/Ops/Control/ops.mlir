// RUN: invar-opt %s | invar-opt | FileCheck %s
// RUN: invar-opt %s --mlir-print-op-generic | invar-opt | FileCheck %s
// RUN: invar-opt %s --emit-bytecode | invar-opt | FileCheck %s

// CHECK-LABEL: @if(
func.func @if(%cond: tensor<i1>, %x: tensor<2xf32>) {
  // CHECK: onnx.If(%arg0) : (tensor<i1>) -> tensor<2xf32> {
  // CHECK:   onnx.Yield(%arg1) : tensor<2xf32>
  // CHECK: } {
  // CHECK:   %[[NEG:.*]] = onnx.Neg(%arg1)
  // CHECK:   onnx.Yield(%[[NEG]]) : tensor<2xf32>
  %0 = onnx.If(%cond) : (tensor<i1>) -> tensor<2xf32> {
    onnx.Yield(%x) : tensor<2xf32>
  } {
    %neg = onnx.Neg(%x) : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield(%neg) : tensor<2xf32>
  }
  return
}

// CHECK-LABEL: @loop(
func.func @loop(%M: tensor<i64>, %state: tensor<?xf32>) {
  // CHECK: onnx.Loop(%arg0, _, %arg1) : (tensor<i64>, tensor<?xf32>)
  // CHECK-SAME: -> (tensor<?xf32>, tensor<?x2xf32>) {
  // CHECK: ^bb0(%{{.*}}: tensor<i64>, %{{.*}}: tensor<i1>, %{{.*}}: tensor<?xf32>):
  %0:2 = onnx.Loop(%M, _, %state)
      : (tensor<i64>, tensor<?xf32>) -> (tensor<?xf32>, tensor<?x2xf32>) {
  ^bb0(%i: tensor<i64>, %go_on: tensor<i1>, %s: tensor<?xf32>):
    %slice = onnx.Custom "com.example" "Slice"(%s) : (tensor<?xf32>) -> tensor<2xf32>
    onnx.Yield(%go_on, %s, %slice) : tensor<i1>, tensor<?xf32>, tensor<2xf32>
  }
  return
}

// An optional state may come to stay.
// CHECK-LABEL: @loop_2(
func.func @loop_2(%M: tensor<i64>, %state: !onnx.opt<tensor<2xf32>>, %x: tensor<2xf32>) {
  // CHECK: onnx.Loop(%arg0, _, %arg1)
  // CHECK-SAME: : (tensor<i64>, !onnx.opt<tensor<2xf32>>) -> tensor<2xf32> {
  %0 = onnx.Loop(%M, _, %state)
      : (tensor<i64>, !onnx.opt<tensor<2xf32>>) -> tensor<2xf32> {
  ^bb0(%i: tensor<i64>, %go_on: tensor<i1>, %s: !onnx.opt<tensor<2xf32>>):
    onnx.Yield(%go_on, %x) : tensor<i1>, tensor<2xf32>
  }
  return
}

// CHECK-LABEL: @scan(
func.func @scan(%state: tensor<f32>, %x: tensor<5x3xf32>) {
  // CHECK: onnx.Scan(%arg0, %arg1)
  // CHECK-SAME: {num_scan_inputs = 1 : i64, scan_input_axes = array<i64: 1>,
  // CHECK-SAME: scan_output_directions = array<i64: 1>}
  // CHECK-SAME: : (tensor<f32>, tensor<5x3xf32>) -> (tensor<f32>, tensor<3x5xf32>) {
  %0:2 = onnx.Scan(%state, %x)
      {num_scan_inputs = 1 : i64, scan_input_axes = array<i64: 1>,
       scan_output_directions = array<i64: 1>}
      : (tensor<f32>, tensor<5x3xf32>) -> (tensor<f32>, tensor<3x5xf32>) {
  ^bb0(%s: tensor<f32>, %column: tensor<5xf32>):
    onnx.Yield(%s, %column) : tensor<f32>, tensor<5xf32>
  }
  return
}

// CHECK-LABEL: @sequencemap(
func.func @sequencemap(%s: !onnx.seq<tensor<2xf32>>, %x: tensor<2xf32>) {
  // CHECK: onnx.SequenceMap(%arg0, %arg1)
  // CHECK-SAME: : (!onnx.seq<tensor<2xf32>>, tensor<2xf32>) -> !onnx.seq<tensor<2xf32>> {
  %0 = onnx.SequenceMap(%s, %x)
      : (!onnx.seq<tensor<2xf32>>, tensor<2xf32>) -> !onnx.seq<tensor<2xf32>> {
  ^bb0(%element: tensor<2xf32>, %other: tensor<2xf32>):
    %sum = onnx.Add(%element, %other) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield(%sum) : tensor<2xf32>
  }
  return
}
