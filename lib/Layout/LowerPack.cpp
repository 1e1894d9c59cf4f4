// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Layout/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace invar;

namespace invar {
#define GEN_PASS_DEF_LOWERPACKPASS
#include "invar/Layout/Passes.h.inc"
} // namespace invar

/// The source, padded along its tiled axes to whole tiles.
static Value fillUp(OpBuilder &builder, linalg::PackOp op) {
  Value value = op.getPaddingValue();
  if (!value)
    return op.getSource();
  auto type = cast<RankedTensorType>(op.getSource().getType());
  SmallVector<int64_t> sizes(type.getShape());
  SmallVector<OpFoldResult> low(type.getRank(), builder.getIndexAttr(0)), high;
  for (auto [axis, tile] :
       llvm::zip_equal(op.getInnerDimsPos(), op.getStaticInnerTiles()))
    sizes[axis] = llvm::divideCeil(sizes[axis], tile) * tile;
  for (auto [filled, size] : llvm::zip_equal(sizes, type.getShape()))
    high.push_back(builder.getIndexAttr(filled - size));
  return tensor::PadOp::create(
      builder, op.getLoc(), RankedTensorType::get(sizes, type.getElementType()),
      op.getSource(), low, high, value);
}

/// Replaces packing by a copy that reads the element at each position of each tile.
/// Packing of open sizes stays.
static void lower(linalg::PackOp op) {
  auto source = cast<RankedTensorType>(op.getSource().getType());
  auto result = cast<RankedTensorType>(op.getDest().getType());
  if (!source.hasStaticShape() || !result.hasStaticShape())
    return;
  OpBuilder builder(op);
  int64_t rank = source.getRank();
  SmallVector<AffineExpr> exprs(rank);
  for (int64_t outer = 0; outer < rank; ++outer) {
    ArrayRef<int64_t> order = op.getOuterDimsPerm();
    exprs[order.empty() ? outer : order[outer]] =
        builder.getAffineDimExpr(outer);
  }
  for (auto [number, axis] : llvm::enumerate(op.getInnerDimsPos()))
    exprs[axis] = exprs[axis] * op.getStaticInnerTiles()[number] +
                  builder.getAffineDimExpr(unsigned(rank + number));
  unsigned loops = unsigned(result.getRank());
  SmallVector<AffineMap> maps = {
      AffineMap::get(loops, 0, exprs, builder.getContext()),
      builder.getMultiDimIdentityMap(loops)};
  auto copy = linalg::GenericOp::create(
      builder, op.getLoc(), result, fillUp(builder, op), op.getDest(), maps,
      SmallVector<utils::IteratorType>(loops, utils::IteratorType::parallel),
      [](OpBuilder &body, Location loc, ValueRange arguments) {
        linalg::YieldOp::create(body, loc, arguments.front());
      });
  op.getResult().replaceAllUsesWith(copy.getResult(0));
  op.erase();
}

namespace {
struct LowerPackPass : invar::impl::LowerPackPassBase<LowerPackPass> {
  using LowerPackPassBase::LowerPackPassBase;

  void runOnOperation() override {
    SmallVector<linalg::PackOp> packs;
    getOperation().walk([&](linalg::PackOp op) { packs.push_back(op); });
    llvm::for_each(packs, lower);
  }
};
} // namespace
