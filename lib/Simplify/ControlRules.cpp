// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs inside of operators that are known to run, and how often.
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/Concat.h"
#include "invar/Dialect/ONNX/Ops/Control.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"

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

/// A body that goes on as long as it is told to at first.
static bool neverStops(LoopOp op, Rewriting &rewriting) {
  auto isTrue = [&](Value value) {
    std::optional<double> known = rewriting.getSplat(value);
    return known && *known != 0;
  };
  if (op.getCond() && !isTrue(op.getCond()))
    return false;
  Value goesOn = op.getBody().front().back().getOperand(0);
  while (auto identity = goesOn.getDefiningOp<IdentityOp>())
    goesOn = identity.getInput();
  return goesOn == op.getBody().getArgument(1) || isTrue(goesOn);
}

// Pattern: Loop(n, true, s) {a} -> a ... a [n small and known; one loop less]
static LogicalResult unrollLoop(LoopOp op, Rewriting &rewriting) {
  // More operators than this are no gain over a loop.
  constexpr double mostOperators = 64;
  Region &body = op.getBody();
  std::optional<double> count = rewriting.getSplat(op.getM());
  auto operators = std::distance(body.front().begin(), body.front().end());
  size_t states = op.getVInitial().size();
  bool hasSlices = op->getNumResults() > states;
  if (!count || *count < (hasSlices ? 1 : 0) ||
      *count * double(operators) > mostOperators || !neverStops(op, rewriting))
    return failure();

  ElementsBuilder builder;
  Value goesOn = rewriting.makeConstant(
      llvm::cantFail(builder.fromArray<DataType::Bool>({}, true)));
  SmallVector<Value> values(op.getVInitial());
  SmallVector<SmallVector<Value>> slices(op->getNumResults() - states);
  for (int64_t i = 0; i < int64_t(*count); ++i) {
    Value number = rewriting.makeConstant(
        llvm::cantFail(builder.fromArray<DataType::Int64>({}, i)));
    SmallVector<Value> arguments = {number, goesOn};
    arguments.append(values);
    auto yields = rewriting.copyGraph(body, arguments);
    if (!yields)
      return failure();
    values.assign(yields->begin() + 1, yields->begin() + 1 + states);
    for (auto [slice, yielded] :
         llvm::zip_equal(slices, llvm::drop_begin(*yields, states + 1))) {
      slice.push_back(
          rewriting.make<UnsqueezeOp>(yielded, rewriting.makeInts(int64_t(0))));
      if (!slice.back())
        return failure();
    }
  }
  for (SmallVector<Value> &slice : slices) {
    values.push_back(rewriting.make<ConcatOp>(
        slice, rewriting.getBuilder().getI64IntegerAttr(0)));
    if (!values.back())
      return failure();
  }
  // The loop goes with its last use.
  SmallVector<OpResult> results(op->getResults());
  for (auto [result, value] : llvm::zip_equal(results, values))
    if (!rewriting.isErased(op))
      rewriting.replace(result, value);
  return success();
}

void invar::addControlRules(std::vector<Rule> &rules) {
  rules.push_back(RuleFor<inlineIf>::get(
      "inline-if", RuleGroup::Exact,
      "If(c) {a} {b} -> a or b [c known; one operator less]"));
  rules.push_back(RuleFor<unrollLoop>::get(
      "unroll-loop", RuleGroup::Exact,
      "Loop(n, true, s) {a} -> a ... a [n small and known; one loop less]"));
}
