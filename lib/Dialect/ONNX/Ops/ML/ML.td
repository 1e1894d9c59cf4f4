// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

class MLOp<string name, int version, list<Trait> traits = [Pure, Folds]>
    : ONNX_Op<name, version, traits, "ai.onnx.ml">;

/// Maps, and sequences of them, by the standard's names.
class MapIn<list<string> types> : TypeSet<[], [], [], [], types>;

/// The types that most operators of the domain take.
defvar Features = [Float, Int32, Int64, Double];

def ONNX_ArrayFeatureExtractorOp : MLOp<"ArrayFeatureExtractor", 1> {
  let summary = "columns picked by index";
  defvar T = Var<"T", TensorIn<!listconcat(Features, [String])>>;
  let arguments = (ins T:$X, TensorIn<[Int64]>:$Y);
  let results = (outs T:$Z);
}

def ONNX_BinarizerOp : MLOp<"Binarizer", 1> {
  let shape = "sameAsFirst";
  let summary = "one above a threshold, zero up to it";
  defvar T = Var<"T", TensorIn<Features>>;
  let arguments = (ins T:$X, RealOr<"0.0">:$threshold);
  let results = (outs T:$Y);
}

def ONNX_CastMapOp : MLOp<"CastMap", 1, [Pure]> {
  let summary = "the values of a map as a tensor";
  let description = [{
    - (C1) `cast_to` is "TO_FLOAT", "TO_STRING" or "TO_INT64".
    - (C2) `map_form` is "DENSE" or "SPARSE".
  }];
  let arguments = (ins
      Var<"T1", MapIn<["map(int64, float)", "map(int64, string)"]>>:$X,
      StrOr<"TO_FLOAT">:$cast_to, StrOr<"DENSE">:$map_form, IntOr<1>:$max_map);
  let results = (outs Var<"T2", TensorIn<[Float, Int64, String]>>:$Y);
  let hasVerifier = 1;
  let extraClassDeclaration = anyRankCallDeclaration;
}

def ONNX_CategoryMapperOp : MLOp<"CategoryMapper", 1> {
  let summary = "strings as integers or integers as strings, by a list";
  let description = [{
    - (C1) `cats_int64s` and `cats_strings` have as many entries.
  }];
  let arguments = (ins
      Var<"T1", TensorIn<[Int64, String]>>:$X, OptIntList:$cats_int64s,
      OptStrList:$cats_strings, IntOr<-1>:$default_int64,
      StrOr<"_Unused">:$default_string);
  let results = (outs Var<"T2", TensorIn<[Int64, String]>>:$Y);
  let hasVerifier = 1;
  let extraClassDeclaration = anyRankCallDeclaration;
}

def ONNX_DictVectorizerOp : MLOp<"DictVectorizer", 1, [Pure]> {
  let summary = "a map as a vector, by a vocabulary";
  let description = [{
    - (C1) one of `int64_vocabulary` and `string_vocabulary` is given.
  }];
  let arguments = (ins
      Var<"T1", MapIn<["map(int64, double)", "map(int64, float)", "map(int64, string)",
                       "map(string, double)", "map(string, float)",
                       "map(string, int64)"]>>:$X,
      OptIntList:$int64_vocabulary, OptStrList:$string_vocabulary);
  let results = (outs Var<"T2", TensorIn<[Float, Int64, String, Double]>>:$Y);
  let hasVerifier = 1;
  let extraClassDeclaration = anyRankCallDeclaration;
}

def ONNX_FeatureVectorizerOp : MLOp<"FeatureVectorizer", 1> {
  let summary = "columns of all operands joined as floats";
  let description = [{
    - (C1) there is an operand.
    - (C2) `inputdimensions` has an entry for each operand.
  }];
  let arguments = (ins
      Variadic<Var<"T1", TensorIn<Features>>>:$X,
      OptIntList:$inputdimensions);
  let results = (outs TensorIn<[Float]>:$Y);
  let hasVerifier = 1;
  let extraClassDeclaration = anyRankCallDeclaration;
}

