// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Random.h"

#include "invar/Dialect/ONNX/RuntimeCall.h"
#include "invar/Dialect/ONNX/Shapes.h"
#include "invar/Dialect/ONNX/Verify.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Checks (C1) of the operators that have their operand's type unless `dtype` is given.
template <typename Op> static LogicalResult verifyGivenType(Op op) {
  if (!op.getDtype())
    return success();
  return Check(op).dataType("(C1)", "dtype", *op.getDtype(), op.getOutput());
}

LogicalResult BernoulliOp::verify() { return verifyGivenType(*this); }
LogicalResult RandomNormalLikeOp::verify() { return verifyGivenType(*this); }
LogicalResult RandomUniformLikeOp::verify() { return verifyGivenType(*this); }

LogicalResult MultinomialOp::verify() {
  return Check(*this)
      .oneOf("(C1)", "dtype", getDtype(),
             {int64_t(DataType::Int32), int64_t(DataType::Int64)})
      .dataType("(C1)", "dtype", getDtype(), getOutput())
      .atLeast("(C2)", "sample_size", getSampleSize(), 1)
      .rank("(C3)", "input", getInput(), 2);
}

template <typename Op> static LogicalResult verifyShaped(Op op) {
  return Check(op)
      .dataType("(C1)", "dtype", op.getDtype(), op.getOutput())
      .eachAtLeast("(C2)", "shape", op.getShape(), 0);
}

LogicalResult RandomNormalOp::verify() { return verifyShaped(*this); }
LogicalResult RandomUniformOp::verify() { return verifyShaped(*this); }

//===-- Shapes ----------------------------------------------------------------===//

/// The shape of the operand, and its type unless another is given.
template <typename Op>
static LogicalResult likeInput(Op op, ShapeHelper &shape) {
  shape.setElementType(shape::typeOr(op.getDtype(), op.getInput()));
  return shape::sameAsFirst(shape);
}

LogicalResult BernoulliOp::computeShape(ShapeHelper &shape) {
  return likeInput(*this, shape);
}
LogicalResult RandomNormalLikeOp::computeShape(ShapeHelper &shape) {
  return likeInput(*this, shape);
}
LogicalResult RandomUniformLikeOp::computeShape(ShapeHelper &shape) {
  return likeInput(*this, shape);
}

LogicalResult MultinomialOp::computeShape(ShapeHelper &shape) {
  Value weights = shape.operandsOf(*this).getInput();
  shape.setElementType(shape::typeOr(getDtype(), weights));
  shape.setOutputDims({shape.hasShape(weights) ? shape.getDim(weights, 0)
                                               : shape.getQuestionmark(),
                       getSampleSize()});
  return success();
}

template <typename Op>
static LogicalResult likeGiven(Op op, ShapeHelper &shape) {
  shape.setElementType(shape::typeOr(op.getDtype(), op.getOutput()));
  shape.setOutputDims(DimsExpr(op.getShape().begin(), op.getShape().end()));
  return success();
}

LogicalResult RandomNormalOp::computeShape(ShapeHelper &shape) {
  return likeGiven(*this, shape);
}
LogicalResult RandomUniformOp::computeShape(ShapeHelper &shape) {
  return likeGiven(*this, shape);
}

//===-- Calls -----------------------------------------------------------------===//

/// Without a seed, a session draws other numbers than the one before.
template <typename Op> static RuntimeCall &setSeed(Op op, RuntimeCall &call) {
  return op.getSeed() ? call.set("seed", double(*op.getSeed())) : call;
}

RuntimeCall BernoulliOp::describeCall() {
  RuntimeCall call(*this, "Bernoulli");
  return setSeed(*this, call.add(getInput()));
}

RuntimeCall MultinomialOp::describeCall() {
  RuntimeCall call(*this, "Multinomial");
  call.add(getInput()).set("samples", getSampleSize());
  return setSeed(*this, call);
}

template <typename Op>
static FailureOr<RuntimeCall> describeUniform(Op op, ShapeHelper &shape) {
  if (failed(op.computeShape(shape)))
    return failure();
  RuntimeCall call(op, "RandomUniform");
  call.addNumbers(shape.getOutputDims());
  call.set("low", double(op.getLow())).set("high", double(op.getHigh()));
  return setSeed(op, call);
}

FailureOr<RuntimeCall> RandomUniformOp::describeCall(ShapeHelper &shape) {
  return describeUniform(*this, shape);
}
FailureOr<RuntimeCall> RandomUniformLikeOp::describeCall(ShapeHelper &shape) {
  return describeUniform(*this, shape);
}

template <typename Op>
static FailureOr<RuntimeCall> describeNormal(Op op, ShapeHelper &shape) {
  if (failed(op.computeShape(shape)))
    return failure();
  RuntimeCall call(op, "RandomNormal");
  call.addNumbers(shape.getOutputDims());
  call.set("mean", double(op.getMean())).set("scale", double(op.getScale()));
  return setSeed(op, call);
}

FailureOr<RuntimeCall> RandomNormalOp::describeCall(ShapeHelper &shape) {
  return describeNormal(*this, shape);
}
FailureOr<RuntimeCall> RandomNormalLikeOp::describeCall(ShapeHelper &shape) {
  return describeNormal(*this, shape);
}
