// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AttentionFold.h"
#include "../Arithmetic/ArithmeticFormulas.h"
#include "AttentionFormulas.h"
#include "invar/Dialect/ONNX/FoldChain.h"
#include "invar/Dialect/ONNX/MatrixProduct.h"
#include "invar/Dialect/ONNX/Movement.h"
#include "invar/Dialect/ONNX/SoftmaxSteps.h"
#include "invar/Elements/IR/DataTypes.h"
#include "invar/Support/Parallel.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;
using namespace invar::onnx::attention;

static constexpr double minusInfinity =
    -std::numeric_limits<double>::infinity();

static llvm::Expected<Elements> makeNumber(const Folding &fold, double number) {
  return fold.getBuilder().splat(DataType::Float64, {},
                                 WideNum::ofDouble(number));
}

//===-- Scores, weights, results ----------------------------------------------===//

// Tensors are batch x heads x length x size here. Scores and weights are doubles: they have
// a row for each query, with an element for each key.

/// Groups the heads of the queries by the key head that they share: batch x key heads x
/// query heads per key head x length x size.
static llvm::Expected<Elements>
groupHeads(const Folding &fold, const Elements &x, int64_t keyHeads) {
  Shape shape(x.getShape());
  if (keyHeads <= 0 || shape[1] % keyHeads != 0)
    return notFolded("expected a multiple of " + Twine(keyHeads) +
                     " heads, but got " + Twine(shape[1]));
  shape.insert(shape.begin() + 2, shape[1] / keyHeads);
  shape[1] = keyHeads;
  return fold.getBuilder().reshape(x, shape);
}

/// Multiplies each query head by the matrix of its key head.
static llvm::Expected<Elements> multiplyHeads(const Folding &fold,
                                              const Elements &queries,
                                              const Elements &keys,
                                              bool transposed) {
  Shape shape(queries.getShape());
  shape.back() = keys.getShape()[transposed ? 2 : 3];
  auto left = groupHeads(fold, queries, keys.getShape()[1]);
  auto right = groupHeads(fold, keys, keys.getShape()[1]);
  if (!left || !right)
    return llvm::joinErrors(left.takeError(), right.takeError());
  return FoldChain(fold, multiplyMatrices(fold, {*left}, {*right, transposed},
                                          DataType::Float64))
      .reshape(shape);
}

llvm::Expected<Elements> attention::computeScores(const Folding &fold,
                                                  const Elements &queries,
                                                  const Elements &keys,
                                                  std::optional<double> scale,
                                                  DataType precision) {
  // Vectors without elements have products of 0 for any scale.
  int64_t size = std::max<int64_t>(queries.getShape().back(), 1);
  formula::ScaledScore scaled;
  scaled.factor = scale ? *scale : 1 / std::sqrt(double(size));
  if (!roundsInSteps(precision))
    return FoldChain(fold,
                     multiplyHeads(fold, queries, keys, /*transposed=*/true))
        .apply(scaled);
  // Multiply each operand by the square root of the scale; both have the 16-bit type.
  scaled.factor = roundTo(precision, std::sqrt(scaled.factor));
  llvm::Expected<Elements> left = FoldChain(fold, queries).apply(scaled);
  llvm::Expected<Elements> right = FoldChain(fold, keys).apply(scaled);
  if (!left || !right)
    return llvm::joinErrors(left.takeError(), right.takeError());
  return FoldChain(fold,
                   multiplyHeads(fold, *left, *right, /*transposed=*/true))
      .then([&](const Elements &x) { return roundTo(fold, precision, x); });
}

/// Computes the weights of one query, in place.
static void softmax(MutableArrayRef<double> row, MaskedRows masked,
                    DataType precision) {
  double most = minusInfinity, total = 0;
  for (double score : row)
    most = scalar::maximum(most, score);
  if (most == minusInfinity && masked == MaskedRows::Zero)
    return llvm::fill(row, 0);
  if (roundsInSteps(precision))
    return softmaxInSteps(precision, row);
  for (double &score : row)
    total += score = std::exp(score - most);
  for (double &score : row)
    score /= total;
}

