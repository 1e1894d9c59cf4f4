// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls of functions that compute operators of ai.onnx.ml: names of modes become
// numbers, and the forms of a list become one.
#include "ModelNames.h"
#include "invar/Dialect/ONNX/Ops/ML.h"
#include "invar/Dialect/ONNX/RuntimeCall.h"
#include "invar/Dialect/ONNX/Verify.h"
#include "invar/Elements/IR/DataTypes.h"
#include "invar/Kernels/SupportVectors.h"
#include "invar/Kernels/Trees.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// The position of a name in a list, which has the order of an enum of the kernels; the
/// list's length if it is none of them.
static int64_t indexOf(ArrayRef<StringRef> names, StringRef name) {
  return llvm::find(names, name) - names.begin();
}

/// Sets the first of several lists that is given and not empty. Functions take a list
/// that is left out as empty.
static void setFirst(RuntimeCall &call, StringRef name,
                     std::initializer_list<Attribute> lists) {
  for (Attribute list : lists) {
    auto strings = dyn_cast_or_null<ArrayAttr>(list);
    auto numbers = dyn_cast_or_null<DenseArrayAttr>(list);
    if (!list || (strings && strings.empty()) || (numbers && numbers.empty()))
      continue;
    call.set(name, list);
    return;
  }
}

/// A call of the function with the operator's name for its only operand.
template <typename Op> static RuntimeCall describeFeatures(Op op) {
  RuntimeCall call(op, Op::getOperationName().rsplit('.').second);
  call.add(op.getX());
  return call;
}

/// The same for a model whose attribute `post_transform` is a name.
template <typename Op> static RuntimeCall describeModel(Op op) {
  RuntimeCall call = describeFeatures(op);
  call.set("transform", indexOf(postTransforms, op.getPostTransform()));
  return call;
}

RuntimeCall CastMapOp::describeCall() {
  RuntimeCall call = describeFeatures(*this);
  call.set("is_sparse", getMapForm() == "SPARSE");
  call.set("columns", int64_t(getMaxMap()));
  return call;
}

RuntimeCall CategoryMapperOp::describeCall() {
  RuntimeCall call(*this, "LabelEncoder");
  call.add(getX());
  Attribute numbers = getCatsInt64sAttr(), names = getCatsStringsAttr();
  Type type = elementTypeOf(getX());
  bool areStrings = type && elements::toDataType(type) == DataType::String;
  setFirst(call, "keys", {areStrings ? names : numbers});
  setFirst(call, "values", {areStrings ? numbers : names});
  if (areStrings)
    call.set("otherwise", int64_t(getDefaultInt64()));
  else
    call.set("otherwise", getDefaultString());
  return call;
}

RuntimeCall DictVectorizerOp::describeCall() {
  RuntimeCall call = describeFeatures(*this);
  setFirst(call, "vocabulary",
           {getStringVocabularyAttr(), getInt64VocabularyAttr()});
  return call;
}

RuntimeCall FeatureVectorizerOp::describeCall() {
  RuntimeCall call(*this, "FeatureVectorizer");
  for (Value part : getX())
    call.add(part);
  setFirst(call, "columns", {getInputdimensionsAttr()});
  return call;
}

RuntimeCall LabelEncoderOp::describeCall() {
  RuntimeCall call = describeFeatures(*this);
  setFirst(call, "keys",
           {getKeysTensorAttr(), getKeysFloatsAttr(), getKeysInt64sAttr(),
            getKeysStringsAttr()});
  setFirst(call, "values",
           {getValuesTensorAttr(), getValuesFloatsAttr(), getValuesInt64sAttr(),
            getValuesStringsAttr()});
  // The result has the type of the values.
  Type type = elementTypeOf(getY());
  if (ElementsAttr given = getDefaultTensorAttr())
    call.set("otherwise", given);
  else if (type && isa<FloatType>(type))
    call.set("otherwise", double(getDefaultFloat()));
  else if (type && isa<IntegerType>(type))
    call.set("otherwise", int64_t(getDefaultInt64()));
  else
    call.set("otherwise", getDefaultString());
  return call;
}

RuntimeCall LinearClassifierOp::describeCall() {
  RuntimeCall call = describeModel(*this);
  setFirst(call, "labels",
           {getClasslabelsStringsAttr(), getClasslabelsIntsAttr()});
  setFirst(call, "coefficients", {getCoefficientsAttr()});
  setFirst(call, "intercepts", {getInterceptsAttr()});
  return call;
}

RuntimeCall LinearRegressorOp::describeCall() {
  RuntimeCall call = describeModel(*this);
  call.set("targets", int64_t(getTargets()));
  setFirst(call, "coefficients", {getCoefficientsAttr()});
  setFirst(call, "intercepts", {getInterceptsAttr()});
  return call;
}

RuntimeCall NormalizerOp::describeCall() {
  RuntimeCall call = describeFeatures(*this);
  call.set("norm", indexOf(norms, getNorm()));
  return call;
}

RuntimeCall OneHotEncoderOp::describeCall() {
  RuntimeCall call = describeFeatures(*this);
  setFirst(call, "keys", {getCatsInt64sAttr(), getCatsStringsAttr()});
  call.set("zeros", getZeros() != 0);
  return call;
}

/// Sets the lists of a model of support vectors.
template <typename Op> static void setVectors(RuntimeCall &call, Op op) {
  call.set("kernel", indexOf(kernelTypes, op.getKernelType()));
  setFirst(call, "kernel_params", {op.getKernelParamsAttr()});
  setFirst(call, "support_vectors", {op.getSupportVectorsAttr()});
  setFirst(call, "coefficients", {op.getCoefficientsAttr()});
}

