// RUN: invar-opt --invar-constprop --split-input-file %s | FileCheck %s

!str = !elements.string

// CHECK-LABEL: @tables(
// CHECK-DAG: dense<[2, -1]> : tensor<2xi64>
// CHECK-DAG: dense<["a", "none"]>
// CHECK-DAG: dense<[2.500000e-01, 5.000000e-01, 2.500000e-01]> : tensor<3xf32>
// CHECK-DAG: dense<{{\[\[}}0.000000e+00, 1.000000e+00], [0.000000e+00, 0.000000e+00]]> : tensor<2x2xf32>
func.func @tables() -> (tensor<2xi64>, tensor<2x!str>, tensor<3xf32>, tensor<2x2xf32>) {
  %s = onnx.Constant dense<["b", "z"]> : tensor<2x!str>
  %i = onnx.Constant dense<[1, 9]> : tensor<2xi64>
  %d = onnx.Constant dense<[3.0, 4.0, 3.0]> : tensor<3xf64>
  %0 = onnx.ml.CategoryMapper(%s) {cats_int64s = array<i64: 1, 2>, cats_strings = ["a", "b"]} : (tensor<2x!str>) -> tensor<2xi64>
  %1 = onnx.ml.CategoryMapper(%i) {cats_int64s = array<i64: 1, 2>, cats_strings = ["a", "b"], default_string = "none"} : (tensor<2xi64>) -> tensor<2x!str>
  %2 = onnx.ml.LabelEncoder(%d) {default_float = 5.0e-01 : f32, keys_floats = array<f32: 3.0>, values_floats = array<f32: 2.5e-01>} : (tensor<3xf64>) -> tensor<3xf32>
  %3 = onnx.ml.OneHotEncoder(%s) {cats_strings = ["a", "b"]} : (tensor<2x!str>) -> tensor<2x2xf32>
  return %0, %1, %2, %3 : tensor<2xi64>, tensor<2x!str>, tensor<3xf32>, tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @features(
// CHECK-DAG: dense<{{\[\[}}3, 1], [6, 4]]> : tensor<2x2xi64>
// CHECK-DAG: dense<{{\[\[}}0, 0, 1], [1, 1, 1]]> : tensor<2x3xi64>
// CHECK-DAG: dense<{{\[\[}}1.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 0.000000e+00], [4.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00, 0.000000e+00]]>
// CHECK-DAG: dense<{{\[\[}}1, 70, 3], [4, 5, 6]]> : tensor<2x3xi64>
// CHECK-DAG: dense<{{\[\[}}0.333333343, 0.666666686, 1.000000e+00], [0.666666686, 0.833333313, 1.000000e+00]]>
// CHECK-DAG: dense<{{\[\[}}0.000000e+00, 0.000000e+00, 6.000000e+00], [3.000000e+00, 6.000000e+00, 1.200000e+01]]>
func.func @features() -> (tensor<2x2xi64>, tensor<2x3xi64>, tensor<2x5xf32>, tensor<2x3xi64>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %x = onnx.Constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %y = onnx.Constant dense<[2, 0]> : tensor<2xi64>
  %0 = onnx.ml.ArrayFeatureExtractor(%x, %y) : (tensor<2x3xi64>, tensor<2xi64>) -> tensor<2x2xi64>
  %1 = onnx.ml.Binarizer(%x) {threshold = 2.5 : f32} : (tensor<2x3xi64>) -> tensor<2x3xi64>
  %2 = onnx.ml.FeatureVectorizer(%x, %x) {inputdimensions = array<i64: 1, 4>} : (tensor<2x3xi64>, tensor<2x3xi64>) -> tensor<2x5xf32>
  %3 = onnx.ml.Imputer(%x) {imputed_value_int64s = array<i64: 60, 70, 80>, replaced_value_int64 = 2 : i64} : (tensor<2x3xi64>) -> tensor<2x3xi64>
  %4 = onnx.ml.Normalizer(%x) : (tensor<2x3xi64>) -> tensor<2x3xf32>
  %5 = onnx.ml.Scaler(%x) {offset = array<f32: 1.0, 2.0, 0.0>, scale = array<f32: 1.0, 2.0, 2.0>} : (tensor<2x3xi64>) -> tensor<2x3xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<2x2xi64>, tensor<2x3xi64>, tensor<2x5xf32>, tensor<2x3xi64>, tensor<2x3xf32>, tensor<2x3xf32>
}

// -----

!str = !elements.string

// CHECK-LABEL: @scores(
// CHECK-DAG: dense<["no", "yes"]>
// CHECK-DAG: dense<{{\[\[}}3.000000e+00, -2.000000e+00], [-1.000000e+00, 2.000000e+00]]> : tensor<2x2xf32>
// CHECK-DAG: dense<{{\[\[}}-3.000000e+00, 1.100000e+01], [1.000000e+00, 1.200000e+01]]> : tensor<2x2xf32>
// CHECK-DAG: dense<{{\[\[}}-1.000000e+00], [1.000000e+00]]> : tensor<2x1xf32>
// CHECK-DAG: dense<7> : tensor<2xi64>
// CHECK-DAG: dense<{{\[\[}}3.000000e+00, -3.000000e+00, 1.000000e+00], [1.000000e+00, 4.000000e+00, -3.000000e+00]]> : tensor<2x3xf32>
func.func @scores() -> (tensor<2x!str>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x1xf32>, tensor<2xi64>, tensor<2x3xf32>) {
  %x = onnx.Constant dense<[[-2.0, 1.0], [1.0, 2.0]]> : tensor<2x2xf32>
  %0:2 = onnx.ml.LinearClassifier(%x) {classlabels_strings = ["no", "yes"], coefficients = array<f32: 1.0, 1.0>, intercepts = array<f32: -1.0>}
      : (tensor<2x2xf32>) -> (tensor<2x!str>, tensor<2x2xf32>)
  %1 = onnx.ml.LinearRegressor(%x) {coefficients = array<f32: 1.0, 1.0, 0.0, 1.0>, intercepts = array<f32: -2.0, 10.0>, targets = 2 : i64}
      : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = onnx.ml.SVMRegressor(%x) {coefficients = array<f32: 1.0, -1.0>, kernel_params = array<f32: 1.0, 0.0, 3.0>, kernel_type = "POLY",
      n_supports = 2 : i64, one_class = 1 : i64, rho = array<f32: 7.5>, support_vectors = array<f32: 1.0, 0.0, 0.0, 1.0>}
      : (tensor<2x2xf32>) -> tensor<2x1xf32>
  %3:2 = onnx.ml.SVMClassifier(%x) {classlabels_ints = array<i64: 7, 8, 9>, coefficients = array<f32: -1.0, 1.0, -1.0, 1.0, 0.0, 1.0>,
      rho = array<f32: 0.0, 0.0, 0.0>, support_vectors = array<f32: 1.0, 0.0, 0.0, 1.0, -1.0, -1.0>, vectors_per_class = array<i64: 1, 1, 1>,
      kernel_type = "LINEAR"} : (tensor<2x2xf32>) -> (tensor<2xi64>, tensor<2x3xf32>)
  return %0#0, %0#1, %1, %2, %3#0, %3#1 : tensor<2x!str>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x1xf32>, tensor<2xi64>, tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @trees(
// CHECK-DAG: dense<{{\[\[}}5.000000e+00, 0.000000e+00], [0.000000e+00, 7.000000e+00]]> : tensor<2x2xf64>
// CHECK-DAG: dense<{{\[\[}}1.500000e+01], [1.600000e+01]]> : tensor<2x1xf32>
// CHECK-DAG: dense<[30, 10]> : tensor<2xi64>
// CHECK-DAG: dense<{{\[\[}}1.000000e+00, 0.000000e+00, 3.000000e+00], [2.000000e+00, 1.000000e+00, 0.000000e+00]]> : tensor<2x3xf32>
func.func @trees() -> (tensor<2x2xf64>, tensor<2x1xf32>, tensor<2xi64>, tensor<2x3xf32>) {
  %d = onnx.Constant dense<[[2.0], [0x7FF8000000000000]]> : tensor<2x1xf64>
  %x = onnx.Constant dense<[[2], [4]]> : tensor<2x1xi64>
  // In a set, or missing.
  %0 = onnx.ml.TreeEnsemble(%d) {leaf_targetids = array<i64: 0, 1>, leaf_weights = dense<[5.0, 7.0]> : tensor<2xf64>,
      membership_values = dense<[2.0, 3.0, 0x7FF8000000000000]> : tensor<3xf64>, n_targets = 2 : i64,
      nodes_falseleafs = array<i64: 1>, nodes_falsenodeids = array<i64: 1>, nodes_featureids = array<i64: 0>,
      nodes_modes = dense<6> : tensor<1xui8>, nodes_splits = dense<0.0> : tensor<1xf64>, nodes_trueleafs = array<i64: 1>,
      nodes_truenodeids = array<i64: 0>, tree_roots = array<i64: 0>} : (tensor<2x1xf64>) -> tensor<2x2xf64>
  %1 = onnx.ml.TreeEnsembleRegressor(%x) {base_values = array<f32: 10.0>, n_targets = 1 : i64, nodes_falsenodeids = array<i64: 2, 0, 0>,
      nodes_featureids = array<i64: 0, 0, 0>, nodes_modes = ["BRANCH_LT", "LEAF", "LEAF"], nodes_nodeids = array<i64: 0, 1, 2>,
      nodes_treeids = array<i64: 4, 4, 4>, nodes_truenodeids = array<i64: 1, 0, 0>, nodes_values = array<f32: 3.0, 0.0, 0.0>,
      target_ids = array<i64: 0, 0>, target_nodeids = array<i64: 1, 2>, target_treeids = array<i64: 4, 4>,
      target_weights = array<f32: 5.0, 6.0>} : (tensor<2x1xi64>) -> tensor<2x1xf32>
  %2:2 = onnx.ml.TreeEnsembleClassifier(%x) {class_ids = array<i64: 0, 2, 1, 0>, class_nodeids = array<i64: 1, 1, 2, 2>,
      class_treeids = array<i64: 4, 4, 4, 4>, class_weights = array<f32: 1.0, 3.0, 1.0, 2.0>, classlabels_int64s = array<i64: 10, 20, 30>,
      nodes_falsenodeids = array<i64: 2, 0, 0>, nodes_featureids = array<i64: 0, 0, 0>, nodes_modes = ["BRANCH_LT", "LEAF", "LEAF"],
      nodes_nodeids = array<i64: 0, 1, 2>, nodes_treeids = array<i64: 4, 4, 4>, nodes_truenodeids = array<i64: 1, 0, 0>,
      nodes_values = array<f32: 3.0, 0.0, 0.0>} : (tensor<2x1xi64>) -> (tensor<2xi64>, tensor<2x3xf32>)
  return %0, %1, %2#0, %2#1 : tensor<2x2xf64>, tensor<2x1xf32>, tensor<2xi64>, tensor<2x3xf32>
}

// -----

// Keys that are there twice, features and nodes that are not there, circles and what
// runtimes do not agree on are left to run time.
// CHECK-LABEL: @left(
// CHECK-DAG: onnx.ml.LabelEncoder(
// CHECK-DAG: onnx.ml.ArrayFeatureExtractor(
// CHECK-DAG: onnx.ml.LinearRegressor(
// CHECK-DAG: onnx.ml.SVMClassifier(
// CHECK-DAG: onnx.ml.TreeEnsembleRegressor(
func.func @left() -> (tensor<1x1xi64>, tensor<1x1xi64>, tensor<1x1xf32>, tensor<1xi64>, tensor<1x1xf32>) {
  %x = onnx.Constant dense<[[2]]> : tensor<1x1xi64>
  %0 = onnx.ml.LabelEncoder(%x) {keys_int64s = array<i64: 2, 2>, values_int64s = array<i64: 1, 3>} : (tensor<1x1xi64>) -> tensor<1x1xi64>
  %1 = onnx.ml.ArrayFeatureExtractor(%x, %x) : (tensor<1x1xi64>, tensor<1x1xi64>) -> tensor<1x1xi64>
  %2 = onnx.ml.LinearRegressor(%x) {coefficients = array<f32: 1.0>, post_transform = "LOGISTIC"} : (tensor<1x1xi64>) -> tensor<1x1xf32>
  %3:2 = onnx.ml.SVMClassifier(%x) {classlabels_ints = array<i64: 7, 8>, coefficients = array<f32: 1.0, 2.0>, rho = array<f32: 0.0>}
      : (tensor<1x1xi64>) -> (tensor<1xi64>, tensor<1x2xf32>)
  %4 = onnx.ml.TreeEnsembleRegressor(%x) {n_targets = 1 : i64, nodes_falsenodeids = array<i64: 0>, nodes_featureids = array<i64: 0>,
      nodes_modes = ["BRANCH_LT"], nodes_nodeids = array<i64: 0>, nodes_treeids = array<i64: 0>, nodes_truenodeids = array<i64: 0>,
      nodes_values = array<f32: 3.0>} : (tensor<1x1xi64>) -> tensor<1x1xf32>
  return %0, %1, %2, %3#0, %4 : tensor<1x1xi64>, tensor<1x1xi64>, tensor<1x1xf32>, tensor<1xi64>, tensor<1x1xf32>
}

// -----

// Probabilities need both of their lists.
// CHECK-LABEL: @no_offsets(
// CHECK: onnx.ml.SVMClassifier(
func.func @no_offsets() -> tensor<1xi64> {
  %x = onnx.Constant dense<[[2.0]]> : tensor<1x1xf32>
  %0:2 = onnx.ml.SVMClassifier(%x) {classlabels_ints = array<i64: 7, 8>, coefficients = array<f32: 1.0, 2.0>, rho = array<f32: 0.0>,
      support_vectors = array<f32: 1.0, 3.0>, vectors_per_class = array<i64: 1, 1>, kernel_type = "LINEAR", prob_a = array<f32: 1.0>}
      : (tensor<1x1xf32>) -> (tensor<1xi64>, tensor<1x2xf32>)
  return %0#0 : tensor<1xi64>
}

// -----

// The content of a tensor may be missing.
// CHECK-LABEL: @no_content(
// CHECK: onnx.ml.LabelEncoder(
func.func @no_content() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %0 = onnx.ml.LabelEncoder(%x) {keys_int64s = array<i64: 1>, values_tensor = dense_resource<missing> : tensor<1xf32>} : (tensor<2xi64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
