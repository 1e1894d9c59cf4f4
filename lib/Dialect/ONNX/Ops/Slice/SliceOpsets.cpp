// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Adapters.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

// In version 10 Slice's starts, ends and axes became operands, and steps were added.
static Refusal sliceUp(NodeForm &node, AdaptContext &context) {
  context.attributeToInput(node, "starts", 1);
  context.attributeToInput(node, "ends", 2);
  context.attributeToInput(node, "axes", 3);
  return adapted;
}

static Refusal sliceDown(NodeForm &node, AdaptContext &context) {
  if (Value operand = node.getInput(4)) {
    std::optional<SmallVector<int64_t>> steps = context.getInts(operand);
    if (!steps || llvm::any_of(*steps, [](int64_t step) { return step != 1; }))
      return "steps exist since version 10";
    node.setInput(4, nullptr);
  }
  for (auto [slot, name] :
       {std::pair(1, "starts"), std::pair(2, "ends"), std::pair(3, "axes")})
    if (Refusal refusal = context.inputToAttribute(node, slot, name))
      return refusal;
  return adapted;
}

// Since version 11 Slice's axes may be negative.
static Refusal sliceAxesDown(NodeForm &node, AdaptContext &context) {
  std::optional<SmallVector<int64_t>> axes = context.getInts(node.getInput(3));
  if (!axes || llvm::all_of(*axes, [](int64_t axis) { return axis >= 0; }))
    return adapted;
  if (Refusal refusal =
          countFromFront(*axes, context.getRank(node.getInput(0))))
    return refusal;
  // All operands except the data have the same type.
  DataType type = *context.getDataType(node.getInput(3));
  node.setInput(3, context.ints(*axes, type));
  return adapted;
}

// In version 1 Split's lengths could be an operand of the data's type.
static Refusal splitOperandUp(NodeForm &node, AdaptContext &) {
  if (node.getInput(1))
    return "lengths as an operand of the data's type exist only in version 1";
  return adapted;
}

static Refusal splitAxisDown(NodeForm &node, AdaptContext &context) {
  context.setInt(node, "axis", node.getInt("axis", 0));
  return adapted;
}

// Split's lengths became an operand in version 13.
static Refusal splitUp(NodeForm &node, AdaptContext &context) {
  context.attributeToInput(node, "split", 1);
  return adapted;
}

static Refusal splitDown(NodeForm &node, AdaptContext &context) {
  return context.inputToAttribute(node, 1, "split");
}

// Since version 18 Split into equal parts must state their number; the last may be
// smaller.
static Refusal splitEvenlyUp(NodeForm &node, AdaptContext &context) {
  if (!node.getInput(1))
    context.setInt(node, "num_outputs", int64_t(node.outputs.size()));
  return adapted;
}

static Refusal splitEvenlyDown(NodeForm &node, AdaptContext &context) {
  int64_t parts = node.getInt("num_outputs", 0);
  node.attributes.erase("num_outputs");
  std::optional<ArrayRef<int64_t>> shape = context.getShape(node.getInput(0));
  int64_t axis = node.getInt("axis", 0);
  if (node.getInput(1) || !shape || countFromFront(axis, shape->size()) ||
      axis >= int64_t(shape->size()))
    return adapted;
  int64_t size = (*shape)[axis];
  if (parts <= 0 || parts != int64_t(node.outputs.size()) ||
      ShapedType::isDynamic(size) || size % parts == 0)
    return adapted;
  int64_t longest = size / parts + 1;
  SmallVector<int64_t> lengths(parts, longest);
  lengths.back() = size - (parts - 1) * longest;
  if (lengths.back() < 0)
    return "the parts do not fit";
  node.setInput(1, context.ints(lengths));
  return adapted;
}

void invar::onnx::addSliceAdapters(AdapterTable &table) {
  table.exist({{"CenterCropPad", 18},
               {"Compress", 9},
               {"NonZero", 9},
               {"Trilu", 14},
               {"Unique", 11}});
  table.add({{"Compress", 11, nullptr, countFromFront("axis")},
             {"Slice", 10, sliceUp, sliceDown},
             {"Slice", 11, nullptr, sliceAxesDown},
             {"Split", 2, splitOperandUp, splitAxisDown},
             {"Split", 11, nullptr, countFromFront("axis")},
             {"Split", 13, splitUp, splitDown},
             {"Split", 18, splitEvenlyUp, splitEvenlyDown}});
}
