// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Axes that count from the back, in opsets that do not have them yet. They are written
// counted from the front. These rules convert them before equal operators and constants
// are merged, so that converted ones are merged too.
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/Concat.h"
#include "invar/Dialect/ONNX/Ops/Gather.h"
#include "invar/Dialect/ONNX/Ops/Generate.h"
#include "invar/Dialect/ONNX/Ops/Reduce.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "invar/Dialect/ONNX/Ops/Scatter.h"
#include "invar/Dialect/ONNX/Ops/Slice.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static constexpr StringLiteral axisName = "axis";

/// The first opset in which axes may count from the back.
static constexpr int64_t firstOpset = 11;

/// The rank of the tensor whose axes are counted.
static std::optional<int64_t> getRankOfAxes(Operation *op) {
  bool isOfResult = isa<UnsqueezeOp, OneHotOp>(op);
  return getRank(isOfResult ? op->getResult(0) : op->getOperand(0));
}

static constexpr StringLiteral countAxisFromFrontPattern =
    "f(x, axis=-1) -> f(x, axis=2) [an opset without such axes; one from the "
    "back less]";
static LogicalResult countAxisFromFront(Operation *op, Rewriting &rewriting) {
  auto given = op->getAttrOfType<IntegerAttr>(axisName);
  int64_t axis = given ? given.getValue().getSExtValue() : 0;
  std::optional<int64_t> rank = getRankOfAxes(op);
  if (rewriting.getOpset() >= firstOpset || axis >= 0 || !rank)
    return failure();
  std::optional<int64_t> front = normalizeAxis(axis, *rank);
  if (!front)
    return failure();
  Builder &builder = rewriting.getBuilder();
  NamedAttribute counted(builder.getStringAttr(axisName),
                         builder.getI64IntegerAttr(*front));
  rewriting.rebuild(op, op->getOperands(), llvm::BitVector(op->getNumResults()),
                    counted);
  return success();
}

static constexpr StringLiteral countAxesFromFrontPattern =
    "f(x, axes=[-1]) -> f(x, axes=[2]) [an opset without such axes; one from "
    "the back less]";
static LogicalResult countAxesFromFront(Operation *op, Rewriting &rewriting) {
  auto slice = dyn_cast<SliceOp>(op);
  auto [place, count] = slice ? slice.getODSOperandIndexAndLength(3)
                              : std::pair(1u, op->getNumOperands() - 1);
  std::optional<int64_t> rank = getRankOfAxes(op);
  if (rewriting.getOpset() >= firstOpset || count != 1 || !rank)
    return failure();
  Value list = op->getOperand(place);
  auto given = rewriting.getInts(list);
  auto axes = getAxes(list, *rank, rewriting);
  if (!given || !axes || *given == *axes)
    return failure();
  // The lists of a Slice must have one type.
  bool isWide = rewriting.getConstant(list)->getType() == DataType::Int64;
  Value counted =
      isWide ? rewriting.makeInts(*axes)
             : rewriting.makeConstant(
                   llvm::cantFail(ElementsBuilder().fromArray<DataType::Int32>(
                       int64_t(axes->size()),
                       SmallVector<int32_t>(axes->begin(), axes->end()))));
  rewriting.setOperand(op, place, counted);
  return success();
}

void invar::addAxesRules(std::vector<Rule> &rules) {
  using enum RuleGroup;
  rules.push_back(
      makeRuleFor<ArgMaxOp, ArgMinOp, CompressOp, ConcatOp, FlattenOp, GatherOp,
                  OneHotOp, ScatterElementsOp, SplitOp, TopKOp>(
          "count-axis-from-front", Exact, countAxisFromFrontPattern,
          countAxisFromFront));
  rules.push_back(
      makeRuleFor<ReduceL1Op, ReduceL2Op, ReduceLogSumOp, ReduceLogSumExpOp,
                  ReduceMaxOp, ReduceMeanOp, ReduceMinOp, ReduceProdOp,
                  ReduceSumOp, ReduceSumSquareOp, SliceOp, SqueezeOp,
                  UnsqueezeOp>("count-axes-from-front", Exact,
                               countAxesFromFrontPattern, countAxesFromFront));
}
