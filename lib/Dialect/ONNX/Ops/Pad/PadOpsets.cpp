// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Adapters.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

// Pad's `paddings` became `pads` in version 2.
static Refusal padNameUp(NodeForm &node, AdaptContext &) {
  if (Attribute pads = node.attributes.erase("paddings"))
    node.attributes.set("pads", pads);
  return adapted;
}

static Refusal padNameDown(NodeForm &node, AdaptContext &) {
  if (Attribute pads = node.attributes.erase("pads"))
    node.attributes.set("paddings", pads);
  return adapted;
}

// Pad's pads and value became operands in version 11.
static Refusal padUp(NodeForm &node, AdaptContext &context) {
  context.attributeToInput(node, "pads", 1);
  float value = node.getFloat("value", 0);
  node.attributes.erase("value");
  if (value == 0)
    return adapted;
  std::optional<DataType> type = context.getDataType(node.getInput(0));
  if (!type)
    return "the value has the element type of the data, which is not known";
  node.setInput(2, context.scalar(*type, value));
  return adapted;
}

static Refusal padDown(NodeForm &node, AdaptContext &context) {
  if (Value operand = node.getInput(2)) {
    std::optional<float> value = context.getFloat(operand);
    if (!value)
      return "'value' is an attribute there, but no constant float";
    if (*value != 0)
      context.setFloat(node, "value", *value);
    node.setInput(2, nullptr);
  }
  return context.inputToAttribute(node, 1, "pads");
}

// Since version 18 pads may be given for some axes only.
static Refusal padAxesDown(NodeForm &node, AdaptContext &context) {
  if (!node.getInput(3))
    return adapted;
  auto axes = context.getInts(node.getInput(3));
  auto pads = context.getInts(node.getInput(1));
  std::optional<int64_t> rank = context.getRank(node.getInput(0));
  if (!axes || !pads || !rank)
    return "padding some axes only exists since version 18";
  if (Refusal refusal = countFromFront(*axes, rank))
    return refusal;
  if (pads->size() != 2 * axes->size() ||
      llvm::any_of(*axes, [&](int64_t axis) { return axis >= *rank; }))
    return "'pads' and 'axes' do not fit";
  SmallVector<int64_t> all(2 * *rank, 0);
  for (auto [i, axis] : llvm::enumerate(*axes)) {
    all[axis] = (*pads)[i];
    all[axis + *rank] = (*pads)[i + axes->size()];
  }
  node.setInput(1, context.ints(all));
  node.setInput(3, nullptr);
  return adapted;
}

// Since version 19 Pad has the mode 'wrap'.
static Refusal padWrapDown(NodeForm &node, AdaptContext &) {
  if (node.getString("mode", "constant") == "wrap")
    return "the mode 'wrap' exists since version 19";
  return adapted;
}

void invar::onnx::addPadAdapters(AdapterTable &table) {
  table.add({{"Pad", 2, padNameUp, padNameDown},
             {"Pad", 11, padUp, padDown},
             {"Pad", 18, nullptr, padAxesDown},
             {"Pad", 19, nullptr, padWrapDown}});
}
