// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AttentionFold.h"

#include "invar/Dialect/ONNX/RuntimeCall.h"
#include "invar/Dialect/ONNX/Verify.h"
#include "invar/Elements/IR/DataTypes.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Checks that query heads share key heads evenly. Zero means that a number is not given.
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
  for (auto [name, operand] :
       {std::pair("Q", getQ()), std::pair("K", getK()), std::pair("V", getV())})
    if (std::optional<int64_t> rank = rankOf(operand))
      check.that("(C3)", *rank == 3 || *rank == 4,
                 "'" + Twine(name) + "' to have rank 3 or 4", Twine(*rank));
  check.sameRank("(C3)", "K", getK(), "Q", getQ())
      .sameRank("(C3)", "V", getV(), "Q", getQ())
      .sameRank("(C3)", "V", getV(), "K", getK())
      .that("(C4)", !getPastKey() == !getPastValue(),
            "both 'past_key' and 'past_value'", "only one")
      .rank("(C4)", "past_key", getPastKey(), 4)
      .rank("(C4)", "past_value", getPastValue(), 4)
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

namespace {
/// Combines the sizes of several operands.
class Agreement {
public:
  explicit Agreement(ShapeHelper &shape) : shape(shape) {}
  operator LogicalResult() const { return result; }

  /// Requires `known` to equal `found`; sets it to `found` if it is unknown.
  Agreement &with(IndexExpr &known, IndexExpr found, StringRef what) {
    if (succeeded(result))
      result = shape.expectEqual(known, found, what);
    if (known.isUndefined() || known.isQuestionmark())
      known = found;
    return *this;
  }

private:
  ShapeHelper &shape;
  LogicalResult result = success();
};

/// The sizes of an operand with heads, independent of its layout.
struct Heads {
  IndexExpr batch, heads, length, size;
};
} // namespace

/// Rank 4 has a separate axis for the heads; in rank 3 they are part of the last axis.
static Heads readHeads(ShapeHelper &shape, Value value, int64_t heads) {
  DimsExpr dims = shape.getDims(value);
  if (dims.size() == 4)
    return {dims[0], dims[1], dims[2], dims[3]};
  return {dims[0], heads, dims[1], dims[2].floorDiv(heads)};
}

FailureOr<AttentionOp::Sizes> AttentionOp::computeSizes(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  Sizes sizes;
  Agreement agreement(shape);
  if (shape.hasShape(in.getQ())) {
    Heads q = readHeads(shape, in.getQ(), getQNumHeads().value_or(0));
    sizes.batch = q.batch;
    sizes.queryHeads = q.heads;
    sizes.queryLength = q.length;
    sizes.headSize = q.size;
  }
  // Requires the sizes of keys or values to agree with the other operands; `size` is
  // that of one head.
  auto addKeys = [&](Value keys, IndexExpr &length, IndexExpr &size) {
    if (!keys || !shape.hasShape(keys))
      return;
    Heads read = readHeads(shape, keys, getKvNumHeads().value_or(0));
    agreement.with(sizes.batch, read.batch, "the batches of the operands")
        .with(sizes.keyHeads, read.heads, "the heads of keys and values")
        .with(length, read.length, "the lengths of keys and values")
        .with(size, read.size, "the sizes of heads");
  };
  IndexExpr pastLength = in.getPastKey() ? IndexExpr() : IndexExpr(0);
  addKeys(in.getK(), sizes.keyLength, sizes.headSize);
  addKeys(in.getV(), sizes.keyLength, sizes.valueSize);
  addKeys(in.getPastKey(), pastLength, sizes.headSize);
  addKeys(in.getPastValue(), pastLength, sizes.valueSize);
  if (failed(agreement))
    return failure();
  sizes.totalLength = pastLength + sizes.keyLength;
  for (IndexExpr *size :
       {&sizes.batch, &sizes.queryHeads, &sizes.keyHeads, &sizes.queryLength,
        &sizes.keyLength, &sizes.totalLength, &sizes.headSize,
        &sizes.valueSize})
    if (size->isUndefined())
      *size = shape.getQuestionmark();
  return sizes;
}

LogicalResult AttentionOp::computeShape(ShapeHelper &shape) {
  FailureOr<Sizes> found = computeSizes(shape);
  if (failed(found))
    return failure();
  const Sizes &sizes = *found;
  auto in = shape.operandsOf(*this);
  for (Value operand : {in.getQ(), in.getK(), in.getV()})
    if (std::optional<int64_t> rank = shape.getRank(operand))
      shape.setDimsOf(
          getY(), *rank == 4 ? DimsExpr{sizes.batch, sizes.queryHeads,
                                        sizes.queryLength, sizes.valueSize}
                             : DimsExpr{sizes.batch, sizes.queryLength,
                                        sizes.queryHeads * sizes.valueSize});
  shape.setDimsOf(getPresentKey(), {sizes.batch, sizes.keyHeads,
                                    sizes.totalLength, sizes.headSize});
  shape.setDimsOf(getPresentValue(), {sizes.batch, sizes.keyHeads,
                                      sizes.totalLength, sizes.valueSize});
  shape.setDimsOf(getQkMatmulOutput(), {sizes.batch, sizes.queryHeads,
                                        sizes.queryLength, sizes.totalLength});
  return success();
}

