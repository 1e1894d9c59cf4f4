// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Adapters.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

// Below version 7 `output_sequence` requested the first output; since then its name
// alone does.
static Refusal sequenceUp(NodeForm &node, AdaptContext &) {
  node.attributes.erase("output_sequence");
  return adapted;
}

static Refusal sequenceDown(NodeForm &node, AdaptContext &context) {
  if (node.hasOutput(0))
    context.setInt(node, "output_sequence", 1);
  return adapted;
}

// GRU spelled its default direction 'foward' in version 1.
static Refusal gruUp(NodeForm &node, AdaptContext &context) {
  if (node.getString("direction", "") == "foward")
    context.setString(node, "direction", "forward");
  return adapted;
}

// In version 1 GRU's last state was required.
static Refusal gruDown(NodeForm &node, AdaptContext &) {
  if (!node.hasOutput(1))
    return "the output 'Y_h' is required below version 3";
  return adapted;
}

void invar::onnx::addRecurrentAdapters(AdapterTable &table) {
  for (StringRef op : {"GRU", "LSTM", "RNN"})
    table.add({{op, 7, sequenceUp, sequenceDown},
               {op, 14, nullptr, dropIfDefault("layout", 0)}});
  table.add({{"GRU", 3, gruUp, gruDown},
             {"GRU", 3, nullptr, dropIfDefault("linear_before_reset", 0)}});
}
