// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Rules.h"

#include "invar/Dialect/ONNX/ONNXDialect.h"
#include "invar/Dialect/ONNX/Ops/Activation.h"
#include "invar/Dialect/ONNX/Ops/Arithmetic.h"
#include "invar/Dialect/ONNX/Ops/Cast.h"
#include "invar/Dialect/ONNX/Ops/Compare.h"
#include "invar/Dialect/ONNX/Ops/Logic.h"
#include "invar/Dialect/ONNX/Ops/Normalize.h"
#include "invar/Dialect/ONNX/Ops/Trigonometry.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

StringRef invar::getName(RuleGroup group) {
  switch (group) {
  case RuleGroup::Exact:
    return "exact";
  case RuleGroup::Fuse:
    return "fuse";
  case RuleGroup::Wide:
    return "wide";
  case RuleGroup::Decompose:
    return "decompose";
  case RuleGroup::Recompose:
    return "recompose";
  }
  llvm_unreachable("covered switch");
}

/// Whether a decomposition is enabled. Then recomposition is disabled, because
/// rewriting would never end.
static bool decomposes(const RuleOptions &options) {
  return options.decompose || options.lowers ||
         llvm::any_of(getRules(), [&](const Rule &rule) {
           // An inlined call cannot be recomposed, so it does not count.
           return rule.group == RuleGroup::Decompose && rule.apply &&
                  options.enabled.contains(rule.name);
         });
}

bool RuleOptions::isOn(const Rule &rule) const {
  if (disabled.contains(rule.name) ||
      (rule.group == RuleGroup::Recompose && decomposes(*this)))
    return false;
  if (enabled.contains(rule.name))
    return true;
  if (lowers && rule.isOnForLowering)
    return *rule.isOnForLowering;
  switch (rule.group) {
  case RuleGroup::Exact:
    return exact;
  case RuleGroup::Fuse:
    return fuse;
  case RuleGroup::Wide:
    return wide;
  case RuleGroup::Decompose:
    return decompose;
  case RuleGroup::Recompose:
    return recompose;
  }
  llvm_unreachable("covered switch");
}

bool RuleOptions::isOn(StringRef name) const {
  const auto *rule = llvm::find_if(
      getRules(), [&](const Rule &rule) { return rule.name == name; });
  return isOn(*rule);
}

llvm::ArrayRef<Rule> invar::getRules() {
  static const std::vector<Rule> rules = [] {
    std::vector<Rule> all;
    addSweepRules(all);
    addConstantRules(all);
    addAxesRules(all);
    addInlineRules(all);
    addControlRules(all);
    addLoopRules(all);
    addHoistRules(all);
    addIdentityRules(all);
    addCastRules(all);
    addResultRules(all);
    addMovementRules(all);
    addTransposeRules(all);
    addMeetingTransposeRules(all);
    addSliceRules(all);
    addConcatRules(all);
    addSequenceRules(all);
    addQuantizeRules(all);
    addReshapeRules(all);
    addScatterRules(all);
    addShapeRules(all);
    addTargetRules(all);
    addMergeRules(all);
    addFuseRules(all);
    addGemmRules(all);
    addNormalizationScaleRules(all);
    addAlgebraRules(all);
    addDecomposeRules(all);
    addEinsumRules(all);
    addActivationDecomposeRules(all);
    addNormalizeDecomposeRules(all);
    addLayoutDecomposeRules(all);
    addLossDecomposeRules(all);
    addAttentionDecomposeRules(all);
    addRecomposeRules(all);
    addSoftmaxRules(all);
    addNormalizationRules(all);
    addAttentionRules(all);
    return all;
  }();
  return rules;
}

bool invar::isFunction(Operation *op) {
  // In training mode, a Dropout drops random elements.
  return isPure(op) && !isa<DropoutOp>(op) && op->getNumRegions() == 0 &&
         op->getNumResults() != 0;
}

bool invar::isElementwise(Operation *op) {
  return isa<AbsOp, AcosOp, AcoshOp, AsinOp, AsinhOp, AtanOp, AtanhOp,
             BitwiseNotOp, CastOp, CeilOp, CeluOp, CosOp, CoshOp, EluOp, ErfOp,
             ExpOp, FloorOp, GeluOp, HardSigmoidOp, HardSwishOp, IsInfOp,
             IsNaNOp, LeakyReluOp, LogOp, MishOp, NegOp, NotOp, ReciprocalOp,
             ReluOp, RoundOp, SeluOp, ShrinkOp, SigmoidOp, SignOp, SinOp,
             SinhOp, SoftplusOp, SoftsignOp, SqrtOp, SwishOp, TanOp, TanhOp,
             ThresholdedReluOp>(op);
}

void invar::replaceAll(Operation *op, ArrayRef<Value> values,
                       Rewriting &rewriting) {
  // The operator is erased with its last use.
  SmallVector<OpResult> results(op->getResults());
  for (auto [result, value] : llvm::zip_equal(results, values))
    if (!rewriting.isErased(op) && value)
      rewriting.replace(result, value);
}

std::optional<int64_t> invar::getRank(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? std::optional(type.getRank()) : std::nullopt;
}

std::optional<SmallVector<int64_t>> invar::getAxes(Value list, int64_t rank,
                                                   const Rewriting &rewriting) {
  std::optional<SmallVector<int64_t>> axes = rewriting.getInts(list);
  if (!axes)
    return std::nullopt;
  for (int64_t &axis : *axes) {
    std::optional<int64_t> front = normalizeAxis(axis, rank);
    if (!front)
      return std::nullopt;
    axis = *front;
  }
  return axes;
}

bool invar::haveSameType(Value a, Value b) {
  return haveSameShape(a, b) &&
         getElementTypeOrSelf(a.getType()) == getElementTypeOrSelf(b.getType());
}
