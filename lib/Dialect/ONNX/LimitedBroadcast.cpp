// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/LimitedBroadcast.h"

#include "invar/Dialect/ONNX/Ops/Arithmetic.h"
#include "invar/Dialect/ONNX/Ops/Concat.h"
#include "invar/Dialect/ONNX/Ops/Generate.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static Type getVectorType(AdaptContext &context, int64_t size) {
  return RankedTensorType::get(size, context.builder.getI64Type());
}

static Value makeShape(Value value, AdaptContext &context) {
  int64_t rank = context.getRank(value).value_or(ShapedType::kDynamic);
  return ShapeOp::create(context.builder, context.loc,
                         getVectorType(context, rank), value, IntegerAttr(),
                         IntegerAttr());
}

static Value alignAtRunTime(Value value, Value like, int64_t axis,
                            AdaptContext &context) {
  OpBuilder &builder = context.builder;
  Type one = getVectorType(context, 1),
       any = getVectorType(context, ShapedType::kDynamic);
  Value shape = makeShape(value, context);
  Value rank = makeShape(shape, context);
  Value likeRank = makeShape(makeShape(like, context), context);
  Value begin =
      SubOp::create(builder, context.loc, one, likeRank, context.ints(axis));
  Value count = SubOp::create(builder, context.loc, one, begin, rank);
  auto unit = DenseElementsAttr::get(cast<ShapedType>(one), int64_t(1));
  Value units =
      ConstantOfShapeOp::create(builder, context.loc, any, count, unit);
  Value target =
      ConcatOp::create(builder, context.loc, any, ValueRange{shape, units},
                       builder.getI64IntegerAttr(0));
  return ReshapeOp::create(builder, context.loc, context.getType(value), value,
                           target, IntegerAttr());
}

Value onnx::alignAxes(Value value, Value like, int64_t axis,
                      AdaptContext &context) {
  std::optional<ArrayRef<int64_t>> shape = context.getShape(value);
  std::optional<int64_t> rank = context.getRank(like);
  if (axis < 0)
    return {};
  if (!shape || !rank)
    return alignAtRunTime(value, like, axis, context);
  int64_t count = *rank - int64_t(shape->size()) - axis;
  if (count <= 0)
    return count == 0 ? value : Value();
  SmallVector<int64_t> expanded(*shape);
  expanded.append(count, 1);
  auto axes =
      llvm::to_vector(llvm::seq<int64_t>(shape->size(), expanded.size()));
  return UnsqueezeOp::create(context.builder, context.loc,
                             context.getType(value, expanded), value,
                             context.ints(axes));
}

Value onnx::dropUnitAxes(Value value, int64_t begin, int64_t end,
                         AdaptContext &context) {
  ArrayRef<int64_t> shape = *context.getShape(value);
  ArrayRef<int64_t> kept = shape.slice(begin, end - begin);
  if (kept.size() == shape.size())
    return value;
  auto unsqueeze = value.getDefiningOp<UnsqueezeOp>();
  if (unsqueeze && context.getShape(unsqueeze.getData()) == kept)
    return unsqueeze.getData();
  auto axes = llvm::to_vector(llvm::seq<int64_t>(0, begin));
  llvm::append_range(axes, llvm::seq<int64_t>(end, shape.size()));
  return SqueezeOp::create(context.builder, context.loc,
                           context.getType(value, kept), value,
                           context.ints(axes));
}

Refusal onnx::limitedBroadcastUp(NodeForm &node, AdaptContext &context) {
  bool broadcast = node.getInt("broadcast", 0) != 0;
  bool hasAxis = bool(node.attributes.get("axis"));
  int64_t axis = node.getInt("axis", 0);
  node.attributes.erase("broadcast");
  node.attributes.erase("axis");
  if (!broadcast || !hasAxis || context.getRank(node.getInput(1)) == 0)
    return adapted;
  Value aligned = alignAxes(node.getInput(1), node.getInput(0), axis, context);
  if (!aligned)
    return "'axis' is out of range";
  node.setInput(1, aligned);
  return adapted;
}

static bool isStatic(ArrayRef<int64_t> shape) {
  return llvm::none_of(shape, ShapedType::isDynamic);
}

Refusal onnx::limitedBroadcastDown(NodeForm &node, AdaptContext &context) {
  if (node.getInput(0) == node.getInput(1))
    return adapted;
  std::optional<ArrayRef<int64_t>> left = context.getShape(node.getInput(0));
  std::optional<ArrayRef<int64_t>> right = context.getShape(node.getInput(1));
  static constexpr StringLiteral reason =
      "operands broadcast in a way that cannot be said below version 7";
  if (!left || !right || !isStatic(*right) || right->size() > left->size())
    return reason.str();
  if (isStatic(*left) && *left == *right)
    return adapted;

  context.setInt(node, "broadcast", 1);
  if (llvm::all_of(*right, [](int64_t size) { return size == 1; }))
    return adapted;
  // Old nodes do not broadcast axes of size one: find the range of axes with other sizes.
  int64_t begin = 0, end = right->size();
  while ((*right)[begin] == 1)
    ++begin;
  while ((*right)[end - 1] == 1)
    --end;
  int64_t axis = left->size() - right->size() + begin;
  if (left->slice(axis, end - begin) != right->slice(begin, end - begin))
    return reason.str();
  bool isSuffix = end == int64_t(right->size());
  node.setInput(1, dropUnitAxes(node.getInput(1), begin, end, context));
  if (!isSuffix)
    context.setInt(node, "axis", axis);
  return adapted;
}

Refusal onnx::noBroadcastDown(NodeForm &node, AdaptContext &context) {
  std::optional<ArrayRef<int64_t>> first = context.getShape(node.getInput(0));
  for (Value input :
       ArrayRef<Value>(node.inputs).drop_front(node.inputs.empty() ? 0 : 1))
    if (!first || !isStatic(*first) || context.getShape(input) != first)
      return "operands must have the same shape below version 8";
  return adapted;
}