RuntimeCall SVMClassifierOp::describeCall() {
  RuntimeCall call = describeModel(*this);
  setVectors(call, *this);
  setFirst(call, "rho", {getRhoAttr()});
  setFirst(call, "labels",
           {getClasslabelsStringsAttr(), getClasslabelsIntsAttr()});
  setFirst(call, "vectors_per_class", {getVectorsPerClassAttr()});
  setFirst(call, "prob_a", {getProbAAttr()});
  setFirst(call, "prob_b", {getProbBAttr()});
  return call;
}

RuntimeCall SVMRegressorOp::describeCall() {
  RuntimeCall call = describeModel(*this);
  call.set("one_class", getOneClass() != 0);
  setFirst(call, "rho", {getRhoAttr()});
  if (getNSupports() != 0) {
    setVectors(call, *this);
    call.set("n_supports", int64_t(getNSupports()));
    return call;
  }
  // Without support vectors, the coefficients are a single vector with a linear kernel.
  call.set("kernel", int64_t(kernels::VectorKernel<double>::Linear));
  setFirst(call, "support_vectors", {getCoefficientsAttr()});
  call.set("coefficients", 1.0);
  call.set("n_supports", int64_t(1));
  return call;
}

RuntimeCall ZipMapOp::describeCall() {
  RuntimeCall call = describeFeatures(*this);
  setFirst(call, "labels",
           {getClasslabelsStringsAttr(), getClasslabelsInt64sAttr()});
  return call;
}

//===-- Trees -------------------------------------------------------------------------===//

RuntimeCall TreeEnsembleOp::describeCall() {
  RuntimeCall call = describeFeatures(*this);
  Type type = elementTypeOf(getX());
  call.set("transform", int64_t(getPostTransform()));
  call.set("aggregate", int64_t(getAggregateFunction()));
  call.set("sums_in_float", !type || !type.isF64());
  call.set("n_targets", int64_t(getNTargets().value_or(1)));
  call.set("nodes_modes", getNodesModesAttr());
  call.set("nodes_featureids", getNodesFeatureids());
  call.set("nodes_truenodeids", getNodesTruenodeids());
  call.set("nodes_falsenodeids", getNodesFalsenodeids());
  call.set("nodes_trueleafs", getNodesTrueleafs());
  call.set("nodes_falseleafs", getNodesFalseleafs());
  call.set("nodes_splits", getNodesSplitsAttr());
  setFirst(call, "nodes_missing_value_tracks_true",
           {getNodesMissingValueTracksTrueAttr()});
  call.set("leaf_targetids", getLeafTargetids());
  call.set("leaf_weights", getLeafWeightsAttr());
  setFirst(call, "membership_values", {getMembershipValuesAttr()});
  call.set("tree_roots", getTreeRoots());
  return call;
}

/// Describes trees of an older form. The operators have different names for the votes.
template <typename Op>
static RuntimeCall describeOlderTrees(Op op, Attribute voteTrees,
                                      Attribute voteNodes, Attribute targets,
                                      Attribute wideWeights,
                                      Attribute weights) {
  RuntimeCall call = describeModel(op);
  SmallVector<int64_t> modes;
  for (Attribute mode : op.getNodesModes().value_or(ArrayRef<Attribute>()))
    modes.push_back(indexOf(branches, cast<StringAttr>(mode).getValue()));
  call.set("nodes_modes", modes);
  setFirst(call, "nodes_treeids", {op.getNodesTreeidsAttr()});
  setFirst(call, "nodes_nodeids", {op.getNodesNodeidsAttr()});
  setFirst(call, "nodes_featureids", {op.getNodesFeatureidsAttr()});
  setFirst(call, "nodes_truenodeids", {op.getNodesTruenodeidsAttr()});
  setFirst(call, "nodes_falsenodeids", {op.getNodesFalsenodeidsAttr()});
  setFirst(call, "nodes_missing_value_tracks_true",
           {op.getNodesMissingValueTracksTrueAttr()});
  setFirst(call, "nodes_values",
           {op.getNodesValuesAsTensorAttr(), op.getNodesValuesAttr()});
  setFirst(call, "votes_treeids", {voteTrees});
  setFirst(call, "votes_nodeids", {voteNodes});
  setFirst(call, "votes_targets", {targets});
  setFirst(call, "votes_weights", {wideWeights, weights});
  setFirst(call, "base_values",
           {op.getBaseValuesAsTensorAttr(), op.getBaseValuesAttr()});
  call.set("sums_in_float", !wideWeights);
  return call;
}

RuntimeCall TreeEnsembleClassifierOp::describeCall() {
  RuntimeCall call = describeOlderTrees(
      *this, getClassTreeidsAttr(), getClassNodeidsAttr(), getClassIdsAttr(),
      getClassWeightsAsTensorAttr(), getClassWeightsAttr());
  call.set("aggregate", int64_t(kernels::TreeAggregate::Sum));
  setFirst(call, "labels",
           {getClasslabelsStringsAttr(), getClasslabelsInt64sAttr()});
  return call;
}

RuntimeCall TreeEnsembleRegressorOp::describeCall() {
  RuntimeCall call = describeOlderTrees(
      *this, getTargetTreeidsAttr(), getTargetNodeidsAttr(), getTargetIdsAttr(),
      getTargetWeightsAsTensorAttr(), getTargetWeightsAttr());
  call.set("aggregate", indexOf(aggregates, getAggregateFunction()));
  call.set("n_targets", int64_t(getNTargets().value_or(1)));
  return call;
}
