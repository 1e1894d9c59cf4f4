// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Adapters.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

// In version 20 DFT's axis became an operand; its default is the last axis of the signal.
static Refusal dftUp(NodeForm &node, AdaptContext &context) {
  int64_t axis = node.getInt("axis", 1);
  node.attributes.erase("axis");
  if (axis != -2)
    node.setInput(2, context.scalar(DataType::Int64, double(axis)));
  return adapted;
}

static Refusal dftDown(NodeForm &node, AdaptContext &context) {
  std::optional<double> axis = -2;
  if (node.getInput(2))
    axis = context.getNumber(node.getInput(2));
  if (!axis)
    return "'axis' is an attribute there, but its value is not constant";
  if (*axis != 1)
    context.setInt(node, "axis", int64_t(*axis));
  node.setInput(2, nullptr);
  return adapted;
}

void invar::onnx::addSignalAdapters(AdapterTable &table) {
  table.exist({{"BlackmanWindow", 17},
               {"DFT", 17},
               {"HammingWindow", 17},
               {"HannWindow", 17},
               {"MelWeightMatrix", 17},
               {"STFT", 17}});
  table.add({"DFT", 20, dftUp, dftDown});
}
