// RUN: invar-opt --invar-constprop --split-input-file %s | FileCheck %s

// CHECK-LABEL: @reshapes(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x4x6xf32
func.func @reshapes(%x: tensor<?x4x6xf32, #onnx.dims<"n", "", "">>) -> (tensor<?x3x8xf32>, tensor<?x24xf32>, tensor<?x24x1xf32>) {
  // The size that 0 copies is that of %x, too.
  // CHECK-DAG: %[[TARGET:.*]] = onnx.Constant dense<[0, 3, 8]>
  // CHECK-DAG: %[[A:.*]] = onnx.Reshape(%[[X]], %[[TARGET]])
  %target = onnx.Constant dense<[0, 3, 8]> : tensor<3xi64>
  %0 = onnx.Flatten(%x) : (tensor<?x4x6xf32, #onnx.dims<"n", "", "">>) -> tensor<*xf32>
  %1 = onnx.Reshape(%0, %target) : (tensor<*xf32>, tensor<3xi64>) -> tensor<?x3x8xf32>
  // A shape that is computed, of which all is known but one size that can be copied.
  // CHECK-DAG: %[[COPY:.*]] = onnx.Constant {{.*}}dense<[0, 24]>
  // CHECK-DAG: %[[B:.*]] = onnx.Reshape(%[[X]], %[[COPY]])
  // CHECK-NOT: onnx.Shape(
  %n = onnx.Shape(%x) {end = 1 : i64, start = 0 : i64} : (tensor<?x4x6xf32, #onnx.dims<"n", "", "">>) -> tensor<1xi64>
  %rest = onnx.Constant dense<24> : tensor<1xi64>
  %computed = onnx.Concat(%n, %rest) {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %2 = onnx.Reshape(%x, %computed) : (tensor<?x4x6xf32, #onnx.dims<"n", "", "">>, tensor<2xi64>) -> tensor<?x24xf32>
  // CHECK-DAG: %[[LAST:.*]] = onnx.Constant {{.*}}dense<[0, 24, 1]>
  // CHECK-DAG: %[[C:.*]] = onnx.Reshape(%[[X]], %[[LAST]])
  %two = onnx.Constant dense<2> : tensor<1xi64>
  %3 = onnx.Unsqueeze(%2, %two) : (tensor<?x24xf32>, tensor<1xi64>) -> tensor<?x24x1xf32>
  // CHECK: return %[[A]], %[[B]], %[[C]]
  return %1, %2, %3 : tensor<?x3x8xf32>, tensor<?x24xf32>, tensor<?x24x1xf32>
}

// -----

// What 0 copies is not there before, and more than one size is open.
// CHECK-LABEL: @kept_reshapes(
func.func @kept_reshapes(%x: tensor<?x?x6xf32, #onnx.dims<"n", "m", "">>, %y: tensor<3xi64>) -> tensor<*xf32> {
  %target = onnx.Constant dense<[0, 0, 3, -1]> : tensor<4xi64>
  // CHECK: %[[A:.*]] = onnx.Reshape(
  // CHECK: onnx.Reshape(%[[A]], %{{.*}})
  %0 = onnx.Reshape(%x, %y) : (tensor<?x?x6xf32, #onnx.dims<"n", "m", "">>, tensor<3xi64>) -> tensor<*xf32>
  %1 = onnx.Reshape(%0, %target) : (tensor<*xf32>, tensor<4xi64>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @squeezes(
// CHECK-SAME: %[[X:[^:]*]]: tensor<1x?x1x?xf32
func.func @squeezes(%x: tensor<1x?x1x?xf32, #onnx.dims<"", "n", "", "m">>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  %first = onnx.Constant dense<0> : tensor<1xi64>
  %second = onnx.Constant dense<1> : tensor<1xi64>
  // CHECK-DAG: %[[BOTH:.*]] = onnx.Constant {{.*}}dense<[0, 2]>
  // CHECK-DAG: %[[A:.*]] = onnx.Squeeze(%[[X]], %[[BOTH]])
  %0 = onnx.Squeeze(%x, %first) : (tensor<1x?x1x?xf32, #onnx.dims<"", "n", "", "m">>, tensor<1xi64>) -> tensor<*xf32>
  %1 = onnx.Squeeze(%0, %second) : (tensor<*xf32>, tensor<1xi64>) -> tensor<*xf32>
  // CHECK-DAG: %[[B:.*]] = onnx.Unsqueeze(%[[X]], %[[BOTH]])
  %2 = onnx.Unsqueeze(%x, %second) : (tensor<1x?x1x?xf32, #onnx.dims<"", "n", "", "m">>, tensor<1xi64>) -> tensor<*xf32>
  %3 = onnx.Unsqueeze(%2, %first) : (tensor<*xf32>, tensor<1xi64>) -> tensor<*xf32>
  // One that was put in and two that are taken.
  // CHECK-DAG: %[[LEFT:.*]] = onnx.Constant {{.*}}dense<2> : tensor<1xi64>
  // CHECK-DAG: %[[C:.*]] = onnx.Squeeze(%[[X]], %[[LEFT]])
  %taken = onnx.Constant dense<[3, 1]> : tensor<2xi64>
  %4 = onnx.Squeeze(%2, %taken) : (tensor<*xf32>, tensor<2xi64>) -> tensor<*xf32>
  %5 = onnx.Squeeze(%2, %second) : (tensor<*xf32>, tensor<1xi64>) -> tensor<*xf32>
  %6 = onnx.Unsqueeze(%0, %first) : (tensor<*xf32>, tensor<1xi64>) -> tensor<*xf32>
  // CHECK: return %[[A]], %[[B]], %[[C]], %[[X]], %[[X]]
  return %1, %3, %4, %5, %6 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}

// -----

// Another axis is put in than was taken away, or no axes are known.
// CHECK-LABEL: @kept_squeezes(
func.func @kept_squeezes(%x: tensor<1x?xf32, #onnx.dims<"", "n">>, %axes: tensor<1xi64>) -> (tensor<*xf32>, tensor<*xf32>) {
  %first = onnx.Constant dense<0> : tensor<1xi64>
  %second = onnx.Constant dense<1> : tensor<1xi64>
  // CHECK: %[[A:.*]] = onnx.Squeeze(
  // CHECK: onnx.Unsqueeze(%[[A]], %{{.*}})
  // CHECK: %[[B:.*]] = onnx.Unsqueeze(
  // CHECK: onnx.Squeeze(%[[B]], %{{.*}})
  %0 = onnx.Squeeze(%x, %first) : (tensor<1x?xf32, #onnx.dims<"", "n">>, tensor<1xi64>) -> tensor<*xf32>
  %1 = onnx.Unsqueeze(%0, %second) : (tensor<*xf32>, tensor<1xi64>) -> tensor<*xf32>
  %2 = onnx.Unsqueeze(%x, %second) : (tensor<1x?xf32, #onnx.dims<"", "n">>, tensor<1xi64>) -> tensor<*xf32>
  %3 = onnx.Squeeze(%2, %axes) : (tensor<*xf32>, tensor<1xi64>) -> tensor<*xf32>
  return %1, %3 : tensor<*xf32>, tensor<*xf32>
}