llvm::Expected<Elements> attention::computeWeights(const Folding &fold,
                                                   const Elements &scores,
                                                   MaskedRows masked,
                                                   DataType precision) {
  if (scores.numElements() == 0)
    return scores;
  auto kernel = [=](void *lanes, const EvalOptions &options) {
    MutableArrayRef<double> all(static_cast<double *>(lanes),
                                size_t(scores.numElements()));
    scores.read<double>(0, all, options);
    size_t length = size_t(scores.getShape().back());
    constexpr size_t piece = 4096;
    parallelFor(all.size() / length, std::max<size_t>(1, piece / length),
                options.threads, [&](uint64_t from, uint64_t to) {
                  for (uint64_t row = from; row < to; ++row)
                    softmax(all.slice(row * length, length), masked, precision);
                });
  };
  return fold.getBuilder().compute(DataType::Float64, scores.getShape(),
                                   Hasher()
                                       .add("attention weights")
                                       .add(uint64_t(masked))
                                       .add(uint64_t(precision))
                                       .finish(),
                                   scores, kernel);
}

llvm::Expected<Elements> attention::weighValues(const Folding &fold,
                                                const Elements &weights,
                                                const Elements &values) {
  llvm::Expected<Elements> wide =
      fold.getBuilder().cast(values, DataType::Float64);
  if (!wide)
    return wide;
  return multiplyHeads(fold, weights, *wide, /*transposed=*/false);
}

//===-- Attention -------------------------------------------------------------===//

/// Returns an operand with a separate axis for its heads.
static llvm::Expected<Elements> splitHeads(const Folding &fold,
                                           const Elements &x, int64_t heads) {
  ArrayRef<int64_t> shape = x.getShape();
  if (shape.size() == 4)
    return x;
  if (shape.size() != 3 || heads <= 0)
    return notFolded("expected the number of heads");
  return FoldChain(fold, x)
      .reshape({shape[0], shape[1], heads, shape[2] / heads})
      .transpose({0, 2, 1, 3});
}

/// Concatenates the past keys or values and the current ones.
static llvm::Expected<Elements> addPast(Folding &fold, Value past, Value now,
                                        int64_t heads) {
  llvm::Expected<Elements> split = splitHeads(fold, fold.get(now), heads);
  if (!split || !past)
    return split;
  return fold.getBuilder().concat({fold.get(past), *split}, /*axis=*/2);
}

/// Converts the mask to a bias that is added to the scores. Keys beyond its end are
/// masked.
static llvm::Expected<Elements> makeBias(Folding &fold, Value mask,
                                         int64_t keys) {
  auto zero = makeNumber(fold, 0), never = makeNumber(fold, minusInfinity);
  if (!zero || !never)
    return llvm::joinErrors(zero.takeError(), never.takeError());
  if (!mask)
    return zero;
  const Elements &given = fold.get(mask);
  llvm::Expected<Elements> bias =
      given.getType() == DataType::Bool
          ? choose(fold, given, *zero, *never)
          : fold.getBuilder().cast(given, DataType::Float64);
  if (!bias || bias->getRank() == 0 || bias->getShape().back() >= keys)
    return bias;
  int64_t last = bias->getRank() - 1;
  return padAlong(fold, *bias, last, 0, keys - bias->getShape()[last], *never);
}

/// Conditions that hide keys from queries, besides the mask.
namespace {
struct Visibility {
  bool isCausal;
  int64_t left, right; // No bound if negative.
  /// The number of keys before the first query, and the number of valid keys: one for
  /// each batch, or one for all.
  std::vector<int64_t> offsets, lengths;
};
} // namespace

