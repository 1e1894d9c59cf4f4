// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/LimitedBroadcast.h"

#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

Value onnx::appendUnitAxes(Value value, int64_t count, AdaptContext &context) {
  ArrayRef<int64_t> shape = *context.getShape(value);
  SmallVector<int64_t> expanded(shape);
  expanded.append(count, 1);
  auto axes =
      llvm::to_vector(llvm::seq<int64_t>(shape.size(), expanded.size()));
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
  std::optional<int64_t> right = context.getRank(node.getInput(1));
  if (!broadcast || !hasAxis || right == 0)
    return adapted;

  std::optional<int64_t> left = context.getRank(node.getInput(0));
  if (!left || !right)
    return "'axis' cannot be read without the ranks of both operands";
  if (axis < 0 || axis > *left - *right)
    return "'axis' is out of range";
  if (int64_t trailing = *left - *right - axis)
    node.setInput(1, appendUnitAxes(node.getInput(1), trailing, context));
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
  // Old nodes know nothing of axes of size one: find the run of axes that has others.
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
