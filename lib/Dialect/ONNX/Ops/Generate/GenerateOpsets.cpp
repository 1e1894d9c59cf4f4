// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Adapters.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

// OneHot's axis, one of the result, may be negative since version 11; the default was
// -1 before, too.
static Refusal oneHotDown(NodeForm &node, AdaptContext &context) {
  int64_t axis = node.getInt("axis", -1);
  if (axis == -1)
    return adapted;
  std::optional<int64_t> rank = context.getRank(node.getInput(0));
  if (rank)
    ++*rank;
  if (Refusal refusal = countFromFront(axis, rank))
    return refusal;
  context.setInt(node, "axis", axis);
  return adapted;
}

void invar::onnx::addGenerateAdapters(AdapterTable &table) {
  table.exist(
      {{"ConstantOfShape", 9}, {"EyeLike", 9}, {"OneHot", 9}, {"Range", 11}});
  table.add({{"OneHot", 11, nullptr, oneHotDown},
             {"Range", 27, nullptr, dropIfDefault("stash_type", 1)}});
}