def ONNX_ImputerOp : MLOp<"Imputer", 1> {
  let shape = "sameAsFirst";
  let summary = "one value replaced by others";
  let description = [{
    - (C1) one of `imputed_value_floats` and `imputed_value_int64s` is given.
  }];
  defvar T = Var<"T", TensorIn<Features>>;
  let arguments = (ins
      T:$X, OptRealList:$imputed_value_floats, OptIntList:$imputed_value_int64s,
      RealOr<"0.0">:$replaced_value_float, IntOr<0>:$replaced_value_int64);
  let results = (outs T:$Y);
  let hasVerifier = 1;
}

def ONNX_LabelEncoderOp : MLOp<"LabelEncoder", 4> {
  let summary = "elements replaced by a table of keys and values";
  let description = [{
    - (C1) one list or tensor of keys and one of values is given.
    - (C2) there are as many keys as values.
  }];
  let arguments = (ins
      Var<"T1", TensorIn<[Float, Int16, Int32, Int64, String, Double]>>:$X,
      RealOr<"-0.0">:$default_float, IntOr<-1>:$default_int64,
      StrOr<"_Unused">:$default_string, OptTensor:$default_tensor,
      OptRealList:$keys_floats, OptIntList:$keys_int64s, OptStrList:$keys_strings,
      OptTensor:$keys_tensor, OptRealList:$values_floats, OptIntList:$values_int64s,
      OptStrList:$values_strings, OptTensor:$values_tensor);
  let results = (outs
      Var<"T2", TensorIn<[Float, Int16, Int32, Int64, String, Double]>>:$Y);
  let hasVerifier = 1;
  let extraClassDeclaration = anyRankCallDeclaration;
}

def ONNX_LinearClassifierOp : MLOp<"LinearClassifier", 1> {
  let summary = "classes by linear scores";
  let description = [{
    - (C1) `post_transform` is "NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO" or "PROBIT".
    - (C2) `multi_class` is 0 or 1.
    - (C3) `classlabels_ints` and `classlabels_strings` are not both given.
  }];
  let arguments = (ins
      Var<"T1", TensorIn<Features>>:$X,
      OptIntList:$classlabels_ints, OptStrList:$classlabels_strings,
      RealList:$coefficients, OptRealList:$intercepts, IntOr<0>:$multi_class,
      StrOr<"NONE">:$post_transform);
  let results = (outs Var<"T2", TensorIn<[Int64, String]>>:$Y, TensorIn<[Float]>:$Z);
  let hasVerifier = 1;
  let extraClassDeclaration = anyRankCallDeclaration;
}

def ONNX_LinearRegressorOp : MLOp<"LinearRegressor", 1> {
  let summary = "targets by linear functions";
  let description = [{
    - (C1) `post_transform` is "NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO" or "PROBIT".
    - (C2) `targets` is at least 1.
  }];
  let arguments = (ins
      Var<"T", TensorIn<Features>>:$X,
      OptRealList:$coefficients, OptRealList:$intercepts,
      StrOr<"NONE">:$post_transform, IntOr<1>:$targets);
  let results = (outs TensorIn<[Float]>:$Y);
  let hasVerifier = 1;
  let extraClassDeclaration = anyRankCallDeclaration;
}

def ONNX_NormalizerOp : MLOp<"Normalizer", 1> {
  let shape = "sameAsFirst";
  let summary = "rows scaled by a norm";
  let description = [{
    - (C1) `norm` is "MAX", "L1" or "L2".
  }];
  let arguments = (ins
      Var<"T", TensorIn<Features>>:$X, StrOr<"MAX">:$norm);
  let results = (outs TensorIn<[Float]>:$Y);
  let hasVerifier = 1;
  let extraClassDeclaration = anyRankCallDeclaration;
}

def ONNX_OneHotEncoderOp : MLOp<"OneHotEncoder", 1> {
  let summary = "categories as vectors of zeros and a one";
  let description = [{
    With `zeros` an unknown category is a row of zeros, otherwise an error.

    - (C1) one of `cats_int64s` and `cats_strings` is given.
    - (C2) `zeros` is 0 or 1.
  }];
  let arguments = (ins
      Var<"T", TensorIn<!listconcat(Features, [String])>>:$X,
      OptIntList:$cats_int64s, OptStrList:$cats_strings, IntOr<1>:$zeros);
  let results = (outs TensorIn<[Float]>:$Y);
  let hasVerifier = 1;
  let extraClassDeclaration = anyRankCallDeclaration;
}

