// RUN: invar-opt %s | invar-opt | FileCheck %s
// RUN: invar-opt %s --mlir-print-op-generic | invar-opt | FileCheck %s
// RUN: invar-opt %s --emit-bytecode | invar-opt | FileCheck %s

// CHECK-LABEL: @arrayfeatureextractor(
func.func @arrayfeatureextractor(%X: tensor<3x4xf32>, %Y: tensor<2xi64>) {
  // CHECK: onnx.ml.ArrayFeatureExtractor(%arg0, %arg1)
  // CHECK-SAME: : (tensor<3x4xf32>, tensor<2xi64>) -> tensor<3x2xf32>
  %0 = onnx.ml.ArrayFeatureExtractor(%X, %Y)
      : (tensor<3x4xf32>, tensor<2xi64>) -> tensor<3x2xf32>
  return
}

// CHECK-LABEL: @binarizer(
func.func @binarizer(%X: tensor<3x4xf32>) {
  // CHECK: onnx.ml.Binarizer(%arg0) {threshold = 5.000000e-01 : f32}
  // CHECK-SAME: : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %0 = onnx.ml.Binarizer(%X) {threshold = 5.000000e-01 : f32}
      : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

// CHECK-LABEL: @castmap(
func.func @castmap(%X: !onnx.map<i64, f32>) {
  // CHECK: onnx.ml.CastMap(%arg0)
  // CHECK-SAME: {cast_to = "TO_INT64", map_form = "SPARSE", max_map = 4 : i64}
  // CHECK-SAME: : (!onnx.map<i64, f32>) -> tensor<1x4xi64>
  %0 = onnx.ml.CastMap(%X) {cast_to = "TO_INT64", map_form = "SPARSE", max_map = 4 : i64}
      : (!onnx.map<i64, f32>) -> tensor<1x4xi64>
  return
}

// CHECK-LABEL: @categorymapper(
func.func @categorymapper(%X: tensor<3x!elements.string>) {
  // CHECK: onnx.ml.CategoryMapper(%arg0)
  // CHECK-SAME: {cats_int64s = array<i64: 1, 2>, cats_strings = ["a", "b"]}
  // CHECK-SAME: : (tensor<3x!elements.string>) -> tensor<3xi64>
  %0 = onnx.ml.CategoryMapper(%X)
      {cats_int64s = array<i64: 1, 2>, cats_strings = ["a", "b"]}
      : (tensor<3x!elements.string>) -> tensor<3xi64>
  return
}

// CHECK-LABEL: @dictvectorizer(
func.func @dictvectorizer(%X: !onnx.map<!elements.string, f32>) {
  // CHECK: onnx.ml.DictVectorizer(%arg0) {string_vocabulary = ["a", "b"]}
  // CHECK-SAME: : (!onnx.map<!elements.string, f32>) -> tensor<1x2xf32>
  %0 = onnx.ml.DictVectorizer(%X) {string_vocabulary = ["a", "b"]}
      : (!onnx.map<!elements.string, f32>) -> tensor<1x2xf32>
  return
}

// CHECK-LABEL: @featurevectorizer(
func.func @featurevectorizer(%a: tensor<1x2xf32>, %b: tensor<1x3xf32>) {
  // CHECK: onnx.ml.FeatureVectorizer(%arg0, %arg1) {inputdimensions = array<i64: 2, 3>}
  // CHECK-SAME: : (tensor<1x2xf32>, tensor<1x3xf32>) -> tensor<1x5xf32>
  %0 = onnx.ml.FeatureVectorizer(%a, %b) {inputdimensions = array<i64: 2, 3>}
      : (tensor<1x2xf32>, tensor<1x3xf32>) -> tensor<1x5xf32>
  return
}

// CHECK-LABEL: @imputer(
func.func @imputer(%X: tensor<3x4xf32>) {
  // CHECK: onnx.ml.Imputer(%arg0)
  // CHECK-SAME: {imputed_value_floats = array<f32: 1.000000e+00>,
  // CHECK-SAME: replaced_value_float = 2.000000e+00 : f32}
  // CHECK-SAME: : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %0 = onnx.ml.Imputer(%X)
      {imputed_value_floats = array<f32: 1.000000e+00>,
       replaced_value_float = 2.000000e+00 : f32}
      : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

// CHECK-LABEL: @labelencoder(
func.func @labelencoder(%X: tensor<3xi64>) {
  // CHECK: onnx.ml.LabelEncoder(%arg0)
  // CHECK-SAME: {default_string = "none", keys_int64s = array<i64: 1, 2>,
  // CHECK-SAME: values_strings = ["a", "b"]}
  // CHECK-SAME: : (tensor<3xi64>) -> tensor<3x!elements.string>
  %0 = onnx.ml.LabelEncoder(%X)
      {default_string = "none", keys_int64s = array<i64: 1, 2>, values_strings = ["a",
       "b"]}
      : (tensor<3xi64>) -> tensor<3x!elements.string>
  return
}

// CHECK-LABEL: @labelencoder_2(
func.func @labelencoder_2(%X: tensor<3xi16>) {
  // CHECK: onnx.ml.LabelEncoder(%arg0)
  // CHECK-SAME: {keys_tensor = dense<[1, 2]> : tensor<2xi16>,
  // CHECK-SAME: values_tensor = dense<[3, 4]> : tensor<2xi16>}
  // CHECK-SAME: : (tensor<3xi16>) -> tensor<3xi16>
  %0 = onnx.ml.LabelEncoder(%X)
      {keys_tensor = dense<[1, 2]> : tensor<2xi16>,
       values_tensor = dense<[3, 4]> : tensor<2xi16>}
      : (tensor<3xi16>) -> tensor<3xi16>
  return
}

// CHECK-LABEL: @linearclassifier(
func.func @linearclassifier(%X: tensor<3x1xf32>) {
  // CHECK: onnx.ml.LinearClassifier(%arg0)
  // CHECK-SAME: {classlabels_ints = array<i64: 0, 1>,
  // CHECK-SAME: coefficients = array<f32: 1.000000e+00, 2.000000e+00>,
  // CHECK-SAME: post_transform = "SOFTMAX"}
  // CHECK-SAME: : (tensor<3x1xf32>) -> (tensor<3xi64>, tensor<3x2xf32>)
  %0:2 = onnx.ml.LinearClassifier(%X)
      {classlabels_ints = array<i64: 0, 1>,
       coefficients = array<f32: 1.000000e+00, 2.000000e+00>, post_transform = "SOFTMAX"}
      : (tensor<3x1xf32>) -> (tensor<3xi64>, tensor<3x2xf32>)
  return
}

// CHECK-LABEL: @linearregressor(
func.func @linearregressor(%X: tensor<3x1xf32>) {
  // CHECK: onnx.ml.LinearRegressor(%arg0)
  // CHECK-SAME: {coefficients = array<f32: 1.000000e+00, 2.000000e+00>,
  // CHECK-SAME: targets = 2 : i64}
  // CHECK-SAME: : (tensor<3x1xf32>) -> tensor<3x2xf32>
  %0 = onnx.ml.LinearRegressor(%X)
      {coefficients = array<f32: 1.000000e+00, 2.000000e+00>, targets = 2 : i64}
      : (tensor<3x1xf32>) -> tensor<3x2xf32>
  return
}

// CHECK-LABEL: @normalizer(
func.func @normalizer(%X: tensor<3x4xf32>) {
  // CHECK: onnx.ml.Normalizer(%arg0) {norm = "L2"} : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %0 = onnx.ml.Normalizer(%X) {norm = "L2"} : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

// CHECK-LABEL: @onehotencoder(
func.func @onehotencoder(%X: tensor<3xi64>) {
  // CHECK: onnx.ml.OneHotEncoder(%arg0) {cats_int64s = array<i64: 1, 2>, zeros = 0 : i64}
  // CHECK-SAME: : (tensor<3xi64>) -> tensor<3x2xf32>
  %0 = onnx.ml.OneHotEncoder(%X) {cats_int64s = array<i64: 1, 2>, zeros = 0 : i64}
      : (tensor<3xi64>) -> tensor<3x2xf32>
  return
}

// CHECK-LABEL: @svmclassifier(
func.func @svmclassifier(%X: tensor<3x2xf32>) {
  // CHECK: onnx.ml.SVMClassifier(%arg0)
  // CHECK-SAME: {kernel_params = array<f32: 5.000000e-01, 0.000000e+00, 3.000000e+00>,
  // CHECK-SAME: kernel_type = "RBF"}
  // CHECK-SAME: : (tensor<3x2xf32>) -> (tensor<3xi64>, tensor<3x2xf32>)
  %0:2 = onnx.ml.SVMClassifier(%X)
      {kernel_params = array<f32: 5.000000e-01, 0.000000e+00, 3.000000e+00>,
       kernel_type = "RBF"}
      : (tensor<3x2xf32>) -> (tensor<3xi64>, tensor<3x2xf32>)
  return
}

// CHECK-LABEL: @svmregressor(
func.func @svmregressor(%X: tensor<3x2xf32>) {
  // CHECK: onnx.ml.SVMRegressor(%arg0) {kernel_type = "POLY", n_supports = 2 : i64}
  // CHECK-SAME: : (tensor<3x2xf32>) -> tensor<3x1xf32>
  %0 = onnx.ml.SVMRegressor(%X) {kernel_type = "POLY", n_supports = 2 : i64}
      : (tensor<3x2xf32>) -> tensor<3x1xf32>
  return
}

// CHECK-LABEL: @scaler(
func.func @scaler(%X: tensor<3x4xf32>) {
  // CHECK: onnx.ml.Scaler(%arg0)
  // CHECK-SAME: {offset = array<f32: 1.000000e+00>, scale = array<f32: 2.000000e+00>}
  // CHECK-SAME: : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %0 = onnx.ml.Scaler(%X)
      {offset = array<f32: 1.000000e+00>, scale = array<f32: 2.000000e+00>}
      : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

// CHECK-LABEL: @treeensemble(
func.func @treeensemble(%X: tensor<3x2xf32>) {
  // CHECK: onnx.ml.TreeEnsemble(%arg0)
  // CHECK-SAME: {leaf_targetids = array<i64: 0, 0>,
  // CHECK-SAME: leaf_weights = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>,
  // CHECK-SAME: n_targets = 1 : i64, nodes_falseleafs = array<i64: 1>,
  // CHECK-SAME: nodes_falsenodeids = array<i64: 1>, nodes_featureids = array<i64: 0>,
  // CHECK-SAME: nodes_modes = dense<0> : tensor<1xui8>,
  // CHECK-SAME: nodes_splits = dense<5.000000e-01> : tensor<1xf32>,
  // CHECK-SAME: nodes_trueleafs = array<i64: 1>, nodes_truenodeids = array<i64: 0>,
  // CHECK-SAME: tree_roots = array<i64: 0>}
  // CHECK-SAME: : (tensor<3x2xf32>) -> tensor<3x1xf32>
  %0 = onnx.ml.TreeEnsemble(%X)
      {leaf_targetids = array<i64: 0, 0>,
       leaf_weights = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>,
       n_targets = 1 : i64, nodes_falseleafs = array<i64: 1>,
       nodes_falsenodeids = array<i64: 1>, nodes_featureids = array<i64: 0>,
       nodes_modes = dense<0> : tensor<1xui8>,
       nodes_splits = dense<5.000000e-01> : tensor<1xf32>,
       nodes_trueleafs = array<i64: 1>, nodes_truenodeids = array<i64: 0>,
       tree_roots = array<i64: 0>}
      : (tensor<3x2xf32>) -> tensor<3x1xf32>
  return
}

// CHECK-LABEL: @treeensembleclassifier(
func.func @treeensembleclassifier(%X: tensor<3x2xf32>) {
  // CHECK: onnx.ml.TreeEnsembleClassifier(%arg0)
  // CHECK-SAME: {class_ids = array<i64: 0>, class_weights = array<f32: 1.000000e+00>,
  // CHECK-SAME: classlabels_int64s = array<i64: 0, 1>, nodes_modes = ["LEAF"],
  // CHECK-SAME: nodes_nodeids = array<i64: 0>, nodes_treeids = array<i64: 0>}
  // CHECK-SAME: : (tensor<3x2xf32>) -> (tensor<3xi64>, tensor<3x2xf32>)
  %0:2 = onnx.ml.TreeEnsembleClassifier(%X)
      {class_ids = array<i64: 0>, class_weights = array<f32: 1.000000e+00>,
       classlabels_int64s = array<i64: 0, 1>, nodes_modes = ["LEAF"],
       nodes_nodeids = array<i64: 0>, nodes_treeids = array<i64: 0>}
      : (tensor<3x2xf32>) -> (tensor<3xi64>, tensor<3x2xf32>)
  return
}

// CHECK-LABEL: @treeensembleregressor(
func.func @treeensembleregressor(%X: tensor<3x2xf32>) {
  // CHECK: onnx.ml.TreeEnsembleRegressor(%arg0)
  // CHECK-SAME: {aggregate_function = "AVERAGE", n_targets = 1 : i64,
  // CHECK-SAME: nodes_nodeids = array<i64: 0>, target_ids = array<i64: 0>,
  // CHECK-SAME: target_weights = array<f32: 1.000000e+00>}
  // CHECK-SAME: : (tensor<3x2xf32>) -> tensor<3x1xf32>
  %0 = onnx.ml.TreeEnsembleRegressor(%X)
      {aggregate_function = "AVERAGE", n_targets = 1 : i64, nodes_nodeids = array<i64: 0>,
       target_ids = array<i64: 0>, target_weights = array<f32: 1.000000e+00>}
      : (tensor<3x2xf32>) -> tensor<3x1xf32>
  return
}

// CHECK-LABEL: @zipmap(
func.func @zipmap(%X: tensor<3x2xf32>) {
  // CHECK: onnx.ml.ZipMap(%arg0) {classlabels_strings = ["a", "b"]}
  // CHECK-SAME: : (tensor<3x2xf32>) -> !onnx.seq<!onnx.map<!elements.string, f32>>
  %0 = onnx.ml.ZipMap(%X) {classlabels_strings = ["a", "b"]}
      : (tensor<3x2xf32>) -> !onnx.seq<!onnx.map<!elements.string, f32>>
  return
}
