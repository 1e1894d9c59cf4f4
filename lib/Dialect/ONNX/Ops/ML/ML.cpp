// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/ML.h"

#include "ModelNames.h"
#include "invar/Dialect/ONNX/Verify.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Whether a list has entries: exporters write empty lists for those that are not given.
template <typename T> static bool isGiven(std::optional<ArrayRef<T>> list) {
  return lengthOf(list).has_value();
}

LogicalResult CastMapOp::verify() {
  return Check(*this)
      .oneOf("(C1)", "cast_to", getCastTo(),
             {"TO_FLOAT", "TO_STRING", "TO_INT64"})
      .oneOf("(C2)", "map_form", getMapForm(), {"DENSE", "SPARSE"});
}

LogicalResult CategoryMapperOp::verify() {
  return Check(*this).that(
      "(C1)", lengthOf(getCatsInt64s()) == lengthOf(getCatsStrings()),
      "'cats_int64s' to have " + Twine(lengthOf(getCatsStrings()).value_or(0)) +
          " entries",
      Twine(lengthOf(getCatsInt64s()).value_or(0)));
}

LogicalResult DictVectorizerOp::verify() {
  return Check(*this).eitherOr(
      "(C1)", "int64_vocabulary", isGiven(getInt64Vocabulary()),
      "string_vocabulary", isGiven(getStringVocabulary()));
}

LogicalResult FeatureVectorizerOp::verify() {
  return Check(*this)
      .that("(C1)", getNumOperands() > 0, "an operand", "none")
      .length("(C2)", "inputdimensions", lengthOf(getInputdimensions()),
              getNumOperands());
}

LogicalResult ImputerOp::verify() {
  return Check(*this).eitherOr(
      "(C1)", "imputed_value_floats", isGiven(getImputedValueFloats()),
      "imputed_value_int64s", isGiven(getImputedValueInt64s()));
}

LogicalResult LabelEncoderOp::verify() {
  Check check(*this);
  // Returns the number of keys or values in the only form that is given.
  auto countOnly = [&](StringRef what,
                       ArrayRef<std::optional<int64_t>> forms) -> int64_t {
    auto given = llvm::make_filter_range(
        forms, [](std::optional<int64_t> form) { return form.has_value(); });
    int64_t number = llvm::range_size(given);
    check.that("(C1)", number == 1, "one list or tensor of " + what,
               Twine(number));
    return number == 1 ? **given.begin() : 0;
  };
  int64_t keys = countOnly(
      "keys", {lengthOf(getKeysFloats()), lengthOf(getKeysInt64s()),
               lengthOf(getKeysStrings()), lengthOf(getKeysTensorAttr())});
  int64_t values = countOnly("values", {lengthOf(getValuesFloats()),
                                        lengthOf(getValuesInt64s()),
                                        lengthOf(getValuesStrings()),
                                        lengthOf(getValuesTensorAttr())});
  return check.that("(C2)", keys == values, Twine(keys) + " values",
                    Twine(values));
}

LogicalResult LinearClassifierOp::verify() {
  return Check(*this)
      .oneOf("(C1)", "post_transform", getPostTransform(), postTransforms)
      .flag("(C2)", "multi_class", getMultiClass())
      .notBoth("(C3)", "classlabels_ints", isGiven(getClasslabelsInts()),
               "classlabels_strings", isGiven(getClasslabelsStrings()));
}

LogicalResult LinearRegressorOp::verify() {
  return Check(*this)
      .oneOf("(C1)", "post_transform", getPostTransform(), postTransforms)
      .atLeast("(C2)", "targets", getTargets(), 1);
}

LogicalResult NormalizerOp::verify() {
  return Check(*this).oneOf("(C1)", "norm", getNorm(), norms);
}

LogicalResult OneHotEncoderOp::verify() {
  return Check(*this)
      .eitherOr("(C1)", "cats_int64s", isGiven(getCatsInt64s()), "cats_strings",
                isGiven(getCatsStrings()))
      .flag("(C2)", "zeros", getZeros());
}

LogicalResult SVMClassifierOp::verify() {
  return Check(*this)
      .oneOf("(C1)", "kernel_type", getKernelType(), kernelTypes)
      .oneOf("(C2)", "post_transform", getPostTransform(), postTransforms)
      .length("(C3)", "kernel_params", lengthOf(getKernelParams()), 3)
      .length("(C4)", "prob_b", lengthOf(getProbB()), lengthOf(getProbA()))
      .notBoth("(C5)", "classlabels_ints", isGiven(getClasslabelsInts()),
               "classlabels_strings", isGiven(getClasslabelsStrings()));
}

LogicalResult SVMRegressorOp::verify() {
  return Check(*this)
      .oneOf("(C1)", "kernel_type", getKernelType(), kernelTypes)
      .oneOf("(C2)", "post_transform", getPostTransform(), postTransforms)
      .length("(C3)", "kernel_params", lengthOf(getKernelParams()), 3)
      .atLeast("(C4)", "n_supports", getNSupports(), 0)
      .flag("(C4)", "one_class", getOneClass());
}

LogicalResult ScalerOp::verify() {
  return Check(*this).length("(C1)", "scale", lengthOf(getScale()),
                             lengthOf(getOffset()));
}

