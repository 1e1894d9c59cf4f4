// RUN: invar-opt --invar-infer-shapes --invar-onnx-to-linalg --split-input-file --verify-diagnostics %s | FileCheck %s

// CHECK-LABEL: @scaler(
// CHECK: linalg.generic {{.*}} ins(%arg0, %{{.*}}, %{{.*}} : tensor<?x3xf32>, tensor<1xf32>, tensor<1xf32>)
// CHECK: arith.subf %{{.*}} : f64
// CHECK: arith.mulf %{{.*}} : f64
func.func @scaler(%x: tensor<?x3xf32>) -> tensor<*xf32> {
  %0 = onnx.ml.Scaler(%x) {offset = array<f32: 1.0>, scale = array<f32: 2.0>} : (tensor<?x3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @scaler_of_other_features(%x: tensor<?x3xf32>) -> tensor<*xf32> {
  // expected-error @+1 {{cannot be compiled: expected an entry of 'offset' for each feature, or one}}
  %0 = onnx.ml.Scaler(%x) {offset = array<f32: 1.0, 2.0>, scale = array<f32: 2.0, 3.0>} : (tensor<?x3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @binarizer(
// CHECK: %[[IS_ABOVE:.*]] = arith.cmpf olt, %{{.*}} : f64
// CHECK: arith.extui %[[IS_ABOVE]] : i1 to i64
func.func @binarizer(%x: tensor<4xi64>) -> tensor<*xi64> {
  %0 = onnx.ml.Binarizer(%x) {threshold = 0.5 : f32} : (tensor<4xi64>) -> tensor<*xi64>
  return %0 : tensor<*xi64>
}

// -----

// Integers are compared as such, also those that no float is.
// CHECK-LABEL: @imputer(
// CHECK: %[[REPLACED:.*]] = arith.constant 9007199254740993 : i64
// CHECK: arith.cmpi eq, %{{.*}}, %[[REPLACED]] : i64
func.func @imputer(%x: tensor<4xi64>) -> tensor<*xi64> {
  %0 = onnx.ml.Imputer(%x) {imputed_value_int64s = array<i64: 7>, replaced_value_int64 = 9007199254740993 : i64} : (tensor<4xi64>) -> tensor<*xi64>
  return %0 : tensor<*xi64>
}

// -----

// CHECK-LABEL: @labels(
// CHECK: rt.call "LabelEncoder"(%arg0) {keys = ["a"], otherwise = dense<7> : tensor<1xi16>, values = dense<3>
func.func @labels(%x: tensor<4x!elements.string>) -> tensor<*xi16> {
  %0 = onnx.ml.LabelEncoder(%x) {default_tensor = dense<7> : tensor<1xi16>, keys_strings = ["a"], values_tensor = dense<3> : tensor<1xi16>} : (tensor<4x!elements.string>) -> tensor<*xi16>
  return %0 : tensor<*xi16>
}

// -----

// CHECK-LABEL: @zip(
// CHECK-SAME: -> (!rt.seq<!rt.map<!elements.string, f32>>
// CHECK: rt.call "ZipMap"(%arg0) {labels = ["b", "a"]} : (tensor<?x2xf32>) -> !rt.seq<!rt.map<!elements.string, f32>>
func.func @zip(%x: tensor<?x2xf32>) -> !onnx.seq<!onnx.map<!elements.string, tensor<*xf32>>> {
  %0 = onnx.ml.ZipMap(%x) {classlabels_strings = ["b", "a"]} : (tensor<?x2xf32>) -> !onnx.seq<!onnx.map<!elements.string, tensor<*xf32>>>
  return %0 : !onnx.seq<!onnx.map<!elements.string, tensor<*xf32>>>
}

// -----

// Values of a map are scalars, whether or not a model writes them as tensors of one.
// CHECK-LABEL: @vectorize(
// CHECK-SAME: %[[X:.*]]: !rt.map<i64, f64>
// CHECK: rt.call "DictVectorizer"(%[[X]]) {vocabulary = array<i64: 3, 1>} : (!rt.map<i64, f64>) -> tensor<1x2xf64>
func.func @vectorize(%x: !onnx.map<i64, tensor<1xf64>>) -> tensor<*xf64> {
  %0 = onnx.ml.DictVectorizer(%x) {int64_vocabulary = array<i64: 3, 1>} : (!onnx.map<i64, tensor<1xf64>>) -> tensor<*xf64>
  return %0 : tensor<*xf64>
}

// -----

// expected-error @+1 {{expected input 0 to be a tensor, sequence, optional or map to scalars, but got '!onnx.map<i64, tensor<3xf32>>'}}
func.func @no_scalars(%x: !onnx.map<i64, tensor<3xf32>>) -> !onnx.map<i64, tensor<3xf32>> {
  return %x : !onnx.map<i64, tensor<3xf32>>
}
