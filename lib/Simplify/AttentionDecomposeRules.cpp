// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decomposes attention and related operators into matrix products, masks of positions
// and rotations of pairs. Scores are batch x heads x queries x keys.
#include "Formula.h"
#include "Rules.h"
#include "invar/Dialect/ONNX/Ops/Attention.h"
#include "invar/Dialect/ONNX/Ops/Conv.h"
#include "invar/Dialect/ONNX/Ops/Expand.h"
#include "invar/Dialect/ONNX/Ops/MatMul.h"
#include "invar/Dialect/ONNX/Ops/Pad.h"
#include "invar/Dialect/ONNX/Ops/Reduce.h"
#include "invar/Dialect/ONNX/Ops/Softmax.h"
#include "mlir/IR/TypeUtilities.h"
#include <cmath>

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static constexpr int64_t end = std::numeric_limits<int64_t>::max();
static constexpr double infinity = std::numeric_limits<double>::infinity();

//===-- Attention -------------------------------------------------------------===//

/// Splits the heads of an operand into a separate axis.
static Expression splitHeads(Expression x, std::optional<int64_t> heads) {
  if (x.getRank() == 4)
    return x;
  if (x.getRank() != 3 || !heads || *heads <= 0)
    return {};
  std::optional<int64_t> size = x.getSize(2);
  Expression split = reshapeTo(
      x, {Size::copied(), Size::copied(), *heads, size ? *size / *heads : -1});
  return transpose(split, {0, 2, 1, 3});
}

static Expression addPast(Value past, Expression now, Rewriting &rewriting) {
  return past ? concat({Expression(past, rewriting), now}, 2) : now;
}

/// Repeats each head of keys or values for all queries that share it. Null if the
/// number of queries' heads is no multiple.
static Expression repeatHeads(Expression x, Expression queries) {
  if (!x || !queries || haveSameSize(x, 1, queries, 1))
    return x;
  std::optional<int64_t> heads = x.getSize(1), wanted = queries.getSize(1);
  Rewriting &rewriting = x.getRewriting();
  Expression apart = unsqueeze(x, 2), shape;
  if (heads && wanted) {
    if (*heads == 0 || *wanted % *heads != 0)
      return {};
    shape = ints({1, 1, *wanted / *heads, 1, 1}, rewriting);
  } else {
    Expression ones = ints({1, 1}, rewriting);
    Expression times =
        Size(queries, 1).get(rewriting) / Size(x, 1).get(rewriting);
    shape = concat({ones, times, ones}, 0);
  }
  Expression repeated = Expression::make<ExpandOp>(&rewriting, apart, shape);
  return reshapeTo(repeated,
                   {Size::copied(), Size(queries, 1), Size(x, 2), Size(x, 3)});
}

/// The scores of queries and keys. Each is scaled by the root of the scale, so that
/// neither becomes too big.
static Expression computeScores(AttentionOp op, Expression queries,
                                Expression keys) {
  Expression turned = transpose(keys, {0, 1, 3, 2});
  if (op.getScale() && *op.getScale() < 0)
    return Expression::make<MatMulOp>(queries * double(*op.getScale()), turned);
  Expression root;
  if (op.getScale())
    root = std::sqrt(double(*op.getScale()));
  else if (std::optional<int64_t> size = queries.getSize(3))
    root = std::pow(double(std::max<int64_t>(*size, 1)), -0.25);
  else
    root =
        sqrt(1 / sqrt(cast(Size(queries, 3).getScalar(queries.getRewriting()),
                           queries.getType())));
  return Expression::make<MatMulOp>(queries * root, turned * root);
}

/// The mask as a summand of the scores. Keys past its end are masked.
static Expression makeBias(Expression mask, Expression queries,
                           Expression keys) {
  Rewriting &rewriting = mask.getRewriting();
  Expression bias = mask.getType() == DataType::Bool
                        ? where(mask, Expression(0).as(queries),
                                Expression(-infinity).as(queries))
                        : cast(mask, queries.getType());
  std::optional<int64_t> rank = mask.getRank();
  if (!rank || *rank == 0 || haveSameSize(mask, *rank - 1, keys, 2))
    return rank ? bias : Expression();
  Expression missing =
      Size(keys, 2).get(rewriting) - Size(mask, *rank - 1).get(rewriting);
  return Expression::make<PadOp>(
      &rewriting, bias, concat({ints(0, rewriting), missing}, 0),
      Expression(-infinity).as(bias), ints(-1, rewriting), StringAttr());
}

