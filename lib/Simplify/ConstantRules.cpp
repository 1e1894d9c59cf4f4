// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores constants in the form that needs the fewest bytes and no node.
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/Constant.h"
#include "invar/Dialect/ONNX/Ops/Graph.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static constexpr StringLiteral constantToInitializerPattern =
    "Constant() -> c [an initializer; a node less]";
static LogicalResult makeInitializer(ConstantOp op, Rewriting &rewriting) {
  // Functions have no initializers, and sparse constants are small already.
  if (op->hasAttr(attr::initializer) || op.getSparseValueAttr() ||
      op->getParentOfType<FunctionOp>())
    return failure();
  const Elements *content = rewriting.getConstant(op.getOutput());
  if (!content)
    return failure();
  rewriting.replace(op, rewriting.makeConstant(*content));
  return success();
}

void invar::addConstantRules(std::vector<Rule> &rules) {
  rules.push_back(RuleFor<makeInitializer>::get("constant-to-initializer",
                                                RuleGroup::Exact,
                                                constantToInitializerPattern));
}