/// Returns the shape of the scores of all queries and keys, and the shape of the result.
static FailureOr<std::pair<DimsExpr, DimsExpr>>
computeScores(FlexAttentionOp op, ShapeHelper &shape) {
  auto in = shape.operandsOf(op);
  auto dimsOf = [&](Value value) {
    return shape.hasShape(value) ? shape.getDims(value)
                                 : shape.getQuestionmarks(4);
  };
  DimsExpr q = dimsOf(in.getQ()), k = dimsOf(in.getK()), v = dimsOf(in.getV());
  Agreement agreement(shape);
  agreement.with(q[0], k[0], "the batches of 'Q' and 'K'")
      .with(q[0], v[0], "the batches of 'Q' and 'V'")
      .with(k[1], v[1], "the heads of 'K' and 'V'")
      .with(k[2], v[2], "the lengths of 'K' and 'V'")
      .with(q[3], k[3], "the sizes of heads of 'Q' and 'K'");
  if (failed(agreement))
    return failure();
  return std::pair(DimsExpr{q[0], q[1], q[2], k[2]},
                   DimsExpr{q[0], q[1], q[2], v[3]});
}

LogicalResult FlexAttentionOp::computeShape(ShapeHelper &shape) {
  auto dims = computeScores(*this, shape);
  if (failed(dims))
    return failure();
  shape.setOutputDims(std::move(dims->second));
  return success();
}

LogicalResult FlexAttentionOp::inferTypes(TypeInference &inference) {
  ShapeHelper shape(*this, inference.getBuilder());
  auto dims = computeScores(*this, shape);
  if (failed(dims))
    return failure();
  Type type = elementTypeOf(getQ());
  if (!type)
    return success();
  inference.setType(getY(),
                    inference.getTensorType(dims->second, type, getY()));
  // Narrow types are computed in single precision unless another precision is given.
  DataType precision = getSoftmaxPrecision()
                           ? *dataTypeFromNumber(*getSoftmaxPrecision())
                       : type.isF64() ? DataType::Float64
                                      : DataType::Float32;
  attention::evaluate(*this, inference, precision);
  for (auto [name, graph] : {std::pair("score_mod", &getScoreMod()),
                             std::pair("prob_mod", &getProbMod())}) {
    if (graph->empty())
      continue;
    Type scores = inference.getTensorType(
        dims->first, elements::toType(getContext(), precision),
        graph->getArgument(0));
    auto yields = inference.inferGraph(*graph, scores);
    if (failed(yields) ||
        failed(Check(*this).agrees("(C3)", name, yields->front(), scores)))
      return failure();
  }
  return success();
}

LogicalResult LinearAttentionOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  DimsExpr output = shape.getQuestionmarks(3),
           state = shape.getQuestionmarks(4);
  Agreement agreement(shape);
  if (shape.hasShape(in.getPastState()))
    state = shape.getDims(in.getPastState());
  agreement.with(state[1], getKvNumHeads(), "the heads of the state");
  if (shape.hasShape(in.getQuery())) {
    Heads query = readHeads(shape, in.getQuery(), getQNumHeads());
    agreement.with(state[0], query.batch, "the batches of state and query")
        .with(state[2], query.size, "the sizes of heads of state and query");
    output[1] = query.length;
  }
  if (shape.hasShape(in.getKey())) {
    Heads key = readHeads(shape, in.getKey(), getKvNumHeads());
    agreement.with(state[0], key.batch, "the batches of the operands")
        .with(state[2], key.size, "the sizes of heads of query and key")
        .with(output[1], key.length, "the lengths of query and key");
  }
  if (shape.hasShape(in.getValue())) {
    Heads value = readHeads(shape, in.getValue(), getKvNumHeads());
    agreement.with(state[0], value.batch, "the batches of the operands")
        .with(state[3], value.size, "the sizes of heads of state and value")
        .with(output[1], value.length, "the lengths of query and value");
  }
  if (failed(agreement))
    return failure();
  output[0] = state[0];
  output[2] = state[3] * getQNumHeads();
  shape.setDimsOf(getOutput(), std::move(output));
  shape.setDimsOf(getPresentState(), std::move(state));
  if (!in.getPastState())
    shape.setElementTypeOf(getPresentState(), elementTypeOf(in.getQuery()));
  return success();
}

//===-- Calls -----------------------------------------------------------------===//

RuntimeCall LinearAttentionOp::describeCall() {
  RuntimeCall call(*this, "LinearAttention");
  for (Value operand : getOperandSlots(*this))
    call.add(operand);
  call.set("heads", getKvNumHeads()).set("query_heads", getQNumHeads());
  call.set("decays", getUpdateRule().starts_with("gated"));
  call.set("corrects", getUpdateRule().ends_with("delta"));
  call.set("scale", double(getScale()));
  return call;
}
