// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/LimitedBroadcast.h"
#include "invar/Dialect/ONNX/Ops/Adapters.h"

#include <cfloat>
#include <cmath>

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Clip's bounds, by their slots.
static constexpr StringLiteral clipBounds[] = {"", "min", "max"};
static float clipInfinity(size_t slot) {
  return slot == 1 ? -INFINITY : INFINITY;
}
static float clipDefault(size_t slot) { return slot == 1 ? -FLT_MAX : FLT_MAX; }

// Below version 6 Clip had no default bounds; from then on the defaults are the largest
// floats.
static Refusal clipDefaultsUp(NodeForm &node, AdaptContext &context) {
  for (size_t slot : {1, 2})
    if (!node.attributes.get(clipBounds[slot]))
      context.setFloat(node, clipBounds[slot], clipInfinity(slot));
  return adapted;
}

static Refusal clipDefaultsDown(NodeForm &node, AdaptContext &context) {
  for (size_t slot : {1, 2}) {
    float bound = node.getFloat(clipBounds[slot], clipDefault(slot));
    if (bound == clipInfinity(slot))
      node.attributes.erase(clipBounds[slot]);
    else
      context.setFloat(node, clipBounds[slot], bound);
  }
  return adapted;
}

// Clip's bounds became operands in version 11; a bound that is left out means no bound.
static Refusal clipUp(NodeForm &node, AdaptContext &context) {
  std::optional<DataType> type = context.getDataType(node.getInput(0));
  for (size_t slot : {1, 2}) {
    float bound = node.getFloat(clipBounds[slot], clipDefault(slot));
    node.attributes.erase(clipBounds[slot]);
    if (bound == clipInfinity(slot))
      continue;
    if (!type)
      return "the bounds have the element type of the input, which is not "
             "known";
    node.setInput(slot, context.scalar(*type, bound));
  }
  return adapted;
}

static Refusal clipDown(NodeForm &node, AdaptContext &context) {
  for (size_t slot : {1, 2}) {
    float bound = clipInfinity(slot);
    if (Value operand = node.getInput(slot)) {
      std::optional<float> constant = context.getFloat(operand);
      if (!constant)
        return ("'" + clipBounds[slot] +
                "' is an attribute there, but no constant float")
            .str();
      bound = *constant;
    }
    if (bound != clipDefault(slot))
      context.setFloat(node, clipBounds[slot], bound);
  }
  node.inputs.truncate(1);
  return adapted;
}

// Below version 28 Mod accepted floats only with `fmod`.
static Refusal modDown(NodeForm &node, AdaptContext &context) {
  std::optional<DataType> type = context.getDataType(node.getInput(0));
  if (type && getKind(*type) == NumberKind::Float &&
      node.getInt("fmod", 0) == 0)
    return "the floored remainder of floats exists since version 28";
  return adapted;
}

void invar::onnx::addArithmeticAdapters(AdapterTable &table) {
  table.exist({{"Erf", 9}, {"Mod", 10}, {"Round", 11}, {"Sign", 9}});
  for (StringRef op : {"Add", "Sub", "Mul", "Div", "Pow"})
    table.add({op, 7, limitedBroadcastUp, limitedBroadcastDown});
  for (StringRef op : {"Max", "Min", "Mean", "Sum"})
    table.add({op, 8, nullptr, noBroadcastDown});
  table.add({{"Clip", 6, clipDefaultsUp, clipDefaultsDown},
             {"Clip", 11, clipUp, clipDown},
             {"Mod", 28, nullptr, modDown}});
}
