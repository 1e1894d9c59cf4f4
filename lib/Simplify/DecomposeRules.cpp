// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One operator in terms of simpler ones, for those who lower the result. There is no way
// back: no rule of the other groups makes what is taken apart here.
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/Arithmetic.h"
#include "invar/Dialect/ONNX/Ops/Reduce.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

// Pattern: BatchNormalization(x, ...) -> x*s + t [decomposition, one way]
static LogicalResult decomposeBatchNormalization(BatchNormalizationOp op,
                                                 Rewriting &rewriting) {
  std::optional<int64_t> rank = getRank(op.getX());
  if (!isInference(op) || !rank || *rank < 2)
    return failure();
  auto parts = getScaleAndShift(op, rewriting);
  if (!parts)
    return failure();
  SmallVector<int64_t> shape(*rank - 1, 1);
  shape[0] = rewriting.getConstant(parts->first)->numElements();
  auto align = [&](Value value) {
    return rewriting.make<ReshapeOp>(value, rewriting.makeInts(shape),
                                     IntegerAttr());
  };
  Value scale = align(parts->first), shift = align(parts->second);
  Value scaled = scale ? rewriting.make<MulOp>(op.getX(), scale) : Value();
  Value result =
      scaled && shift ? rewriting.make<AddOp>(scaled, shift) : Value();
  if (!result)
    return failure();
  rewriting.replace(op, result);
  return success();
}

// Pattern: ReduceSumSquare(x) -> ReduceSum(x*x) [decomposition, one way]
static LogicalResult decomposeSumSquare(ReduceSumSquareOp op,
                                        Rewriting &rewriting) {
  Value square = rewriting.make<MulOp>(op.getData(), op.getData());
  if (!square)
    return failure();
  return rewriting.tryReplace(
      op,
      rewriting.make<ReduceSumOp>(square, op.getAxes(), op.getKeepdimsAttr(),
                                  op.getNoopWithEmptyAxesAttr()));
}

void invar::addDecomposeRules(std::vector<Rule> &rules) {
  using enum RuleGroup;
  rules.push_back(RuleFor<decomposeBatchNormalization>::get(
      "decompose-batchnorm", Decompose,
      "BatchNormalization(x, ...) -> x*s + t [decomposition, one way]"));
  rules.push_back(RuleFor<decomposeSumSquare>::get(
      "decompose-sum-square", Decompose,
      "ReduceSumSquare(x) -> ReduceSum(x*x) [decomposition, one way]"));
}
