// RUN: invar-opt %s --split-input-file --verify-diagnostics

func.func @castmap_c1(%X: !onnx.unknown) {
  // expected-error @+1 {{(C1) expected 'cast_to' to be one of 'TO_FLOAT', 'TO_STRING', 'TO_INT64', but got 'FLOAT'}}
  %0 = onnx.ml.CastMap(%X) {cast_to = "FLOAT"} : (!onnx.unknown) -> !onnx.unknown
  return
}

// -----

func.func @castmap_c2(%X: !onnx.unknown) {
  // expected-error @+1 {{(C2) expected 'map_form' to be one of 'DENSE', 'SPARSE', but got 'THIN'}}
  %0 = onnx.ml.CastMap(%X) {map_form = "THIN"} : (!onnx.unknown) -> !onnx.unknown
  return
}

// -----

func.func @categorymapper_c1(%X: tensor<3x!elements.string>) {
  // expected-error @+1 {{(C1) expected 'cats_int64s' to have 2 entries, but got 1}}
  %0 = onnx.ml.CategoryMapper(%X) {cats_int64s = array<i64: 1>, cats_strings = ["a", "b"]}
      : (tensor<3x!elements.string>) -> !onnx.unknown
  return
}

// -----

func.func @dictvectorizer_c1(%X: !onnx.unknown) {
  // expected-error @+1 {{(C1) expected 'int64_vocabulary' or 'string_vocabulary', but got neither}}
  %0 = onnx.ml.DictVectorizer(%X) : (!onnx.unknown) -> !onnx.unknown
  return
}

// -----

func.func @featurevectorizer_c1() {
  // expected-error @+1 {{(C1) expected an operand, but got none}}
  %0 = onnx.ml.FeatureVectorizer() : () -> !onnx.unknown
  return
}

// -----