/// The bias with all keys masked that are too far from a query, or past the end.
static Expression hideKeys(AttentionOp op, Expression bias, Expression queries,
                           Expression keys) {
  Rewriting &rewriting = queries.getRewriting();
  Expression places = countTo(Size(keys, 2).getScalar(rewriting));
  Expression lengths;
  if (op.getNonpadKvSeqlen())
    lengths =
        unsqueeze(Expression(op.getNonpadKvSeqlen(), rewriting), {1, 2, 3});
  auto hide = [&](Expression isHidden) {
    bias = where(isHidden, Expression(-infinity).as(queries), bias.as(queries));
  };
  int64_t left = op.getLeftWindowSize();
  int64_t right = op.getIsCausal() ? 0 : op.getRightWindowSize();
  if (left >= 0 || right >= 0) {
    // The positions of the queries among the keys.
    Expression rows =
        unsqueeze(countTo(Size(queries, 2).getScalar(rewriting)), 1);
    if (op.getPastKey())
      rows =
          rows + Size(Expression(op.getPastKey(), rewriting), 2).get(rewriting);
    if (lengths)
      rows = rows + (lengths - Size(queries, 2).get(rewriting));
    if (right >= 0)
      hide((right ? rows + double(right) : rows) < places);
    if (left >= 0)
      hide(places < rows - double(left));
  }
  if (lengths)
    hide(lengths - 1 < places);
  return bias;
}

/// The softmax of scores; zeros for queries that see no key.
static Expression computeWeights(AttentionOp op, Expression scores,
                                 bool mayBeHidden) {
  std::optional<DataType> type = scores.getType(), wide = type;
  if (std::optional<int64_t> number = op.getSoftmaxPrecision())
    wide = DataType(*number);
  Expression weights = Expression::make<SoftmaxOp>(
      &scores.getRewriting(), cast(scores, wide),
      scores.getRewriting().getBuilder().getI64IntegerAttr(-1));
  weights = cast(weights, type);
  if (!mayBeHidden)
    return weights;
  Expression isHidden = equal(reduce<ReduceMaxOp>(scores, -1), -infinity);
  return where(isHidden, 0, weights);
}

static constexpr StringLiteral decomposeAttentionPattern =
    "Attention(q, k, v) -> Softmax(q*k^T*scale + mask)*v [of one type; "
    "decomposition, one way]";
static LogicalResult decomposeAttention(AttentionOp op, Rewriting &rewriting) {
  Expression given(op.getQ(), rewriting);
  Expression queries = splitHeads(given, op.getQNumHeads());
  Expression keys =
      addPast(op.getPastKey(),
              splitHeads(Expression(op.getK(), rewriting), op.getKvNumHeads()),
              rewriting);
  Expression values =
      addPast(op.getPastValue(),
              splitHeads(Expression(op.getV(), rewriting), op.getKvNumHeads()),
              rewriting);
  if (!queries || !keys || !values || !queries.getType() ||
      queries.getType() != values.getType())
    return failure();
  // The values that `qk_matmul_output` can return.
  SmallVector<Expression, 4> stages = {
      computeScores(op, queries, repeatHeads(keys, queries))};
  double limit = op.getSoftcap();
  stages.push_back(limit > 0 ? limit * tanh(stages.back() / limit)
                             : stages.back());
  Expression bias(0);
  if (op.getAttnMask()) {
    bias = makeBias(Expression(op.getAttnMask(), rewriting), queries, keys);
    if (!bias)
      return failure();
  }
  bool isHiding = op.getNonpadKvSeqlen() || op.getIsCausal() ||
                  op.getLeftWindowSize() >= 0 || op.getRightWindowSize() >= 0;
  if (isHiding)
    bias = hideKeys(op, bias, queries, keys);
  bool isBiased = isHiding || op.getAttnMask();
  stages.push_back(isBiased ? stages.back() + bias : stages.back());
  if (!stages.back())
    return failure();
  // Without a mask, a causal query sees at least the first key.
  bool mayBeHidden =
      op.getAttnMask() || op.getNonpadKvSeqlen() || op.getLeftWindowSize() >= 0;
  stages.push_back(computeWeights(op, stages.back(), mayBeHidden));
  Expression y =
      Expression::make<MatMulOp>(stages.back(), repeatHeads(values, queries));
  if (given.getRank() == 3)
    y = reshapeTo(transpose(y, {0, 2, 1, 3}),
                  {Size::copied(), Size::copied(), Size(y, 1) * Size(y, 3)});
  return replaceAll(
      {{op.getY(), y},
       {op.getPresentKey(), keys},
       {op.getPresentValue(), values},
       {op.getQkMatmulOutput(), stages[op.getQkMatmulOutputMode()]}},
      rewriting);
}

//===-- Positions and state ---------------------------------------------------===//

static constexpr StringLiteral decomposeRotaryEmbeddingPattern =
    "RotaryEmbedding(x, cos, sin, p) -> Concat(cos*x1 - sin*x2, sin*x1 + "
    "cos*x2, rest) [of known sizes of heads; decomposition, one way]";
