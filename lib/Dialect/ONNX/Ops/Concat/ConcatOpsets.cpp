// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Adapters.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

// Below version 4 Concat's axis was 1 by default; since then it is required.
static Refusal concatUp(NodeForm &node, AdaptContext &context) {
  context.setInt(node, "axis", node.getInt("axis", 1));
  return adapted;
}

void invar::onnx::addConcatAdapters(AdapterTable &table) {
  table.add({{"Concat", 4, concatUp, nullptr},
             {"Concat", 11, nullptr, countFromFront("axis")}});
}
