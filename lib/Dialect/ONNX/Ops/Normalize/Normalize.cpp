// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Normalize.h"

#include "invar/Dialect/ONNX/Verify.h"
#include "invar/Elements/IR/DataTypes.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

LogicalResult BatchNormalizationOp::verify() {
  std::optional<int64_t> channels = dimOf(getX(), 1);
  return Check(*this)
      .flag("(C1)", "training_mode", getTrainingMode())
      .vector("(C2)", "scale", getScale(), channels)
      .vector("(C2)", "B", getB(), channels)
      .vector("(C2)", "input_mean", getInputMean(), channels)
      .vector("(C2)", "input_var", getInputVar(), channels);
}

LogicalResult DropoutOp::verify() {
  return Check(*this)
      .oneElement("(C1)", "ratio", getRatio())
      .oneElement("(C1)", "training_mode", getTrainingMode());
}

LogicalResult GroupNormalizationOp::verify() {
  std::optional<int64_t> channels = dimOf(getX(), 1);
  Check check(*this);
  check.atLeast("(C1)", "num_groups", getNumGroups(), 1);
  if (succeeded(check) && channels)
    check.that("(C1)", *channels % getNumGroups() == 0,
               "'num_groups' to divide the " + Twine(*channels) + " channels",
               Twine(getNumGroups()));
  return check.vector("(C2)", "scale", getScale(), channels)
      .vector("(C2)", "bias", getBias(), channels)
      .floatType("(C3)", "stash_type", getStashType());
}

LogicalResult InstanceNormalizationOp::verify() {
  std::optional<int64_t> channels = dimOf(getInput(), 1);
  return Check(*this)
      .vector("(C1)", "scale", getScale(), channels)
      .vector("(C1)", "B", getB(), channels);
}

LogicalResult LRNOp::verify() {
  return Check(*this).atLeast("(C1)", "size", getSize(), 1);
}

LogicalResult LayerNormalizationOp::verify() {
  return Check(*this)
      .axis("(C1)", "axis", getAxis(), getX())
      .floatType("(C2)", "stash_type", getStashType());
}

LogicalResult LpNormalizationOp::verify() {
  return Check(*this)
      .axis("(C1)", "axis", getAxis(), getInput())
      .oneOf("(C2)", "p", getP(), {1, 2});
}

LogicalResult MeanVarianceNormalizationOp::verify() {
  return Check(*this).axes("(C1)", "axes", getAxes(), getX());
}

LogicalResult RMSNormalizationOp::verify() {
  return Check(*this)
      .axis("(C1)", "axis", getAxis(), getX())
      .floatType("(C2)", "stash_type", getStashType());
}

//===-- Shapes ----------------------------------------------------------------===//

LogicalResult BatchNormalizationOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  IndexExpr channels;
  if (shape.hasShape(in.getX())) {
    shape.setDimsOf(getY(), shape.getDims(in.getX()));
    if (shape.getRank(in.getX()) >= 2)
      channels = shape.getDim(in.getX(), 1);
  }
  for (Value statistics :
       {in.getScale(), in.getB(), in.getInputMean(), in.getInputVar()}) {
    if (shape.getRank(statistics) != 1)
      continue;
    IndexExpr size = shape.getDim(statistics, 0);
    if (failed(shape.expectEqual(channels, size,
                                 "the channels of 'X' and the statistics")))
      return failure();
    if (channels.isUndefined())
      channels = size;
  }
  if (channels.isUndefined())
    channels = shape.getQuestionmark();
  shape.setDimsOf(getRunningMean(), {channels});
  shape.setDimsOf(getRunningVar(), {channels});
  return success();
}

LogicalResult LayerNormalizationOp::computeShape(ShapeHelper &shape) {
  Type stash =
      elements::toType(getContext(), *dataTypeFromNumber(getStashType()));
  shape.setElementTypeOf(getMean(), stash);
  shape.setElementTypeOf(getInvStdDev(), stash);
  auto in = shape.operandsOf(*this);
  if (!shape.hasShape(in.getX()))
    return success();
  DimsExpr dims = shape.getDims(in.getX()), statistics = dims;
  // A scalar has no axis to normalize; it is accepted as a vector of one element.
  int64_t axis = normalizeAxis(getAxis(), dims.size()).value_or(dims.size());
  std::fill(statistics.begin() + axis, statistics.end(), IndexExpr(1));
  shape.setDimsOf(getY(), std::move(dims));
  shape.setDimsOf(getMean(), statistics);
  shape.setDimsOf(getInvStdDev(), std::move(statistics));
  return success();
}
