// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Attention.h"

#include "invar/Dialect/ONNX/Verify.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Query heads share key heads evenly. Zero stands for a number that is not given.
static void verifyHeads(Check &check, Check::Label label, int64_t query,
                        int64_t key) {
  check.atLeast(label, "q_num_heads", query, 0)
      .atLeast(label, "kv_num_heads", key, 0);
  if (query > 0 && key > 0)
    check.that(label, query % key == 0,
               "'q_num_heads' to be a multiple of 'kv_num_heads' " + Twine(key),
               Twine(query));
}

LogicalResult AttentionOp::verify() {
  int64_t queryHeads = getQNumHeads().value_or(0),
          keyHeads = getKvNumHeads().value_or(0);
  Check check(*this);
  check.flag("(C1)", "is_causal", getIsCausal());
  verifyHeads(check, "(C2)", queryHeads, keyHeads);
  if (rankOf(getQ()) == 3)
    check.atLeast("(C2)", "q_num_heads", queryHeads, 1)
        .atLeast("(C2)", "kv_num_heads", keyHeads, 1);
  if (std::optional<int64_t> rank = rankOf(getQ()))
    check.that("(C3)", *rank == 3 || *rank == 4, "'Q' to have rank 3 or 4",
               Twine(*rank));
  check.sameRank("(C3)", "K", getK(), "Q", getQ())
      .sameRank("(C3)", "V", getV(), "Q", getQ())
      .that("(C4)", !getPastKey() == !getPastValue(),
            "both 'past_key' and 'past_value'", "only one")
      .oneOf("(C5)", "qk_matmul_output_mode", getQkMatmulOutputMode(),
             {0, 1, 2, 3})
      .atLeast("(C7)", "left_window_size", getLeftWindowSize(), -1)
      .atLeast("(C7)", "right_window_size", getRightWindowSize(), -1);
  if (getSoftmaxPrecision())
    check.floatType("(C6)", "softmax_precision", *getSoftmaxPrecision());
  return check;
}

LogicalResult FlexAttentionOp::verify() {
  Check check(*this);
  check.rank("(C1)", "Q", getQ(), 4)
      .rank("(C1)", "K", getK(), 4)
      .rank("(C1)", "V", getV(), 4);
  if (getSoftmaxPrecision())
    check.floatType("(C2)", "softmax_precision", *getSoftmaxPrecision());
  if (!getProbMod().empty())
    check.graph("(C3)", "prob_mod", getProbMod(), 1, 1);
  if (!getScoreMod().empty())
    check.graph("(C3)", "score_mod", getScoreMod(), 1, 1);
  return check;
}

LogicalResult LinearAttentionOp::verify() {
  Check check(*this);
  check
      .oneOf("(C1)", "update_rule", getUpdateRule(),
             {"linear", "gated", "delta", "gated_delta"})
      .atLeast("(C2)", "q_num_heads", getQNumHeads(), 1)
      .atLeast("(C2)", "kv_num_heads", getKvNumHeads(), 1);
  verifyHeads(check, "(C2)", getQNumHeads(), getKvNumHeads());
  return check.rank("(C3)", "query", getQuery(), 3)
      .rank("(C3)", "key", getKey(), 3)
      .rank("(C3)", "value", getValue(), 3)
      .rank("(C3)", "past_state", getPastState(), 4);
}

LogicalResult RotaryEmbeddingOp::verify() {
  int64_t heads = getNumHeads().value_or(0);
  Check check(*this);
  check.flag("(C1)", "interleaved", getInterleaved())
      .atLeast("(C3)", "num_heads", heads, 0)
      .atLeast("(C3)", "rotary_embedding_dim", getRotaryEmbeddingDim(), 0);
  if (std::optional<int64_t> rank = rankOf(getX())) {
    check.that("(C2)", *rank == 3 || *rank == 4, "'X' to have rank 3 or 4",
               Twine(*rank));
    if (*rank == 3)
      check.atLeast("(C2)", "num_heads", heads, 1);
  }
  return check;
}

//===-- Shapes ----------------------------------------------------------------===//

LogicalResult AttentionOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult FlexAttentionOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult LinearAttentionOp::computeShape(ShapeHelper &) {
  return success();
}
LogicalResult RotaryEmbeddingOp::computeShape(ShapeHelper &) {
  return success();
}
