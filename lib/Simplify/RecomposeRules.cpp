// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several operators that are one of a newer opset, as exporters write it for older ones.
// Each rule is anchored at the last of them, and makes only what the model's opset has.
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/Activation.h"
#include "invar/Dialect/ONNX/Ops/Arithmetic.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

// Pattern: Mul(x, Sigmoid(x)) -> Swish(x) [opset 24; one operator less]
static LogicalResult makeSwish(MulOp op, Rewriting &rewriting) {
  if (rewriting.getOpset() < 24)
    return failure();
  for (auto [x, gate] :
       {std::pair(op.getA(), op.getB()), std::pair(op.getB(), op.getA())}) {
    auto sigmoid = gate.getDefiningOp<SigmoidOp>();
    if (sigmoid && sigmoid.getX() == x && gate.hasOneUse())
      return rewriting.tryReplace(op, rewriting.make<SwishOp>(x, FloatAttr()));
  }
  return failure();
}

void invar::addRecomposeRules(std::vector<Rule> &rules) {
  using enum RuleGroup;
  rules.push_back(RuleFor<makeSwish>::get(
      "make-swish", Recompose,
      "Mul(x, Sigmoid(x)) -> Swish(x) [opset 24; one operator less]"));
}