def ONNX_SVMClassifierOp : MLOp<"SVMClassifier", 1> {
  let summary = "classes by support vectors";
  let description = [{
    - (C1) `kernel_type` is "LINEAR", "POLY", "RBF" or "SIGMOID".
    - (C2) `post_transform` is "NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO" or "PROBIT".
    - (C3) `kernel_params` has 3 entries: gamma, coef0 and degree.
    - (C4) `prob_a` and `prob_b` have as many entries.
    - (C5) `classlabels_ints` and `classlabels_strings` are not both given.
  }];
  let arguments = (ins
      Var<"T1", TensorIn<Features>>:$X,
      OptIntList:$classlabels_ints, OptStrList:$classlabels_strings,
      OptRealList:$coefficients, OptRealList:$kernel_params,
      StrOr<"LINEAR">:$kernel_type, StrOr<"NONE">:$post_transform,
      OptRealList:$prob_a, OptRealList:$prob_b, OptRealList:$rho,
      OptRealList:$support_vectors, OptIntList:$vectors_per_class);
  let results = (outs Var<"T2", TensorIn<[Int64, String]>>:$Y, TensorIn<[Float]>:$Z);
  let hasVerifier = 1;
  let extraClassDeclaration = anyRankCallDeclaration;
}

def ONNX_SVMRegressorOp : MLOp<"SVMRegressor", 1> {
  let summary = "targets by support vectors";
  let description = [{
    - (C1) `kernel_type` is "LINEAR", "POLY", "RBF" or "SIGMOID".
    - (C2) `post_transform` is "NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO" or "PROBIT".
    - (C3) `kernel_params` has 3 entries: gamma, coef0 and degree.
    - (C4) `n_supports` is at least 0, and `one_class` is 0 or 1.
  }];
  let arguments = (ins
      Var<"T", TensorIn<Features>>:$X,
      OptRealList:$coefficients, OptRealList:$kernel_params,
      StrOr<"LINEAR">:$kernel_type, IntOr<0>:$n_supports, IntOr<0>:$one_class,
      StrOr<"NONE">:$post_transform, OptRealList:$rho, OptRealList:$support_vectors);
  let results = (outs TensorIn<[Float]>:$Y);
  let hasVerifier = 1;
  let extraClassDeclaration = anyRankCallDeclaration;
}

def ONNX_ScalerOp : MLOp<"Scaler", 1> {
  let shape = "sameAsFirst";
  let summary = "elements moved and scaled";
  let description = [{
    - (C1) `offset` and `scale` have as many entries.
  }];
  let arguments = (ins
      Var<"T", TensorIn<Features>>:$X, OptRealList:$offset,
      OptRealList:$scale);
  let results = (outs TensorIn<[Float]>:$Y);
  let hasVerifier = 1;
}

def ONNX_TreeEnsembleOp : MLOp<"TreeEnsemble", 5> {
  let summary = "targets by the leaves of decision trees";
  let description = [{
    A node compares a feature with its split and goes on to another node or to a leaf,
    which adds its weight to its target.

    - (C1) all lists and tensors of nodes have as many entries.
    - (C2) there are as many leaf weights as leaf targets.
    - (C3) `aggregate_function` is in [0, 3] and `post_transform` in [0, 4].
    - (C4) roots and children are nodes or leaves that there are.
  }];
  defvar T = Var<"T", TensorIn<[Float, Float16, Double]>>;
  let arguments = (ins
      T:$X, IntOr<1>:$aggregate_function, IntList:$leaf_targetids,
      Tensor:$leaf_weights, OptTensor:$membership_values, OptInt:$n_targets,
      IntList:$nodes_falseleafs, IntList:$nodes_falsenodeids,
      IntList:$nodes_featureids, OptTensor:$nodes_hitrates,
      OptIntList:$nodes_missing_value_tracks_true, Tensor:$nodes_modes,
      Tensor:$nodes_splits, IntList:$nodes_trueleafs, IntList:$nodes_truenodeids,
      IntOr<0>:$post_transform, IntList:$tree_roots);
  let results = (outs T:$Y);
  let hasVerifier = 1;
  let extraClassDeclaration = anyRankCallDeclaration;
}