static llvm::Expected<Visibility>
readVisibility(AttentionOp op, Folding &fold, int64_t queries, int64_t keys) {
  Visibility visibility{op.getIsCausal() != 0,
                        op.getLeftWindowSize(),
                        op.getRightWindowSize(),
                        {0},
                        {}};
  if (op.getPastKey())
    visibility.offsets = {fold.get(op.getPastKey()).getShape()[2]};
  if (!op.getNonpadKvSeqlen())
    return visibility;
  if (op.getPastKey())
    return notFolded("expected either 'past_key' or 'nonpad_kv_seqlen', but "
                     "got both");
  auto lengths = fold.read<int64_t>(op.getNonpadKvSeqlen());
  if (!lengths)
    return lengths.takeError();
  visibility.offsets.clear();
  for (int64_t length : *lengths) {
    if (length < 0 || length > keys)
      return notFolded("expected lengths up to " + Twine(keys) + ", but got " +
                       Twine(length));
    visibility.lengths.push_back(length);
    visibility.offsets.push_back(length - queries);
  }
  return visibility;
}

/// Returns the bias with all hidden keys masked.
static llvm::Expected<Elements> hideKeys(Folding &fold, const Elements &bias,
                                         const Visibility &visibility,
                                         int64_t queries, int64_t keys) {
  const ElementsBuilder &builder = fold.getBuilder();
  auto never = makeNumber(fold, minusInfinity);
  auto places = countUp(fold, keys);
  if (!never || !places)
    return llvm::joinErrors(never.takeError(), places.takeError());
  auto perBatch = [&](ArrayRef<int64_t> numbers) {
    return builder.fromArray<DataType::Int64>(
        {int64_t(numbers.size()), 1, 1, 1}, numbers);
  };
  llvm::Expected<Elements> hidden = bias;
  auto hideUnless = [&](llvm::Expected<Elements> isSeen) {
    if (isSeen && hidden)
      hidden = choose(fold, *isSeen, *hidden, *never);
    else
      hidden = llvm::joinErrors(isSeen.takeError(), hidden.takeError());
  };
  constexpr int64_t unbounded = std::numeric_limits<int64_t>::max();
  formula::InWindow window;
  window.left = visibility.left < 0 ? unbounded : visibility.left;
  window.right = visibility.isCausal    ? 0
                 : visibility.right < 0 ? unbounded
                                        : visibility.right;
  if (window.left != unbounded || window.right != unbounded) {
    auto offsets = perBatch(visibility.offsets);
    llvm::Expected<Elements> rows =
        FoldChain(fold, countUp(fold, queries)).reshape({queries, 1});
    if (!offsets || !rows)
      return llvm::joinErrors(
          llvm::joinErrors(offsets.takeError(), rows.takeError()),
          hidden.takeError());
    hideUnless(FoldChain(fold, *places)
                   .apply(formula::Sub(), *rows)
                   .apply(formula::Sub(), *offsets)
                   .apply(window));
  }
  if (!visibility.lengths.empty()) {
    auto lengths = perBatch(visibility.lengths);
    if (!lengths)
      return llvm::joinErrors(lengths.takeError(), hidden.takeError());
    hideUnless(FoldChain(fold, *places).apply(formula::IsBefore(), *lengths));
  }
  return hidden;
}

