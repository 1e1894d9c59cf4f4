// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most operators here take a row of features for each example, or one example as a
// vector, and return a row of scores. The attributes determine the length of a row.
#include "invar/Dialect/ONNX/Ops/ML.h"

#include "invar/Dialect/ONNX/TypeInference.h"
#include "invar/Dialect/ONNX/Verify.h"
#include "invar/Elements/IR/DataTypes.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Returns the number of examples; a vector is one example.
static IndexExpr countExamples(ShapeHelper &shape, Value features) {
  std::optional<int64_t> rank = shape.getRank(features);
  if (!rank)
    return shape.getQuestionmark();
  return *rank < 2 ? IndexExpr(1) : shape.getDim(features, 0);
}

/// Returns the length of the list that is given; empty if neither is.
template <typename A, typename B>
static std::optional<int64_t> lengthOfEither(A first, B second) {
  std::optional<int64_t> length = lengthOf(first);
  return length ? length : lengthOf(second);
}

static IndexExpr sizeOrUnknown(ShapeHelper &shape,
                               std::optional<int64_t> size) {
  return size ? IndexExpr(*size) : shape.getQuestionmark();
}

/// The value of one or more targets for each example.
static LogicalResult computeRegressor(ShapeHelper &shape, IndexExpr targets) {
  shape.setOutputDims(
      {countExamples(shape, shape.getOperands().front()), targets});
  return success();
}

/// A label and a row of scores for each example.
static LogicalResult computeClassifier(ShapeHelper &shape, IndexExpr scores,
                                       bool areStrings) {
  IndexExpr examples = countExamples(shape, shape.getOperands().front());
  MLIRContext *context = shape.getOperation()->getContext();
  shape.setOutputDims({examples}, 0);
  shape.setElementType(elements::toType(context, areStrings ? DataType::String
                                                            : DataType::Int64),
                       0);
  shape.setOutputDims({examples, scores}, 1);
  return success();
}

//===-- Features ----------------------------------------------------------------------===//

LogicalResult ArrayFeatureExtractorOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  if (!shape.hasShape(in.getX()))
    return success();
  DimsExpr dims = shape.getDims(in.getX());
  // A vector is one row.
  if (dims.size() < 2)
    dims.assign(2, 1);
  dims.back() = shape.hasShape(in.getY())
                    ? shape.getBuilder().getNumElements(in.getY())
                    : shape.getQuestionmark();
  shape.setOutputDims(std::move(dims));
  return success();
}

LogicalResult CastMapOp::computeShape(ShapeHelper &shape) {
  shape.setOutputDims({1, getMapForm() == "SPARSE" ? IndexExpr(getMaxMap())
                                                   : shape.getQuestionmark()});
  shape.setElementType(elements::toType(
      getContext(), getCastTo() == "TO_FLOAT"    ? DataType::Float32
                    : getCastTo() == "TO_STRING" ? DataType::String
                                                 : DataType::Int64));
  return success();
}

LogicalResult CategoryMapperOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  // Strings become integers and integers strings.
  if (Type type = elementTypeOf(in.getX()))
    shape.setElementType(elements::toType(
        getContext(), type.isInteger(64) ? DataType::String : DataType::Int64));
  if (shape.hasShape(in.getX()))
    shape.setOutputDims(shape.getDims(in.getX()));
  return success();
}

LogicalResult DictVectorizerOp::computeShape(ShapeHelper &shape) {
  shape.setOutputDims(
      {1, sizeOrUnknown(shape, lengthOfEither(getInt64Vocabulary(),
                                              getStringVocabulary()))});
  // The values of a map may be written as scalars or as tensors of one element.
  if (auto map = dyn_cast<MapType>(getX().getType())) {
    auto tensor = dyn_cast<TensorType>(map.getValueType());
    Type value = tensor ? tensor.getElementType() : map.getValueType();
    if (elements::toDataType(value))
      shape.setElementType(value);
  }
  return success();
}

