// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Layout/Passes.h"

#include "ConstantTensors.h"
#include "Panels.h"
#include "Transposes.h"
#include "Unused.h"
#include "invar/Constness/Constness.h"
#include "invar/Dialect/Const/Views.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace invar;

namespace invar {
#define GEN_PASS_DEF_PACKWEIGHTSPASS
#include "invar/Layout/Passes.h.inc"
} // namespace invar

namespace {
/// The axes of a constant factor, by which other tensors their loops iterate over.
struct WeightAxes {
  /// The other factor and the result too: a batch, a group, or a channel of a depthwise
  /// convolution.
  SmallVector<int64_t> shared;
  /// The result too.
  SmallVector<int64_t> columns;
  /// The other factor too: as part of a window, or alone.
  SmallVector<int64_t> taps, reduced;
};
} // namespace

/// None if the operation is no sum of products of `weights` with one loop per axis.
static std::optional<WeightAxes> getAxes(linalg::GenericOp op,
                                         OpOperand *weights) {
  AffineMap own = op.getMatchingIndexingMap(weights);
  AffineMap other = op.getMatchingIndexingMap(
      op.getDpsInputOperand(weights->getOperandNumber() == 0 ? 1 : 0));
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!own.isProjectedPermutation())
    return std::nullopt;
  WeightAxes axes;
  for (auto [axis, expr] : llvm::enumerate(own.getResults())) {
    unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    bool inResult = result.isFunctionOfDim(loop);
    bool inOther = other.isFunctionOfDim(loop);
    bool isAlone = llvm::is_contained(other.getResults(), expr);
    if (inResult && inOther)
      axes.shared.push_back(int64_t(axis));
    else if (inResult)
      axes.columns.push_back(int64_t(axis));
    else if (inOther)
      (isAlone ? axes.reduced : axes.taps).push_back(int64_t(axis));
    else if (cast<RankedTensorType>(weights->get().getType())
                 .getDimSize(axis) == 1)
      axes.taps.push_back(int64_t(axis)); // The only tap is the place itself.
    else
      return std::nullopt;
  }
  return axes;
}

/// Replaces a constant by another form, for this use.
static void pack(OpOperand *weights, const WeightAxes &axes, int64_t panel,
                 int64_t narrowestPanel) {
  Value whole = weights->get();
  auto type = cast<RankedTensorType>(whole.getType());
  OpBuilder builder(weights->getOwner());
  SmallVector<int64_t> order;
  if (axes.columns.empty()) {
    // Depthwise: vectors are along the channels.
    llvm::append_range(order, axes.taps);
    llvm::append_range(order, axes.reduced);
    llvm::append_range(order, axes.shared);
    if (llvm::is_sorted(order))
      return;
    Value turned;
    if (auto ref = whole.getDefiningOp<constants::RefOp>())
      turned = transposeConstant(builder, ref, order);
    if (!turned)
      turned = makeTranspose(builder, whole.getLoc(), whole, order);
    auto op = cast<linalg::GenericOp>(weights->getOwner());
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    AffineMap &map = maps[weights->getOperandNumber()];
    SmallVector<AffineExpr> exprs;
    for (int64_t axis : order)
      exprs.push_back(map.getResult(unsigned(axis)));
    map = AffineMap::get(map.getNumDims(), 0, exprs, builder.getContext());
    op.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
    weights->set(turned);
    return;
  }
  if (axes.columns.size() != 1)
    return;
  int64_t columns = axes.columns[0], count = type.getDimSize(columns);
  panel = fitPanel(panel, narrowestPanel, count);
  if (count < 4)
    return;
  llvm::append_range(order, axes.shared);
  order.push_back(columns);
  llvm::append_range(order, axes.taps);
  llvm::append_range(order, axes.reduced);
  // The panels are constant too. Other passes fold them.
  Location loc = whole.getLoc();
  OpFoldResult tile = builder.getIndexAttr(panel);
  Value panels = linalg::PackOp::createDestinationTensor(builder, loc, whole,
                                                         tile, columns, order);
  std::optional<Value> filling;
  if (count % panel)
    filling = arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(type.getElementType()));
  auto packed = linalg::PackOp::create(builder, loc, whole, panels, columns,
                                       tile, filling, order);
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  auto unpacked = linalg::UnPackOp::create(builder, loc, packed.getResult(),
                                           empty, columns, tile, order);
  weights->set(unpacked.getResult());
}

namespace {
struct PackWeightsPass : invar::impl::PackWeightsPassBase<PackWeightsPass> {
  using PackWeightsPassBase::PackWeightsPassBase;

  void runOnOperation() override {
    std::unique_ptr<ConstnessAnalysis> constness =
        ConstnessAnalysis::run(getOperation());
    if (!constness)
      return signalPassFailure();
    getOperation().walk([&](linalg::GenericOp op) {
      if (op.getNumReductionLoops() == 0 || op.getNumDpsInputs() != 2 ||
          op->getNumResults() != 1)
        return;
      for (OpOperand *operand : op.getDpsInputOperands()) {
        if (!isa<FloatType>(getElementTypeOrSelf(operand->get())) ||
            !canChangeForm(*operand, *constness))
          continue;
        if (auto axes = getAxes(op, operand)) {
          pack(operand, *axes, panel, narrowestPanel);
          return;
        }
      }
    });
    eraseUnused(getOperation());
  }
};
} // namespace