FoldResult AttentionOp::computeValues(Folding &fold) {
  int64_t queryHeads = getQNumHeads().value_or(0),
          keyHeads = getKvNumHeads().value_or(0);
  auto q = splitHeads(fold, fold.get(getQ()), queryHeads);
  if (!q)
    return q;
  auto k = addPast(fold, getPastKey(), getK(), keyHeads);
  auto v = addPast(fold, getPastValue(), getV(), keyHeads);
  if (!k || !v)
    return llvm::joinErrors(k.takeError(), v.takeError());
  int64_t queries = q->getShape()[2], keys = k->getShape()[2];
  auto visibility = readVisibility(*this, fold, queries, keys);
  if (!visibility)
    return visibility.takeError();
  llvm::Expected<Elements> bias =
      FoldChain(fold, makeBias(fold, getAttnMask(), keys))
          .then([&](const Elements &mask) {
            return hideKeys(fold, mask, *visibility, queries, keys);
          });
  if (!bias)
    return bias;

  // The stages that `qk_matmul_output` may return.
  SmallVector<Elements, 4> stages;
  auto advance = [&](llvm::Expected<Elements> stage) -> llvm::Error {
    if (!stage)
      return stage.takeError();
    stages.push_back(std::move(*stage));
    return llvm::Error::success();
  };
  DataType type = fold.getType();
  auto round = [&](const Elements &x) { return roundTo(fold, type, x); };
  std::optional<double> scale;
  if (getScale())
    scale = *getScale();
  if (llvm::Error error = advance(computeScores(fold, *q, *k, scale, type)))
    return error;
  formula::SoftCap softCap;
  softCap.limit = getSoftcap();
  if (llvm::Error error =
          softCap.limit > 0
              ? advance(
                    FoldChain(fold, stages.back()).apply(softCap).then(round))
              : advance(stages.back()))
    return error;
  if (llvm::Error error = advance(FoldChain(fold, stages.back())
                                      .apply(formula::Biased(), *bias)
                                      .then(round)))
    return error;
  DataType precision = type;
  if (getSoftmaxPrecision())
    precision = dataTypeFromNumber(*getSoftmaxPrecision()).value_or(type);
  if (llvm::Error error =
          advance(FoldChain(fold, computeWeights(fold, stages.back(),
                                                 MaskedRows::Zero, precision))
                      .then(round)))
    return error;

  llvm::Expected<Elements> y =
      FoldChain(fold, weighValues(fold, stages.back(), *v))
          .cast(fold.getType());
  if (!y)
    return y;
  if (fold.get(getQ()).getRank() == 3) {
    ArrayRef<int64_t> heads = y->getShape();
    y = FoldChain(fold, *y)
            .transpose({0, 2, 1, 3})
            .reshape({heads[0], heads[2], heads[1] * heads[3]});
    if (!y)
      return y;
  }
  FoldResult::Values values = {*y};
  if (getPresentKey())
    values.push_back(*k);
  if (getPresentValue())
    values.push_back(*v);
  if (getQkMatmulOutput()) {
    auto shown =
        fold.getBuilder().cast(stages[getQkMatmulOutputMode()], fold.getType());
    if (!shown)
      return shown;
    values.push_back(*shown);
  }
  return values;
}

//===-- FlexAttention ---------------------------------------------------------===//

/// Applies a graph to a tensor, which is cast to `precision`. Returns the tensor itself
/// if there is no graph; fails if the result is not constant.
static llvm::Expected<Elements> modify(const Folding &fold,
                                       TypeInference &inference, Region &graph,
                                       DataType precision, const Elements &x) {
  if (graph.empty())
    return x;
  llvm::Expected<Elements> rounded = fold.getBuilder().cast(x, precision);
  if (!rounded)
    return rounded;
  auto yields = inference.evaluateGraph(graph, FoldValue(*rounded));
  if (!yields || !yields->front().isTensor())
    return notFolded("its graph is not constant");
  return fold.getBuilder().cast(yields->front().getTensor(), DataType::Float64);
}

void attention::evaluate(FlexAttentionOp op, TypeInference &inference,
                         DataType precision) {
  if (!inference.isFolding() || inference.isDeep() ||
      !llvm::all_of(op->getOperands(),
                    [&](Value value) { return inference.getConstant(value); }))
    return;
  auto lookup = [&](Value value) -> const FoldValue & {
    return *inference.getConstant(value);
  };
  Folding fold(op, inference.getBuilder(), inference.getFoldOptions(), lookup);
  std::optional<double> scale;
  if (op.getScale())
    scale = *op.getScale();
  llvm::Expected<Elements> y =
      FoldChain(fold,
                computeScores(fold, fold.get(op.getQ()), fold.get(op.getK()),
                              scale, DataType::Float64))
          .then([&](const Elements &scores) {
            return modify(fold, inference, op.getScoreMod(), precision, scores);
          })
          .then([&](const Elements &scores) {
            return computeWeights(fold, scores, MaskedRows::NaN,
                                  DataType::Float64);
          })
          .then([&](const Elements &weights) {
            return modify(fold, inference, op.getProbMod(), precision, weights);
          })
          .then([&](const Elements &weights) {
            return weighValues(fold, weights, fold.get(op.getV()));
          })
          .cast(fold.get(op.getV()).getType());
  if (y)
    inference.setConstant(op.getY(), std::move(*y));
  else
    inference.refuse(op, llvm::toString(y.takeError()));
}
