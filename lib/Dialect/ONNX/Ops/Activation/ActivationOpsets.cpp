// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/LimitedBroadcast.h"
#include "invar/Dialect/ONNX/Ops/Adapters.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static bool isOne(int64_t size) { return size == 1; }

// Below version 7 PRelu's slope belonged to the channels, axis 1; since then it
// broadcasts as in numpy.
static Refusal preluUp(NodeForm &node, AdaptContext &context) {
  std::optional<ArrayRef<int64_t>> slope = context.getShape(node.getInput(1));
  if (!slope)
    return "the shape of the slope is not known";
  if (slope->size() != 1 || isOne(slope->front()))
    return adapted;
  if (context.getRank(node.getInput(0)).value_or(2) < 2)
    return adapted;
  node.setInput(1, alignAxes(node.getInput(1), node.getInput(0), 1, context));
  return adapted;
}

static Refusal preluDown(NodeForm &node, AdaptContext &context) {
  std::optional<ArrayRef<int64_t>> slope = context.getShape(node.getInput(1));
  std::optional<int64_t> rank = context.getRank(node.getInput(0));
  if (slope && llvm::all_of(*slope, isOne))
    return adapted;
  bool perChannel = slope && rank && *rank >= 2 &&
                    int64_t(slope->size()) == *rank - 1 &&
                    llvm::all_of(slope->drop_front(), isOne);
  if (!perChannel)
    return "the slope must be one number or one for each channel below version "
           "7";
  node.setInput(1, dropUnitAxes(node.getInput(1), 0, 1, context));
  return adapted;
}

/// The defaults of Selu's constants: four decimal places below version 6, full
/// precision since.
struct SeluDefault {
  StringLiteral name;
  float older, newer;
};
static constexpr SeluDefault seluDefaults[] = {
    {"alpha", 1.6732f, 1.67326319217681884765625f},
    {"gamma", 1.0507f, 1.05070102214813232421875f}};

static Refusal seluUp(NodeForm &node, AdaptContext &context) {
  for (const SeluDefault &value : seluDefaults)
    context.setFloat(node, value.name, node.getFloat(value.name, value.older));
  return adapted;
}

static Refusal seluDown(NodeForm &node, AdaptContext &context) {
  for (const SeluDefault &value : seluDefaults) {
    float given = node.getFloat(value.name, value.newer);
    if (given == value.older)
      node.attributes.erase(value.name);
    else
      context.setFloat(node, value.name, given);
  }
  return adapted;
}

void invar::onnx::addActivationAdapters(AdapterTable &table) {
  table.exist({{"Celu", 12},
               {"Gelu", 20},
               {"HardSwish", 14},
               {"Mish", 18},
               {"Shrink", 9},
               {"SwiGLU", 28},
               {"Swish", 24},
               {"ThresholdedRelu", 10}});
  table.add({{"PRelu", 7, preluUp, preluDown}, {"Selu", 6, seluUp, seluDown}});
}