LogicalResult ZipMapOp::verify() {
  return Check(*this).eitherOr(
      "(C1)", "classlabels_int64s", isGiven(getClasslabelsInt64s()),
      "classlabels_strings", isGiven(getClasslabelsStrings()));
}

//===-- Trees -------------------------------------------------------------------------===//

/// Checks that every child is an existing leaf or node, according to its flag.
static void verifyChildren(Check &check, StringRef name,
                           ArrayRef<int64_t> children,
                           ArrayRef<int64_t> areLeaves, int64_t nodes,
                           int64_t leaves) {
  for (auto [child, isLeaf] : llvm::zip(children, areLeaves))
    check.that("(C4)", child >= 0 && child < (isLeaf ? leaves : nodes),
               "'" + name + "' to be " + (isLeaf ? "leaves" : "nodes") +
                   " in [0, " + Twine(isLeaf ? leaves : nodes) + ")",
               Twine(child));
}

LogicalResult TreeEnsembleOp::verify() {
  int64_t nodes = getNodesFeatureids().size(),
          leaves = getLeafTargetids().size();
  Check check(*this);
  auto nodeList = [&](StringRef name, std::optional<int64_t> length) {
    check.length("(C1)", name, length, nodes);
  };
  nodeList("nodes_falseleafs", getNodesFalseleafs().size());
  nodeList("nodes_falsenodeids", getNodesFalsenodeids().size());
  nodeList("nodes_trueleafs", getNodesTrueleafs().size());
  nodeList("nodes_truenodeids", getNodesTruenodeids().size());
  nodeList("nodes_modes", lengthOf(getNodesModesAttr()));
  nodeList("nodes_splits", lengthOf(getNodesSplitsAttr()));
  nodeList("nodes_hitrates", lengthOf(getNodesHitratesAttr()));
  nodeList("nodes_missing_value_tracks_true",
           lengthOf(getNodesMissingValueTracksTrue()));
  check.length("(C2)", "leaf_weights", lengthOf(getLeafWeightsAttr()), leaves)
      .oneOf("(C3)", "aggregate_function", getAggregateFunction(), {0, 1, 2, 3})
      .oneOf("(C3)", "post_transform", getPostTransform(), {0, 1, 2, 3, 4});
  for (int64_t root : getTreeRoots())
    check.that("(C4)", root >= 0 && root < nodes,
               "'tree_roots' to be nodes in [0, " + Twine(nodes) + ")",
               Twine(root));
  if (failed(check))
    return check;
  verifyChildren(check, "nodes_truenodeids", getNodesTruenodeids(),
                 getNodesTrueleafs(), nodes, leaves);
  verifyChildren(check, "nodes_falsenodeids", getNodesFalsenodeids(),
                 getNodesFalseleafs(), nodes, leaves);
  return check;
}

/// Checks (C1) and (C2) of the older forms, whose lists are all parallel.
template <typename Op> static Check verifyOlderTrees(Op op) {
  std::optional<int64_t> nodes = lengthOf(op.getNodesNodeids());
  Check check(op);
  check.oneOf("(C1)", "post_transform", op.getPostTransform(), postTransforms)
      .length("(C2)", "nodes_treeids", lengthOf(op.getNodesTreeids()), nodes)
      .length("(C2)", "nodes_featureids", lengthOf(op.getNodesFeatureids()),
              nodes)
      .length("(C2)", "nodes_modes", lengthOf(op.getNodesModes()), nodes)
      .length("(C2)", "nodes_values", lengthOf(op.getNodesValues()), nodes)
      .length("(C2)", "nodes_values_as_tensor",
              lengthOf(op.getNodesValuesAsTensorAttr()), nodes)
      .length("(C2)", "nodes_truenodeids", lengthOf(op.getNodesTruenodeids()),
              nodes)
      .length("(C2)", "nodes_falsenodeids", lengthOf(op.getNodesFalsenodeids()),
              nodes)
      .length("(C2)", "nodes_missing_value_tracks_true",
              lengthOf(op.getNodesMissingValueTracksTrue()), nodes);
  return check;
}

LogicalResult TreeEnsembleClassifierOp::verify() {
  std::optional<int64_t> weights = lengthOf(getClassIds());
  return verifyOlderTrees(*this)
      .length("(C3)", "class_nodeids", lengthOf(getClassNodeids()), weights)
      .length("(C3)", "class_treeids", lengthOf(getClassTreeids()), weights)
      .length("(C3)", "class_weights", lengthOf(getClassWeights()), weights)
      .length("(C3)", "class_weights_as_tensor",
              lengthOf(getClassWeightsAsTensorAttr()), weights)
      .notBoth("(C4)", "classlabels_int64s", isGiven(getClasslabelsInt64s()),
               "classlabels_strings", isGiven(getClasslabelsStrings()));
}

LogicalResult TreeEnsembleRegressorOp::verify() {
  std::optional<int64_t> weights = lengthOf(getTargetIds());
  return verifyOlderTrees(*this)
      .length("(C3)", "target_nodeids", lengthOf(getTargetNodeids()), weights)
      .length("(C3)", "target_treeids", lengthOf(getTargetTreeids()), weights)
      .length("(C3)", "target_weights", lengthOf(getTargetWeights()), weights)
      .length("(C3)", "target_weights_as_tensor",
              lengthOf(getTargetWeightsAsTensorAttr()), weights)
      .oneOf("(C4)", "aggregate_function", getAggregateFunction(), aggregates);
}
