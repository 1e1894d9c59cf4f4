// RUN: invar-opt --invar-infer-shapes --split-input-file %s | FileCheck %s

// CHECK-LABEL: @same_shape(
func.func @same_shape(%x: tensor<?x4xf64, #onnx.dims<"n", "">>) {
  // CHECK: onnx.ml.Binarizer({{.*}} -> tensor<?x4xf64, #onnx.dims<"n", "">>
  %0 = onnx.ml.Binarizer(%x) : (tensor<?x4xf64, #onnx.dims<"n", "">>) -> !onnx.unknown
  // CHECK: onnx.ml.Imputer({{.*}} -> tensor<?x4xf64, #onnx.dims<"n", "">>
  %1 = onnx.ml.Imputer(%x) {imputed_value_floats = array<f32: 1.0>}
      : (tensor<?x4xf64, #onnx.dims<"n", "">>) -> !onnx.unknown
  // CHECK: onnx.ml.Normalizer({{.*}} -> tensor<?x4xf32, #onnx.dims<"n", "">>
  %2 = onnx.ml.Normalizer(%x) : (tensor<?x4xf64, #onnx.dims<"n", "">>) -> !onnx.unknown
  // CHECK: onnx.ml.Scaler({{.*}} -> tensor<?x4xf32, #onnx.dims<"n", "">>
  %3 = onnx.ml.Scaler(%x) : (tensor<?x4xf64, #onnx.dims<"n", "">>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @arrayfeatureextractor(
func.func @arrayfeatureextractor(%x: tensor<?x3x4xf32, #onnx.dims<"n", "", "">>, %row: tensor<4xf32>,
                                 %y: tensor<2x5xi64>, %any: tensor<*xi64>) {
  // CHECK: onnx.ml.ArrayFeatureExtractor({{.*}} -> tensor<?x3x10xf32, #onnx.dims<"n", "", "">>
  %0 = onnx.ml.ArrayFeatureExtractor(%x, %y)
      : (tensor<?x3x4xf32, #onnx.dims<"n", "", "">>, tensor<2x5xi64>) -> !onnx.unknown
  // CHECK: onnx.ml.ArrayFeatureExtractor({{.*}} -> tensor<1x10xf32>
  %1 = onnx.ml.ArrayFeatureExtractor(%row, %y) : (tensor<4xf32>, tensor<2x5xi64>) -> !onnx.unknown
  // CHECK: onnx.ml.ArrayFeatureExtractor({{.*}} -> tensor<1x?xf32, #onnx.dims<"", "z.1">>
  %2 = onnx.ml.ArrayFeatureExtractor(%row, %any) {onnx.outputs = ["z"]}
      : (tensor<4xf32>, tensor<*xi64>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @maps(
func.func @maps(%x: !onnx.map<i64, f32>, %y: !onnx.map<!elements.string, tensor<*xi64>>) {
  // CHECK: onnx.ml.CastMap({{.*}} -> tensor<1x4xi64>
  %0 = onnx.ml.CastMap(%x) {cast_to = "TO_INT64", map_form = "SPARSE", max_map = 4 : i64}
      : (!onnx.map<i64, f32>) -> !onnx.unknown
  // A dense one is as long as the map is large.
  // CHECK: onnx.ml.CastMap({{.*}} -> tensor<1x?x!elements.string, #onnx.dims<"", "d.1">>
  %1 = onnx.ml.CastMap(%x) {cast_to = "TO_STRING", onnx.outputs = ["d"]}
      : (!onnx.map<i64, f32>) -> !onnx.unknown
  // CHECK: onnx.ml.DictVectorizer({{.*}} -> tensor<1x3xf32>
  %2 = onnx.ml.DictVectorizer(%x) {int64_vocabulary = array<i64: 1, 2, 3>}
      : (!onnx.map<i64, f32>) -> !onnx.unknown
  // CHECK: onnx.ml.DictVectorizer({{.*}} -> tensor<1x2xi64>
  %3 = onnx.ml.DictVectorizer(%y) {string_vocabulary = ["a", "b"]}
      : (!onnx.map<!elements.string, tensor<*xi64>>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @zipmap(
func.func @zipmap(%x: tensor<3x2xf32>) {
  // CHECK: onnx.ml.ZipMap({{.*}} -> !onnx.seq<!onnx.map<i64, tensor<*xf32>>>
  %0 = onnx.ml.ZipMap(%x) {classlabels_int64s = array<i64: 0, 1>} : (tensor<3x2xf32>) -> !onnx.unknown
  // CHECK: onnx.ml.ZipMap({{.*}} -> !onnx.seq<!onnx.map<!elements.string, tensor<*xf32>>>
  %1 = onnx.ml.ZipMap(%x) {classlabels_strings = ["a", "b"]} : (tensor<3x2xf32>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @labels(
func.func @labels(%words: tensor<?x!elements.string, #onnx.dims<"n">>, %numbers: tensor<2x3xi64>) {
  // CHECK: onnx.ml.CategoryMapper({{.*}} -> tensor<?xi64, #onnx.dims<"n">>
  %0 = onnx.ml.CategoryMapper(%words) {cats_int64s = array<i64: 1>, cats_strings = ["a"]}
      : (tensor<?x!elements.string, #onnx.dims<"n">>) -> !onnx.unknown
  // CHECK: onnx.ml.CategoryMapper({{.*}} -> tensor<2x3x!elements.string>
  %1 = onnx.ml.CategoryMapper(%numbers) {cats_int64s = array<i64: 1>, cats_strings = ["a"]}
      : (tensor<2x3xi64>) -> !onnx.unknown
  // CHECK: onnx.ml.LabelEncoder({{.*}} -> tensor<?xf32, #onnx.dims<"n">>
  %2 = onnx.ml.LabelEncoder(%words) {keys_strings = ["a"], values_floats = array<f32: 1.0>}
      : (tensor<?x!elements.string, #onnx.dims<"n">>) -> !onnx.unknown
  // CHECK: onnx.ml.LabelEncoder({{.*}} -> tensor<2x3x!elements.string>
  %3 = onnx.ml.LabelEncoder(%numbers) {keys_int64s = array<i64: 1>, values_strings = ["a"]}
      : (tensor<2x3xi64>) -> !onnx.unknown
  // CHECK: onnx.ml.LabelEncoder({{.*}} -> tensor<2x3xi16>
  %4 = onnx.ml.LabelEncoder(%numbers)
      {keys_int64s = array<i64: 1, 2>, values_tensor = dense<[3, 4]> : tensor<2xi16>}
      : (tensor<2x3xi64>) -> !onnx.unknown
  // CHECK: onnx.ml.OneHotEncoder({{.*}} -> tensor<2x3x4xf32>
  %5 = onnx.ml.OneHotEncoder(%numbers) {cats_int64s = array<i64: 1, 2, 3, 4>}
      : (tensor<2x3xi64>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @featurevectorizer(
func.func @featurevectorizer(%a: tensor<?x2xf32, #onnx.dims<"n", "">>, %b: tensor<?x3xf32, #onnx.dims<"n", "">>,
                             %row: tensor<4xf32>) {
  // CHECK: onnx.ml.FeatureVectorizer({{.*}} -> tensor<?x4xf32, #onnx.dims<"n", "">>
  %0 = onnx.ml.FeatureVectorizer(%a, %b) {inputdimensions = array<i64: 2, 2>}
      : (tensor<?x2xf32, #onnx.dims<"n", "">>, tensor<?x3xf32, #onnx.dims<"n", "">>) -> !onnx.unknown
  // CHECK: onnx.ml.FeatureVectorizer({{.*}} -> tensor<?x5xf32, #onnx.dims<"n", "">>
  %1 = onnx.ml.FeatureVectorizer(%a, %b)
      : (tensor<?x2xf32, #onnx.dims<"n", "">>, tensor<?x3xf32, #onnx.dims<"n", "">>) -> !onnx.unknown
  // CHECK: onnx.ml.FeatureVectorizer({{.*}} -> tensor<1x8xf32>
  %2 = onnx.ml.FeatureVectorizer(%row, %row) : (tensor<4xf32>, tensor<4xf32>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @linear(
func.func @linear(%x: tensor<?x1xf32, #onnx.dims<"n", "">>, %row: tensor<1xf32>, %any: tensor<*xf32>) {
  // One intercept tells two classes apart.
  // CHECK: onnx.ml.LinearClassifier({{.*}} -> (tensor<?xi64, #onnx.dims<"n">>, tensor<?x2xf32, #onnx.dims<"n", "">>)
  %0:2 = onnx.ml.LinearClassifier(%x)
      {classlabels_ints = array<i64: 0, 1>, coefficients = array<f32: 1.0>, intercepts = array<f32: 0.0>}
      : (tensor<?x1xf32, #onnx.dims<"n", "">>) -> (!onnx.unknown, !onnx.unknown)
  // CHECK: onnx.ml.LinearClassifier({{.*}} -> (tensor<1x!elements.string>, tensor<1x3xf32>)
  %1:2 = onnx.ml.LinearClassifier(%row)
      {classlabels_strings = ["a", "b", "c"], coefficients = array<f32: 1.0, 2.0, 3.0>,
       intercepts = array<f32: 0.0, 0.0, 0.0>}
      : (tensor<1xf32>) -> (!onnx.unknown, !onnx.unknown)
  // CHECK: onnx.ml.LinearRegressor({{.*}} -> tensor<?x2xf32, #onnx.dims<"y.0", "">>
  %2 = onnx.ml.LinearRegressor(%any)
      {coefficients = array<f32: 1.0, 2.0>, targets = 2 : i64, onnx.outputs = ["y"]}
      : (tensor<*xf32>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @svm(
func.func @svm(%x: tensor<?x1xf32, #onnx.dims<"n", "">>) {
  // A score for each pair of classes.
  // CHECK: onnx.ml.SVMClassifier({{.*}} -> (tensor<?xi64, #onnx.dims<"n">>, tensor<?x6xf32, #onnx.dims<"n", "">>)
  %0:2 = onnx.ml.SVMClassifier(%x)
      {classlabels_ints = array<i64: 0, 1, 2, 3>, vectors_per_class = array<i64: 1, 1, 1, 1>}
      : (tensor<?x1xf32, #onnx.dims<"n", "">>) -> (!onnx.unknown, !onnx.unknown)
  // CHECK: onnx.ml.SVMClassifier({{.*}} -> (tensor<?xi64, #onnx.dims<"n">>, tensor<?x2xf32, #onnx.dims<"n", "">>)
  %1:2 = onnx.ml.SVMClassifier(%x)
      {classlabels_ints = array<i64: 0, 1>, vectors_per_class = array<i64: 1, 1>}
      : (tensor<?x1xf32, #onnx.dims<"n", "">>) -> (!onnx.unknown, !onnx.unknown)
  // Probabilities are of classes.
  // CHECK: onnx.ml.SVMClassifier({{.*}} -> (tensor<?x!elements.string, #onnx.dims<"n">>,
  // CHECK-SAME: tensor<?x4xf32, #onnx.dims<"n", "">>)
  %2:2 = onnx.ml.SVMClassifier(%x)
      {classlabels_strings = ["a", "b", "c", "d"], vectors_per_class = array<i64: 1, 1, 1, 1>,
       prob_a = array<f32: 1.0>, prob_b = array<f32: 1.0>}
      : (tensor<?x1xf32, #onnx.dims<"n", "">>) -> (!onnx.unknown, !onnx.unknown)
  // CHECK: onnx.ml.SVMRegressor({{.*}} -> tensor<?x1xf32, #onnx.dims<"n", "">>
  %3 = onnx.ml.SVMRegressor(%x) : (tensor<?x1xf32, #onnx.dims<"n", "">>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @trees(
func.func @trees(%x: tensor<?x2xf64, #onnx.dims<"n", "">>) {
  // CHECK: onnx.ml.TreeEnsembleClassifier({{.*}} -> (tensor<?xi64, #onnx.dims<"n">>,
  // CHECK-SAME: tensor<?x3xf32, #onnx.dims<"n", "">>)
  %0:2 = onnx.ml.TreeEnsembleClassifier(%x) {classlabels_int64s = array<i64: 0, 1, 2>}
      : (tensor<?x2xf64, #onnx.dims<"n", "">>) -> (!onnx.unknown, !onnx.unknown)
  // CHECK: onnx.ml.TreeEnsembleRegressor({{.*}} -> tensor<?x4xf32, #onnx.dims<"n", "">>
  %1 = onnx.ml.TreeEnsembleRegressor(%x) {n_targets = 4 : i64}
      : (tensor<?x2xf64, #onnx.dims<"n", "">>) -> !onnx.unknown
  // CHECK: onnx.ml.TreeEnsemble({{.*}} -> tensor<?x2xf64, #onnx.dims<"n", "">>
  %2 = onnx.ml.TreeEnsemble(%x)
      {leaf_targetids = array<i64: 0, 1>, leaf_weights = dense<[1.0, 2.0]> : tensor<2xf64>,
       n_targets = 2 : i64, nodes_falseleafs = array<i64: 1>, nodes_falsenodeids = array<i64: 1>,
       nodes_featureids = array<i64: 0>, nodes_modes = dense<0> : tensor<1xui8>,
       nodes_splits = dense<0.5> : tensor<1xf64>, nodes_trueleafs = array<i64: 1>,
       nodes_truenodeids = array<i64: 0>, tree_roots = array<i64: 0>}
      : (tensor<?x2xf64, #onnx.dims<"n", "">>) -> !onnx.unknown
  return
}