LogicalResult FeatureVectorizerOp::computeShape(ShapeHelper &shape) {
  IndexExpr examples, columns = 0;
  for (Value part : shape.getOperands()) {
    IndexExpr count = countExamples(shape, part);
    if (failed(shape.expectEqual(examples, count, "the rows of the operands")))
      return failure();
    if (!examples.isLiteral())
      examples = count;
    std::optional<int64_t> rank = shape.getRank(part);
    columns = columns + (rank && *rank > 0 ? shape.getDim(part, -1)
                                           : shape.getQuestionmark());
  }
  // Columns beyond the requested ones are dropped.
  if (auto counts = getInputdimensions(); lengthOf(counts)) {
    columns = 0;
    for (int64_t count : *counts)
      columns = columns + count;
  }
  shape.setOutputDims({examples, columns});
  return success();
}

LogicalResult LabelEncoderOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  if (shape.hasShape(in.getX()))
    shape.setOutputDims(shape.getDims(in.getX()));
  if (getValuesTensorAttr())
    shape.setElementType(getValuesTensorAttr().getElementType());
  else
    shape.setElementType(elements::toType(
        getContext(), lengthOf(getValuesFloats())   ? DataType::Float32
                      : lengthOf(getValuesInt64s()) ? DataType::Int64
                                                    : DataType::String));
  return success();
}

LogicalResult OneHotEncoderOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  if (!shape.hasShape(in.getX()))
    return success();
  DimsExpr dims = shape.getDims(in.getX());
  dims.push_back(
      sizeOrUnknown(shape, lengthOfEither(getCatsInt64s(), getCatsStrings())));
  shape.setOutputDims(std::move(dims));
  return success();
}

LogicalResult ZipMapOp::inferTypes(TypeInference &inference) {
  auto type = [&](DataType type) {
    return elements::toType(getContext(), type);
  };
  Type key = type(lengthOf(getClasslabelsStrings()) ? DataType::String
                                                    : DataType::Int64);
  Type value = UnrankedTensorType::get(type(DataType::Float32));
  inference.setType(
      getZ(),
      SequenceType::get(getContext(), MapType::get(getContext(), key, value)));
  return success();
}

//===-- Classes and targets -----------------------------------------------------------===//

LogicalResult LinearClassifierOp::computeShape(ShapeHelper &shape) {
  std::optional<int64_t> labels =
      lengthOfEither(getClasslabelsInts(), getClasslabelsStrings());
  // There is an intercept for each class, but one is enough to distinguish two classes.
  std::optional<int64_t> scores = lengthOf(getIntercepts());
  if (!scores || (*scores == 1 && labels == 2))
    scores = labels;
  return computeClassifier(shape, sizeOrUnknown(shape, scores),
                           lengthOf(getClasslabelsStrings()).has_value());
}

LogicalResult LinearRegressorOp::computeShape(ShapeHelper &shape) {
  return computeRegressor(shape, getTargets());
}

LogicalResult SVMClassifierOp::computeShape(ShapeHelper &shape) {
  std::optional<int64_t> labels =
      lengthOfEither(getClasslabelsInts(), getClasslabelsStrings());
  IndexExpr scores = sizeOrUnknown(shape, labels);
  // Support vectors vote for each pair of classes, unless the votes become probabilities.
  if (labels.value_or(0) > 2 && lengthOf(getVectorsPerClass()) &&
      !lengthOf(getProbA()))
    scores = (scores * (scores - 1)).floorDiv(2);
  return computeClassifier(shape, scores,
                           lengthOf(getClasslabelsStrings()).has_value());
}

LogicalResult SVMRegressorOp::computeShape(ShapeHelper &shape) {
  return computeRegressor(shape, 1);
}

LogicalResult TreeEnsembleOp::computeShape(ShapeHelper &shape) {
  return computeRegressor(shape, sizeOrUnknown(shape, getNTargets()));
}

LogicalResult TreeEnsembleClassifierOp::computeShape(ShapeHelper &shape) {
  return computeClassifier(
      shape,
      sizeOrUnknown(shape, lengthOfEither(getClasslabelsInt64s(),
                                          getClasslabelsStrings())),
      lengthOf(getClasslabelsStrings()).has_value());
}

LogicalResult TreeEnsembleRegressorOp::computeShape(ShapeHelper &shape) {
  return computeRegressor(shape, sizeOrUnknown(shape, getNTargets()));
}
