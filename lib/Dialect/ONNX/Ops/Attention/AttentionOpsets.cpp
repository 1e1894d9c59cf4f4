// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Adapters.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

// Since version 24 Attention takes the number of keys that are not padding.
static Refusal attentionPaddingDown(NodeForm &node, AdaptContext &) {
  if (node.getInput(6))
    return "the operand 'nonpad_kv_seqlen' exists since version 24";
  return adapted;
}

void invar::onnx::addAttentionAdapters(AdapterTable &table) {
  table.exist(
      {{"Attention", 23}, {"LinearAttention", 27}, {"RotaryEmbedding", 23}});
  table.add(
      {{"Attention", 24, nullptr, attentionPaddingDown},
       {"Attention", 25, nullptr, dropIfDefault("left_window_size", -1)},
       {"Attention", 25, nullptr, dropIfDefault("right_window_size", -1)}});
}
