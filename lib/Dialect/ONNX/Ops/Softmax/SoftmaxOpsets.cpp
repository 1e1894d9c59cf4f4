// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Below version 13 Softmax, LogSoftmax and Hardmax flattened their operand to a matrix,
// cut at `axis` (default 1), and worked along its rows. Since then they work along one
// axis (default: the last). Both are equal only for the last axis.
#include "invar/Dialect/ONNX/Ops/Adapters.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "invar/Dialect/ONNX/Ops/Softmax.h"
#include "invar/Dialect/ONNX/Ops/Transpose.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

template <typename Op>
static Refusal softmaxUp(NodeForm &node, AdaptContext &context) {
  OpBuilder &builder = context.builder;
  Value input = node.getInput(0);
  std::optional<int64_t> rank = context.getRank(input);
  int64_t axis = node.getInt("axis", 1);
  if (rank && (axis < -*rank || axis > *rank))
    return "expected an axis of " + std::to_string(*rank) + ", but got " +
           std::to_string(axis);
  if (axis == -1 || (rank && axis == *rank - 1)) {
    context.setInt(node, "axis", -1);
    return adapted;
  }
  // Below version 13 it is written as the one node that it was: no Reshape can say there that
  // a size is 0.
  if (context.target < 13) {
    node.become(node.opType + ".rows", {input});
    context.setInt(node, "axis", axis);
    return adapted;
  }
  Type sizes =
      RankedTensorType::get(ShapedType::kDynamic, builder.getI64Type());
  Type matrix =
      context.getType(input, {ShapedType::kDynamic, ShapedType::kDynamic});
  Value shape = ShapeOp::create(builder, context.loc, sizes, input,
                                IntegerAttr(), IntegerAttr());
  Value flat = FlattenOp::create(builder, context.loc, matrix, input,
                                 builder.getI64IntegerAttr(axis));
  Value result = Op::create(builder, context.loc, matrix, flat,
                            builder.getI64IntegerAttr(-1));
  node.become("Reshape", {result, shape});
  // The sizes are the tensor's own, also where one is 0.
  if (context.target >= 14)
    context.setInt(node, "allowzero", 1);
  return adapted;
}

/// An operator of rows is the one that it was.
static Refusal rowsDown(NodeForm &node, AdaptContext &context) {
  int64_t axis = node.getInt("axis", 1);
  std::optional<int64_t> rank = context.getRank(node.getInput(0));
  if (rank && axis < 0)
    axis += *rank;
  if (axis < 0 && context.version < 11)
    return "an axis from the back cannot be said below version 11";
  node.become(StringRef(node.opType).split(".").first.str(),
              llvm::to_vector(node.inputs));
  context.setInt(node, "axis", axis);
  return adapted;
}

/// Returns the permutation that exchanges `axis` and the last axis; it is its own
/// inverse.
static SmallVector<int64_t> exchangeWithLast(int64_t axis, int64_t rank) {
  auto permutation = llvm::to_vector(llvm::seq<int64_t>(rank));
  std::swap(permutation[axis], permutation.back());
  return permutation;
}

template <typename Op>
static Refusal softmaxDown(NodeForm &node, AdaptContext &context) {
  OpBuilder &builder = context.builder;
  Value input = node.getInput(0);
  int64_t axis = node.getInt("axis", -1);
  std::optional<ArrayRef<int64_t>> shape = context.getShape(input);
  if (!shape && axis == -1 && context.version >= 11) {
    context.setInt(node, "axis", -1);
    return adapted;
  }
  if (!shape)
    return "an axis that may not be the last cannot be said below version 13";
  int64_t rank = shape->size();
  if (Refusal refusal = countFromFront(axis, rank))
    return refusal;
  if (axis >= rank)
    return "axis " + std::to_string(axis) + " is out of range";
  if (axis == rank - 1) {
    context.setInt(node, "axis", axis);
    return adapted;
  }
  SmallVector<int64_t> permutation = exchangeWithLast(axis, rank);
  SmallVector<int64_t> permuted(*shape);
  std::swap(permuted[axis], permuted.back());
  Type type = context.getType(input, permuted);
  auto perm = builder.getDenseI64ArrayAttr(permutation);
  Value transposed =
      TransposeOp::create(builder, context.loc, type, input, perm);
  Value result = Op::create(builder, context.loc, type, transposed,
                            builder.getI64IntegerAttr(-1));
  node.become("Transpose", result);
  node.attributes.set("perm", perm);
  return adapted;
}

void invar::onnx::addSoftmaxAdapters(AdapterTable &table) {
  table.exist(
      {{"NegativeLogLikelihoodLoss", 12}, {"SoftmaxCrossEntropyLoss", 12}});
  table.add(
      {{"Hardmax.rows", 13, nullptr, rowsDown},
       {"LogSoftmax.rows", 13, nullptr, rowsDown},
       {"Softmax.rows", 13, nullptr, rowsDown},
       {"Hardmax", 13, softmaxUp<HardmaxOp>, softmaxDown<HardmaxOp>},
       {"LogSoftmax", 13, softmaxUp<LogSoftmaxOp>, softmaxDown<LogSoftmaxOp>},
       {"Softmax", 13, softmaxUp<SoftmaxOp>, softmaxDown<SoftmaxOp>}});
}
