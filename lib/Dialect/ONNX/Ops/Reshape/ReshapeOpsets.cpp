// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Adapters.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

// Reshape's shape became an operand in version 5.
static Refusal reshapeUp(NodeForm &node, AdaptContext &context) {
  context.attributeToInput(node, "shape", 1);
  return adapted;
}

static Refusal reshapeDown(NodeForm &node, AdaptContext &context) {
  return context.inputToAttribute(node, 1, "shape");
}

// Since version 14 a 0 in Reshape's shape may mean the size 0.
static Refusal allowZeroDown(NodeForm &node, AdaptContext &context) {
  bool allowZero = node.getInt("allowzero", 0) != 0;
  std::optional<SmallVector<int64_t>> shape = context.getInts(node.getInput(1));
  if (allowZero && (!shape || llvm::is_contained(*shape, 0)))
    return "a size of 0 cannot be said below version 14";
  node.attributes.erase("allowzero");
  return adapted;
}

// Since version 15 Shape can return a part of the shape; before, a Slice is needed.
static Refusal shapeDown(NodeForm &node, AdaptContext &context) {
  int64_t start = node.getInt("start", 0);
  int64_t end = node.getInt("end", INT64_MAX);
  bool isWhole = start == 0 && !node.attributes.get("end");
  node.attributes.erase("start");
  node.attributes.erase("end");
  if (isWhole)
    return adapted;
  Type type =
      RankedTensorType::get(ShapedType::kDynamic, context.builder.getI64Type());
  Value shape = ShapeOp::create(context.builder, context.loc, type,
                                node.getInput(0), IntegerAttr(), IntegerAttr());
  node.become("Slice",
              {shape, context.ints(start), context.ints(end), context.ints(0)});
  return adapted;
}

// The axes of Squeeze and Unsqueeze became an operand in version 13.
static Refusal axesUp(NodeForm &node, AdaptContext &context) {
  context.attributeToInput(node, "axes", 1);
  return adapted;
}

static Refusal axesDown(NodeForm &node, AdaptContext &context) {
  return context.inputToAttribute(node, 1, "axes");
}

// Since version 11 Unsqueeze's axes may be negative; they count axes of the result.
static Refusal unsqueezeAxesDown(NodeForm &node, AdaptContext &context) {
  std::optional<ArrayRef<int64_t>> given = node.getInts("axes");
  if (!given)
    return adapted;
  std::optional<int64_t> rank = context.getRank(node.getInput(0));
  if (rank)
    *rank += int64_t(given->size());
  SmallVector<int64_t> axes(*given);
  if (Refusal refusal = countFromFront(axes, rank))
    return refusal;
  node.attributes.set("axes", context.builder.getDenseI64ArrayAttr(axes));
  return adapted;
}

void invar::onnx::addReshapeAdapters(AdapterTable &table) {
  table.add({{"Flatten", 11, nullptr, countFromFront("axis")},
             {"Reshape", 5, reshapeUp, reshapeDown},
             {"Reshape", 14, nullptr, allowZeroDown},
             {"Shape", 15, nullptr, shapeDown},
             {"Squeeze", 11, nullptr, countFromFront("axes")},
             {"Squeeze", 13, axesUp, axesDown},
             {"Unsqueeze", 11, nullptr, unsqueezeAxesDown},
             {"Unsqueeze", 13, axesUp, axesDown}});
}