func.func @featurevectorizer_c2(%a: tensor<1x2xf32>) {
  // expected-error @+1 {{(C2) expected 'inputdimensions' to have 1 entry, but got 2}}
  %0 = onnx.ml.FeatureVectorizer(%a) {inputdimensions = array<i64: 2, 3>}
      : (tensor<1x2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @imputer_c1(%X: tensor<3xf32>) {
  // expected-error @+1 {{(C1) expected only one of 'imputed_value_floats' and 'imputed_value_int64s', but got both}}
  %0 = onnx.ml.Imputer(%X)
      {imputed_value_floats = array<f32: 1.0>, imputed_value_int64s = array<i64: 1>}
      : (tensor<3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @labelencoder_c1(%X: tensor<3xi64>) {
  // expected-error @+1 {{(C1) expected one list or tensor of values, but got 0}}
  %0 = onnx.ml.LabelEncoder(%X) {keys_int64s = array<i64: 1, 2>}
      : (tensor<3xi64>) -> !onnx.unknown
  return
}

// -----

func.func @labelencoder_c2(%X: tensor<3xi64>) {
  // expected-error @+1 {{(C2) expected 2 values, but got 1}}
  %0 = onnx.ml.LabelEncoder(%X) {keys_int64s = array<i64: 1, 2>, values_strings = ["a"]}
      : (tensor<3xi64>) -> !onnx.unknown
  return
}

// -----

func.func @linearclassifier_c1(%X: tensor<3x1xf32>) {
  // expected-error @+1 {{(C1) expected 'post_transform' to be one of 'NONE', 'SOFTMAX', 'LOGISTIC', 'SOFTMAX_ZERO', 'PROBIT', but got 'RELU'}}
  %0:2 = onnx.ml.LinearClassifier(%X)
      {coefficients = array<f32: 1.0>, post_transform = "RELU"}
      : (tensor<3x1xf32>) -> (!onnx.unknown, !onnx.unknown)
  return
}

// -----

func.func @linearclassifier_c2(%X: tensor<3x1xf32>) {
  // expected-error @+1 {{(C2) expected 'multi_class' to be one of 0, 1, but got 2}}
  %0:2 = onnx.ml.LinearClassifier(%X)
      {coefficients = array<f32: 1.0>, multi_class = 2 : i64}
      : (tensor<3x1xf32>) -> (!onnx.unknown, !onnx.unknown)
  return
}

// -----

func.func @linearclassifier_c3(%X: tensor<3x1xf32>) {
  // expected-error @+1 {{(C3) expected only one of 'classlabels_ints' and 'classlabels_strings', but got both}}
  %0:2 = onnx.ml.LinearClassifier(%X)
      {classlabels_ints = array<i64: 1>, classlabels_strings = ["a"],
       coefficients = array<f32: 1.0>}
      : (tensor<3x1xf32>) -> (!onnx.unknown, !onnx.unknown)
  return
}

// -----

func.func @linearregressor_c1(%X: tensor<3x1xf32>) {
  // expected-error @+1 {{(C1) expected 'post_transform' to be one of 'NONE', 'SOFTMAX', 'LOGISTIC', 'SOFTMAX_ZERO', 'PROBIT', but got 'RELU'}}
  %0 = onnx.ml.LinearRegressor(%X) {post_transform = "RELU"}
      : (tensor<3x1xf32>) -> !onnx.unknown
  return
}

// -----

func.func @linearregressor_c2(%X: tensor<3x1xf32>) {
  // expected-error @+1 {{(C2) expected 'targets' to be at least 1, but got 0}}
  %0 = onnx.ml.LinearRegressor(%X) {targets = 0 : i64}
      : (tensor<3x1xf32>) -> !onnx.unknown
  return
}

// -----

func.func @normalizer_c1(%X: tensor<3x4xf32>) {
  // expected-error @+1 {{(C1) expected 'norm' to be one of 'MAX', 'L1', 'L2', but got 'L3'}}
  %0 = onnx.ml.Normalizer(%X) {norm = "L3"} : (tensor<3x4xf32>) -> !onnx.unknown
  return
}

// -----

func.func @onehotencoder_c1(%X: tensor<3xi64>) {
  // expected-error @+1 {{(C1) expected 'cats_int64s' or 'cats_strings', but got neither}}
  %0 = onnx.ml.OneHotEncoder(%X) : (tensor<3xi64>) -> !onnx.unknown
  return
}

// -----

func.func @onehotencoder_c2(%X: tensor<3xi64>) {
  // expected-error @+1 {{(C2) expected 'zeros' to be one of 0, 1, but got 2}}
  %0 = onnx.ml.OneHotEncoder(%X) {cats_int64s = array<i64: 1, 2>, zeros = 2 : i64}
      : (tensor<3xi64>) -> !onnx.unknown
  return
}

// -----

func.func @svmclassifier_c1(%X: tensor<3x2xf32>) {
  // expected-error @+1 {{(C1) expected 'kernel_type' to be one of 'LINEAR', 'POLY', 'RBF', 'SIGMOID', but got 'CUBIC'}}
  %0:2 = onnx.ml.SVMClassifier(%X) {kernel_type = "CUBIC"}
      : (tensor<3x2xf32>) -> (!onnx.unknown, !onnx.unknown)
  return
}

// -----

func.func @svmclassifier_c2(%X: tensor<3x2xf32>) {
  // expected-error @+1 {{(C2) expected 'post_transform' to be one of 'NONE', 'SOFTMAX', 'LOGISTIC', 'SOFTMAX_ZERO', 'PROBIT', but got ''}}
  %0:2 = onnx.ml.SVMClassifier(%X) {post_transform = ""}
      : (tensor<3x2xf32>) -> (!onnx.unknown, !onnx.unknown)
  return
}

// -----

func.func @svmclassifier_c3(%X: tensor<3x2xf32>) {
  // expected-error @+1 {{(C3) expected 'kernel_params' to have 3 entries, but got 1}}
  %0:2 = onnx.ml.SVMClassifier(%X) {kernel_params = array<f32: 1.0>}
      : (tensor<3x2xf32>) -> (!onnx.unknown, !onnx.unknown)
  return
}

// -----

func.func @svmclassifier_c4(%X: tensor<3x2xf32>) {
  // expected-error @+1 {{(C4) expected 'prob_b' to have 1 entry, but got 2}}
  %0:2 = onnx.ml.SVMClassifier(%X)
      {prob_a = array<f32: 1.0>, prob_b = array<f32: 1.0, 2.0>}
      : (tensor<3x2xf32>) -> (!onnx.unknown, !onnx.unknown)
  return
}

// -----

func.func @svmclassifier_c5(%X: tensor<3x2xf32>) {
  // expected-error @+1 {{(C5) expected only one of 'classlabels_ints' and 'classlabels_strings', but got both}}
  %0:2 = onnx.ml.SVMClassifier(%X)
      {classlabels_ints = array<i64: 1>, classlabels_strings = ["a"]}
      : (tensor<3x2xf32>) -> (!onnx.unknown, !onnx.unknown)
  return
}

// -----

func.func @svmregressor_c1(%X: tensor<3x2xf32>) {
  // expected-error @+1 {{(C1) expected 'kernel_type' to be one of 'LINEAR', 'POLY', 'RBF', 'SIGMOID', but got 'CUBIC'}}
  %0 = onnx.ml.SVMRegressor(%X) {kernel_type = "CUBIC"}
      : (tensor<3x2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @svmregressor_c2(%X: tensor<3x2xf32>) {
  // expected-error @+1 {{(C2) expected 'post_transform' to be one of 'NONE', 'SOFTMAX', 'LOGISTIC', 'SOFTMAX_ZERO', 'PROBIT', but got 'MAX'}}
  %0 = onnx.ml.SVMRegressor(%X) {post_transform = "MAX"}
      : (tensor<3x2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @svmregressor_c3(%X: tensor<3x2xf32>) {
  // expected-error @+1 {{(C3) expected 'kernel_params' to have 3 entries, but got 2}}
  %0 = onnx.ml.SVMRegressor(%X) {kernel_params = array<f32: 1.0, 2.0>}
      : (tensor<3x2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @svmregressor_c4(%X: tensor<3x2xf32>) {
  // expected-error @+1 {{(C4) expected 'n_supports' to be at least 0, but got -1}}
  %0 = onnx.ml.SVMRegressor(%X) {n_supports = -1 : i64}
      : (tensor<3x2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @scaler_c1(%X: tensor<3x2xf32>) {
  // expected-error @+1 {{(C1) expected 'scale' to have 1 entry, but got 2}}
  %0 = onnx.ml.Scaler(%X) {offset = array<f32: 1.0>, scale = array<f32: 1.0, 2.0>}
      : (tensor<3x2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @treeensemble_c1(%X: tensor<3x2xf32>) {
  // expected-error @+1 {{(C1) expected 'nodes_falseleafs' to have 2 entries, but got 1}}
  %0 = onnx.ml.TreeEnsemble(%X)
      {leaf_targetids = array<i64: 0>, leaf_weights = dense<1.0> : tensor<1xf32>,
       nodes_falseleafs = array<i64: 1>, nodes_falsenodeids = array<i64: 0>,
       nodes_featureids = array<i64: 0, 1>, nodes_modes = dense<0> : tensor<1xui8>,
       nodes_splits = dense<0.5> : tensor<1xf32>, nodes_trueleafs = array<i64: 1>,
       nodes_truenodeids = array<i64: 0>, tree_roots = array<i64: 0>}
      : (tensor<3x2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @treeensemble_c2(%X: tensor<3x2xf32>) {
  // expected-error @+1 {{(C2) expected 'leaf_weights' to have 1 entry, but got 2}}
  %0 = onnx.ml.TreeEnsemble(%X)
      {leaf_targetids = array<i64: 0>, leaf_weights = dense<1.0> : tensor<2xf32>,
       nodes_falseleafs = array<i64: 1>, nodes_falsenodeids = array<i64: 0>,
       nodes_featureids = array<i64: 0>, nodes_modes = dense<0> : tensor<1xui8>,
       nodes_splits = dense<0.5> : tensor<1xf32>, nodes_trueleafs = array<i64: 1>,
       nodes_truenodeids = array<i64: 0>, tree_roots = array<i64: 0>}
      : (tensor<3x2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @treeensemble_c3(%X: tensor<3x2xf32>) {
  // expected-error @+1 {{(C3) expected 'aggregate_function' to be one of 0, 1, 2, 3, but got 4}}
  %0 = onnx.ml.TreeEnsemble(%X)
      {aggregate_function = 4 : i64, leaf_targetids = array<i64: 0>,
       leaf_weights = dense<1.0> : tensor<1xf32>, nodes_falseleafs = array<i64: 1>,
       nodes_falsenodeids = array<i64: 0>, nodes_featureids = array<i64: 0>,
       nodes_modes = dense<0> : tensor<1xui8>, nodes_splits = dense<0.5> : tensor<1xf32>,
       nodes_trueleafs = array<i64: 1>, nodes_truenodeids = array<i64: 0>,
       tree_roots = array<i64: 0>}
      : (tensor<3x2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @treeensemble_c4(%X: tensor<3x2xf32>) {
  // expected-error @+1 {{(C4) expected 'nodes_falsenodeids' to be leaves in [0, 1), but got 1}}
  %0 = onnx.ml.TreeEnsemble(%X)
      {leaf_targetids = array<i64: 0>, leaf_weights = dense<1.0> : tensor<1xf32>,
       nodes_falseleafs = array<i64: 1>, nodes_falsenodeids = array<i64: 1>,
       nodes_featureids = array<i64: 0>, nodes_modes = dense<0> : tensor<1xui8>,
       nodes_splits = dense<0.5> : tensor<1xf32>, nodes_trueleafs = array<i64: 1>,
       nodes_truenodeids = array<i64: 0>, tree_roots = array<i64: 0>}
      : (tensor<3x2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @treeensembleclassifier_c1(%X: tensor<3x2xf32>) {
  // expected-error @+1 {{(C1) expected 'post_transform' to be one of 'NONE', 'SOFTMAX', 'LOGISTIC', 'SOFTMAX_ZERO', 'PROBIT', but got 'SIGN'}}
  %0:2 = onnx.ml.TreeEnsembleClassifier(%X) {post_transform = "SIGN"}
      : (tensor<3x2xf32>) -> (!onnx.unknown, !onnx.unknown)
  return
}

// -----

func.func @treeensembleclassifier_c2(%X: tensor<3x2xf32>) {
  // expected-error @+1 {{(C2) expected 'nodes_modes' to have 2 entries, but got 1}}
  %0:2 = onnx.ml.TreeEnsembleClassifier(%X)
      {nodes_modes = ["LEAF"], nodes_nodeids = array<i64: 0, 1>}
      : (tensor<3x2xf32>) -> (!onnx.unknown, !onnx.unknown)
  return
}

// -----

func.func @treeensembleclassifier_c3(%X: tensor<3x2xf32>) {
  // expected-error @+1 {{(C3) expected 'class_weights' to have 2 entries, but got 1}}
  %0:2 = onnx.ml.TreeEnsembleClassifier(%X)
      {class_ids = array<i64: 0, 1>, class_weights = array<f32: 1.0>}
      : (tensor<3x2xf32>) -> (!onnx.unknown, !onnx.unknown)
  return
}

// -----

func.func @treeensembleclassifier_c4(%X: tensor<3x2xf32>) {
  // expected-error @+1 {{(C4) expected only one of 'classlabels_int64s' and 'classlabels_strings', but got both}}
  %0:2 = onnx.ml.TreeEnsembleClassifier(%X)
      {classlabels_int64s = array<i64: 0>, classlabels_strings = ["a"]}
      : (tensor<3x2xf32>) -> (!onnx.unknown, !onnx.unknown)
  return
}

// -----

func.func @treeensembleregressor_c1(%X: tensor<3x2xf32>) {
  // expected-error @+1 {{(C1) expected 'post_transform' to be one of 'NONE', 'SOFTMAX', 'LOGISTIC', 'SOFTMAX_ZERO', 'PROBIT', but got 'SIGN'}}
  %0 = onnx.ml.TreeEnsembleRegressor(%X) {post_transform = "SIGN"}
      : (tensor<3x2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @treeensembleregressor_c2(%X: tensor<3x2xf32>) {
  // expected-error @+1 {{(C2) expected 'nodes_treeids' to have 2 entries, but got 1}}
  %0 = onnx.ml.TreeEnsembleRegressor(%X)
      {nodes_nodeids = array<i64: 0, 1>, nodes_treeids = array<i64: 0>}
      : (tensor<3x2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @treeensembleregressor_c3(%X: tensor<3x2xf32>) {
  // expected-error @+1 {{(C3) expected 'target_nodeids' to have 2 entries, but got 1}}
  %0 = onnx.ml.TreeEnsembleRegressor(%X)
      {target_ids = array<i64: 0, 1>, target_nodeids = array<i64: 0>}
      : (tensor<3x2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @treeensembleregressor_c4(%X: tensor<3x2xf32>) {
  // expected-error @+1 {{(C4) expected 'aggregate_function' to be one of 'AVERAGE', 'SUM', 'MIN', 'MAX', but got 'MEAN'}}
  %0 = onnx.ml.TreeEnsembleRegressor(%X) {aggregate_function = "MEAN"}
      : (tensor<3x2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @zipmap_c1(%X: tensor<3x2xf32>) {
  // expected-error @+1 {{(C1) expected only one of 'classlabels_int64s' and 'classlabels_strings', but got both}}
  %0 = onnx.ml.ZipMap(%X)
      {classlabels_int64s = array<i64: 0>, classlabels_strings = ["a"]}
      : (tensor<3x2xf32>) -> !onnx.unknown
  return
}
