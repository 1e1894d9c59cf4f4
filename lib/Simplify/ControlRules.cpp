// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs inside of operators that are known to run, and how often.
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/Control.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

// Pattern: If(c) {a} {b} -> a or b [c known; one operator less]
static LogicalResult inlineIf(IfOp op, Rewriting &rewriting) {
  std::optional<double> condition = rewriting.getSplat(op.getCond());
  if (!condition)
    return failure();
  Region &taken = *condition ? op.getThenBranch() : op.getElseBranch();
  rewriting.replaceByGraph(op, taken, {});
  return success();
}

void invar::addControlRules(std::vector<Rule> &rules) {
  rules.push_back(RuleFor<inlineIf>::get("inline-if", RuleGroup::Exact,
                                         "If(c) {a} {b} -> a or b [c known]"));
}