static LogicalResult decomposeRotaryEmbedding(RotaryEmbeddingOp op,
                                              Rewriting &rewriting) {
  Expression given(op.getX(), rewriting), x = given;
  std::optional<int64_t> rank = x.getRank();
  if (!rank || (*rank != 3 && *rank != 4))
    return failure();
  const Size copied = Size::copied();
  int64_t headsAxis = 1;
  std::optional<int64_t> size = x.getSize(*rank - 1);
  std::optional<int64_t> heads = op.getNumHeads();
  if (*rank == 3) {
    if (!size || !heads || *heads <= 0 || *size % *heads != 0)
      return failure();
    size = *size / *heads;
    headsAxis = 2;
    x = reshapeTo(x, {copied, copied, *heads, *size});
  }
  int64_t turned = op.getRotaryEmbeddingDim();
  if (turned == 0)
    turned = size.value_or(0);
  int64_t half = turned / 2;
  if (!size || half <= 0 || turned > *size || turned % 2 != 0)
    return failure();
  auto align = [&](Value cache) {
    Expression angles(cache, rewriting);
    if (op.getPositionIds())
      angles = gather(angles, Expression(op.getPositionIds(), rewriting), 0);
    if (angles.getRank() != 3)
      return Expression();
    if (angles.getSize(2) != half)
      angles = slice(angles, 2, 0, half);
    return unsqueeze(angles, headsAxis);
  };
  Expression cosine = align(op.getCosCache()), sine = align(op.getSinCache());
  bool isInterleaved = op.getInterleaved() != 0;
  Expression first =
      isInterleaved ? slice(x, 3, 0, turned, 2) : slice(x, 3, 0, half);
  Expression second =
      isInterleaved ? slice(x, 3, 1, turned, 2) : slice(x, 3, half, turned);
  Expression real = cosine * first - sine * second;
  Expression imaginary = sine * first + cosine * second;
  Expression y =
      isInterleaved
          ? reshapeTo(concat({unsqueeze(real, 4), unsqueeze(imaginary, 4)}, 4),
                      {copied, copied, copied, turned})
          : concat({real, imaginary}, 3);
  if (turned < *size)
    y = concat({y, slice(x, 3, turned, end)}, 3);
  if (*rank == 3)
    y = reshapeTo(y, {copied, copied, *size * *heads});
  return rewriting.tryReplace(op, y);
}

static constexpr StringLiteral decomposeCausalConvPattern =
    "CausalConvWithState(x, w, b, p) -> Conv(Concat(p, x), w, b) [of known "
    "channels and kernel; decomposition, one way]";
static LogicalResult decomposeCausalConv(CausalConvWithStateOp op,
                                         Rewriting &rewriting) {
  Expression x(op.getInput(), rewriting), weight(op.getWeight(), rewriting);
  std::optional<int64_t> channels = weight.getSize(0),
                         kernel = weight.getSize(2);
  if (!channels || !kernel || *kernel < 1)
    return failure();
  int64_t before = *kernel - 1;
  Builder &builder = rewriting.getBuilder();
  Expression all = x;
  if (op.getPastState())
    all = concat({Expression(op.getPastState(), rewriting), x}, 2);
  else if (before > 0)
    all = Expression::make<PadOp>(&rewriting, x,
                                  ints({0, 0, before, 0, 0, 0}, rewriting),
                                  Value(), Value(), StringAttr());
  Expression y = Expression::make<ConvOp>(
      &rewriting, all, weight, op.getBias(), StringAttr(), DenseI64ArrayAttr(),
      builder.getI64IntegerAttr(*channels), DenseI64ArrayAttr(),
      DenseI64ArrayAttr(), DenseI64ArrayAttr());
  if (op.getActivation() != "none") {
    Expression wide = cast(y, widen(y.getType(), DataType::Float32));
    y = cast(wide * sigmoid(wide), y.getType());
  }
  Expression state;
  if (isUsed(op.getPresentState()))
    state = slice(all, 2, before > 0 ? -before : end, end);
  return replaceAll({{op.getOutput(), y}, {op.getPresentState(), state}},
                    rewriting);
}

void invar::addAttentionDecomposeRules(std::vector<Rule> &rules) {
  using enum RuleGroup;
  rules.push_back(RuleFor<decomposeAttention>::get("decompose-attention",
                                                   Decompose,
                                                   decomposeAttentionPattern)
                      .forLowering(true));
  rules.push_back(RuleFor<decomposeRotaryEmbedding>::get(
                      "decompose-rotary-embedding", Decompose,
                      decomposeRotaryEmbeddingPattern)
                      .forLowering(true));
  rules.push_back(RuleFor<decomposeCausalConv>::get("decompose-causal-conv",
                                                    Decompose,
                                                    decomposeCausalConvPattern)
                      .forLowering(true));
}
