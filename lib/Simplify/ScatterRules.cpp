// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An assignment to a whole tensor, `x[:, :] = y`. Exporters write it as a ScatterND
// with computed indices of all elements: along each axis from 0 to its size, expanded
// over the others.
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/Concat.h"
#include "invar/Dialect/ONNX/Ops/Expand.h"
#include "invar/Dialect/ONNX/Ops/Generate.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "invar/Dialect/ONNX/Ops/Scatter.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Whether `value` is 0, 1, 2, ... along one axis and constant along the others, after
/// broadcasting to the shape of `like`.
static bool countsAlong(Value value, int64_t axis, Value like,
                        const Rewriting &rewriting) {
  if (auto expand = value.getDefiningOp<ExpandOp>())
    value = expand.getInput();
  auto type = dyn_cast<RankedTensorType>(value.getType());
  int64_t rank = *getRank(like);
  if (!type || type.getRank() > rank)
    return false;
  int64_t place = axis - (rank - type.getRank());
  auto size = cast<ShapedType>(like.getType()).getDimSize(axis);
  // An axis of size one has index 0 only.
  if (size == 1)
    return rewriting.getSplat(value) == 0;
  if (place < 0 || !haveSameSize(value, place, like, axis) ||
      llvm::any_of(
          llvm::enumerate(type.getShape()),
          [&](auto other) {
            return int64_t(other.index()) != place && other.value() != 1;
          }))
    return false;
  while (isa_and_nonnull<ReshapeOp, UnsqueezeOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  auto range = value.getDefiningOp<RangeOp>();
  return range && rewriting.getSplat(range.getStart()) == 0 &&
         rewriting.getSplat(range.getDelta()) == 1;
}

static constexpr StringLiteral assignAllPattern =
    "ScatterND(x, [[0, 0], [0, 1], ...], y) -> y [all places, in their order; "
    "an operator less]";
static LogicalResult assignAll(ScatterNDOp op, Rewriting &rewriting) {
  auto places = op.getIndices().getDefiningOp<ConcatOp>();
  std::optional<int64_t> rank = getRank(op.getData());
  if (!places || !rank || op.getReduction() != "none" ||
      int64_t(places.getInputs().size()) != *rank ||
      getRank(op.getIndices()) != *rank + 1 ||
      normalizeAxis(places.getAxis(), *rank + 1) != *rank ||
      !haveSameType(op.getUpdates(), op.getOutput()))
    return failure();
  for (auto [axis, part] : llvm::enumerate(places.getInputs())) {
    auto unsqueeze = part.getDefiningOp<UnsqueezeOp>();
    auto axes = unsqueeze ? getAxes(unsqueeze.getAxes(), *rank + 1, rewriting)
                          : std::nullopt;
    if (!axes || *axes != SmallVector<int64_t>{*rank} ||
        !haveSameShape(unsqueeze.getData(), op.getOutput()) ||
        !countsAlong(unsqueeze.getData(), int64_t(axis), op.getOutput(),
                     rewriting))
      return failure();
  }
  rewriting.replace(op, op.getUpdates());
  return success();
}

void invar::addScatterRules(std::vector<Rule> &rules) {
  rules.push_back(RuleFor<assignAll>::get("assign-all", RuleGroup::Exact,
                                          assignAllPattern));
}
