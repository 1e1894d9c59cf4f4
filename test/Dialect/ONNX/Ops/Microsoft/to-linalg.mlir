// RUN: invar-opt --invar-infer-shapes --invar-onnx-to-linalg --split-input-file --verify-diagnostics %s | FileCheck %s

// One nest that sums squares of differences: no tensor of all differences is made.
// CHECK-LABEL: @distances(
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]
// CHECK-SAME: outs(%{{.*}} : tensor<?x5xf32>)
// CHECK: %[[DIFFERENCE:.*]] = arith.subf %{{.*}} : f32
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[DIFFERENCE]], %[[DIFFERENCE]] : f32
// CHECK: arith.addf %{{.*}}, %[[SQUARE]] : f32
// CHECK-NOT: math.sqrt
func.func @distances(%a: tensor<?x3xf32>, %b: tensor<5x3xf32>) -> tensor<*xf32> {
  %0 = onnx.ms.CDist(%a, %b) : (tensor<?x3xf32>, tensor<5x3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// Sizes that are open have one name, so that a run that brings others is refused.
// CHECK-LABEL: @roots(
// CHECK-SAME: invar.dims = ["n", "i"]
// CHECK-SAME: invar.dims = ["m", "i"]
// CHECK: math.sqrt %{{.*}} : f64
func.func @roots(%a: tensor<?x?xf64, #onnx.dims<"n", "i">>, %b: tensor<?x?xf64, #onnx.dims<"m", "j">>) -> tensor<*xf64> {
  %0 = onnx.ms.CDist(%a, %b) {metric = "euclidean"}
      : (tensor<?x?xf64, #onnx.dims<"n", "i">>, tensor<?x?xf64, #onnx.dims<"m", "j">>) -> tensor<*xf64>
  return %0 : tensor<*xf64>
}

// -----

func.func @others(%a: tensor<2x3xf32>, %b: tensor<5x3xf32>) -> tensor<*xf32> {
  // expected-error @+1 {{'CDist' of the domain 'com.microsoft' cannot be compiled: its metric is 'cosine'}}
  %0 = onnx.ms.CDist(%a, %b) {metric = "cosine"} : (tensor<2x3xf32>, tensor<5x3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

!str = !elements.string

// CHECK-LABEL: @hash(
// CHECK: rt.call "MurmurHash3"(%arg0) {seed = 0 : i64} : {{.*}} -> tensor<?xi32>
func.func @hash(%x: tensor<?x!str>) -> tensor<*xi32> {
  %0 = onnx.ms.MurmurHash3(%x) {positive = 0 : i64} : (tensor<?x!str>) -> tensor<*xi32>
  return %0 : tensor<*xi32>
}

// -----

!str = !elements.string

// CHECK-LABEL: @tokens(
// CHECK: rt.call "Tokenizer"(%arg0) {{.*}}separators = [" "]{{.*}} -> tensor<?x?x!elements.string>
func.func @tokens(%x: tensor<?x!str>) -> tensor<*x!str> {
  %0 = onnx.ms.Tokenizer(%x) {mark = 0 : i64, mincharnum = 1 : i64, pad_value = "", separators = [" "]}
      : (tensor<?x!str>) -> tensor<*x!str>
  return %0 : tensor<*x!str>
}

// -----

!str = !elements.string

func.func @no_pattern(%x: tensor<?x!str>) -> tensor<*x!str> {
  // expected-error @+1 {{'Tokenizer' of the domain 'com.microsoft' cannot be compiled: expected a pattern of RE2, but got '(': missing ): (}}
  %0 = onnx.ms.Tokenizer(%x) {mark = 0 : i64, mincharnum = 1 : i64, pad_value = "", tokenexp = "("}
      : (tensor<?x!str>) -> tensor<*x!str>
  return %0 : tensor<*x!str>
}
