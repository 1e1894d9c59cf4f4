// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recomposes attention as it was written before opset 23:
//
//   Softmax(Q*K^T*scale + mask) * V
//
// The scale is applied to the queries, the keys or their product, or is split between
// them. The keys come transposed. The heads must have a separate axis, and a mask must
// have an entry for each query and each key: engines support no other forms.
#include "ReadFormula.h"
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/Arithmetic.h"
#include "invar/Dialect/ONNX/Ops/Attention.h"
#include "invar/Dialect/ONNX/Ops/Compare.h"
#include "invar/Dialect/ONNX/Ops/Logic.h"
#include "invar/Dialect/ONNX/Ops/MatMul.h"
#include "invar/Dialect/ONNX/Ops/Softmax.h"
#include "invar/Dialect/ONNX/Ops/Transpose.h"
#include <cmath>

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// A value without its constant factor, which is multiplied into `scale`.
static Value takeScale(Value value, double &scale, const Rewriting &rewriting) {
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<MulOp, DivOp>(op) || !value.hasOneUse())
    return value;
  Factors factors = getFactors(op, rewriting);
  if (factors.values.size() != 1)
    return value;
  scale *= factors.number;
  return factors.values.front();
}

/// The keys whose transpose is `value`, without their scale.
static Value takeKeys(Value value, double &scale, Rewriting &rewriting) {
  Value transposed = takeScale(value, scale, rewriting);
  SmallVector<int64_t> order = {0, 1, 3, 2};
  auto transpose = transposed.getDefiningOp<TransposeOp>();
  Value keys = transposed;
  if (transpose && transposed.hasOneUse() && transpose.getPerm() &&
      transpose.getPerm()->size() == 4) {
    order.assign(transpose.getPerm()->begin(), transpose.getPerm()->end());
    std::swap(order[2], order[3]);
    keys = takeScale(transpose.getData(), scale, rewriting);
  }
  if (llvm::equal(order, llvm::seq<int64_t>(4)))
    return keys;
  return rewriting.make<TransposeOp>(
      keys, rewriting.getBuilder().getDenseI64ArrayAttr(order));
}

/// Whether a mask has an entry for each query and key of these scores, for all heads
/// together or for each head.
static bool fitsScores(Value mask, Value scores) {
  auto type = dyn_cast<RankedTensorType>(mask.getType());
  if (!type || type.getRank() < 2 || type.getRank() > 4)
    return false;
  int64_t first = 4 - type.getRank();
  return llvm::all_of(llvm::seq(type.getRank()), [&](int64_t axis) {
    return haveSameSize(mask, axis, scores, first + axis) ||
           (first + axis < 2 && type.getDimSize(axis) == 1);
  });
}

namespace {
/// Scores, and the mask that is added to them or selects them.
struct Masked {
  Value scores, mask;
};
} // namespace

static bool isProduct(Value value, const Rewriting &rewriting) {
  double scale = 1;
  return takeScale(value, scale, rewriting).getDefiningOp<MatMulOp>() &&
         value.hasOneUse();
}

/// Separates the scores and the mask in the input of a Softmax.
static Masked takeMask(Value value, Rewriting &rewriting) {
  if (auto add = value.getDefiningOp<AddOp>()) {
    bool isFirst = isProduct(add.getA(), rewriting);
    return isFirst ? Masked{add.getA(), add.getB()}
                   : Masked{add.getB(), add.getA()};
  }
  auto where = value.getDefiningOp<WhereOp>();
  if (!where)
    return {value, {}};
  auto isExcluded = [&](Value choice) {
    return rewriting.getSplat(choice) ==
           -std::numeric_limits<double>::infinity();
  };
  if (isExcluded(where.getY()))
    return {where.getX(), where.getCondition()};
  if (isExcluded(where.getX()))
    return {where.getY(), rewriting.make<NotOp>(where.getCondition())};
  return {};
}

static bool haveSameHeads(Value a, Value b) {
  return haveSameSize(a, 0, b, 0) && haveSameSize(a, 1, b, 1);
}

static constexpr StringLiteral makeAttentionPattern =
    "Softmax(Q*K^T*c + mask)*V -> Attention(Q, K, V, mask) [opset 23, four "
    "axes; at least an operator less]";
static LogicalResult makeAttention(MatMulOp op, Rewriting &rewriting) {
  auto softmax = op.getA().getDefiningOp<SoftmaxOp>();
  if (rewriting.getOpset() < 23 || !softmax || !softmax->hasOneUse() ||
      !isOfUsualFloats(op.getY()) || getRank(op.getA()) != 4 ||
      normalizeAxis(softmax.getAxis(), 4) != 3 ||
      !softmax.getInput().hasOneUse())
    return failure();
  auto [scores, mask] = takeMask(softmax.getInput(), rewriting);
  if (!scores || !scores.hasOneUse() || (mask && !fitsScores(mask, scores)))
    return failure();
  double scale = 1;
  Value product = takeScale(scores, scale, rewriting);
  auto matMul = product.getDefiningOp<MatMulOp>();
  if (!matMul || !product.hasOneUse() || getRank(matMul.getA()) != 4 ||
      getRank(matMul.getB()) != 4)
    return failure();
  Value queries = takeScale(matMul.getA(), scale, rewriting);
  Value keys = takeKeys(matMul.getB(), scale, rewriting), values = op.getB();
  if (!keys || !(scale > 0) || !std::isfinite(scale) || getRank(values) != 4 ||
      !haveSameHeads(queries, keys) || !haveSameHeads(keys, values) ||
      !haveSameSize(keys, 2, values, 2))
    return failure();
  Value none;
  IntegerAttr unset;
  Value attention = rewriting.make<AttentionOp>(
      Type(), Type(), Type(), queries, keys, values, mask, none, none, none,
      unset, unset, unset, unset, unset, unset,
      rewriting.getBuilder().getF32FloatAttr(float(scale)), FloatAttr(), unset);
  return rewriting.tryReplace(op, attention);
}

void invar::addAttentionRules(std::vector<Rule> &rules) {
  rules.push_back(RuleFor<makeAttention>::get(
      "make-attention", RuleGroup::Recompose, makeAttentionPattern));
}