def ONNX_TreeEnsembleClassifierOp : MLOp<"TreeEnsembleClassifier", 5> {
  let summary = "classes by decision trees (the older TreeEnsemble)";
  let description = [{
    - (C1) `post_transform` is "NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO" or "PROBIT".
    - (C2) all lists and tensors of nodes have as many entries.
    - (C3) all lists and tensors of class weights have as many entries.
    - (C4) `classlabels_int64s` and `classlabels_strings` are not both given.
  }];
  let deprecated = 1;
  let arguments = (ins
      Var<"T1", TensorIn<Features>>:$X,
      OptRealList:$base_values, OptTensor:$base_values_as_tensor,
      OptIntList:$class_ids, OptIntList:$class_nodeids, OptIntList:$class_treeids,
      OptRealList:$class_weights, OptTensor:$class_weights_as_tensor,
      OptIntList:$classlabels_int64s, OptStrList:$classlabels_strings,
      OptIntList:$nodes_falsenodeids, OptIntList:$nodes_featureids,
      OptRealList:$nodes_hitrates, OptTensor:$nodes_hitrates_as_tensor,
      OptIntList:$nodes_missing_value_tracks_true, OptStrList:$nodes_modes,
      OptIntList:$nodes_nodeids, OptIntList:$nodes_treeids,
      OptIntList:$nodes_truenodeids, OptRealList:$nodes_values,
      OptTensor:$nodes_values_as_tensor, StrOr<"NONE">:$post_transform);
  let results = (outs Var<"T2", TensorIn<[Int64, String]>>:$Y, TensorIn<[Float]>:$Z);
  let hasVerifier = 1;
  let extraClassDeclaration = anyRankCallDeclaration;
}

def ONNX_TreeEnsembleRegressorOp : MLOp<"TreeEnsembleRegressor", 5> {
  let summary = "targets by decision trees (the older TreeEnsemble)";
  let description = [{
    - (C1) `post_transform` is "NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO" or "PROBIT".
    - (C2) all lists and tensors of nodes have as many entries.
    - (C3) all lists and tensors of target weights have as many entries.
    - (C4) `aggregate_function` is "AVERAGE", "SUM", "MIN" or "MAX".
  }];
  let deprecated = 1;
  let arguments = (ins
      Var<"T", TensorIn<Features>>:$X,
      StrOr<"SUM">:$aggregate_function, OptRealList:$base_values,
      OptTensor:$base_values_as_tensor, OptInt:$n_targets,
      OptIntList:$nodes_falsenodeids, OptIntList:$nodes_featureids,
      OptRealList:$nodes_hitrates, OptTensor:$nodes_hitrates_as_tensor,
      OptIntList:$nodes_missing_value_tracks_true, OptStrList:$nodes_modes,
      OptIntList:$nodes_nodeids, OptIntList:$nodes_treeids,
      OptIntList:$nodes_truenodeids, OptRealList:$nodes_values,
      OptTensor:$nodes_values_as_tensor, StrOr<"NONE">:$post_transform,
      OptIntList:$target_ids, OptIntList:$target_nodeids,
      OptIntList:$target_treeids, OptRealList:$target_weights,
      OptTensor:$target_weights_as_tensor);
  let results = (outs TensorIn<[Float]>:$Y);
  let hasVerifier = 1;
  let extraClassDeclaration = anyRankCallDeclaration;
}

def ONNX_ZipMapOp : MLOp<"ZipMap", 1, [Pure]> {
  let shape = "types";
  let summary = "rows as maps from class to score";
  let description = [{
    - (C1) one of `classlabels_int64s` and `classlabels_strings` is given.
  }];
  let arguments = (ins
      TensorIn<[Float]>:$X, OptIntList:$classlabels_int64s,
      OptStrList:$classlabels_strings);
  let results = (outs
      Var<"T", MapIn<["seq(map(int64, float))", "seq(map(string, float))"]>>:$Z);
  let hasVerifier = 1;
  let extraClassDeclaration = anyRankCallDeclaration;
}
