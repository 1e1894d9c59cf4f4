// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Drops optional results that nothing uses: other rules expect operators with one
// result.
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/Normalize.h"
#include "invar/Dialect/ONNX/Ops/Pool.h"
#include "invar/Dialect/ONNX/Ops/Recurrent.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// The attribute that states which optional results exist, if an operator has several.
static constexpr StringLiteral segments = "resultSegmentSizes";

static constexpr StringLiteral dropResultsPattern =
    "y, _ = MaxPool(x) -> y = MaxPool(x) [nothing uses it; a result less]";
static LogicalResult dropResults(Operation *op, Rewriting &rewriting) {
  if (op->getNumResults() < 2 || op->getResult(0).use_empty() ||
      llvm::any_of(op->getResults().drop_front(),
                   [](Value result) { return !result.use_empty(); }))
    return failure();
  // In training mode, the statistics belong to the operator.
  if (auto normalization = dyn_cast<BatchNormalizationOp>(op);
      normalization && !isInference(normalization))
    return failure();
  SmallVector<NamedAttribute> changed;
  if (auto sizes = op->getAttrOfType<DenseI32ArrayAttr>(segments)) {
    SmallVector<int32_t> left(sizes.size(), 0);
    left[0] = 1;
    if (sizes[0] != 1)
      return failure();
    changed.push_back({StringAttr::get(op->getContext(), segments),
                       DenseI32ArrayAttr::get(op->getContext(), left)});
  }
  return rewriting.tryReplace(
      op, rewriting.makeLike(op, op->getOperands(), changed));
}

void invar::addResultRules(std::vector<Rule> &rules) {
  rules.push_back(makeRuleFor<BatchNormalizationOp, DropoutOp, GRUOp,
                              LayerNormalizationOp, LSTMOp, MaxPoolOp, RNNOp>(
      "drop-results", RuleGroup::Exact, dropResultsPattern, dropResults));
}
