// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/ConstFold/Passes.h"

#include "invar/Dialect/Const/Views.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace invar;

namespace invar {
#define GEN_PASS_DEF_FOLDCONSTANTVIEWSPASS
#include "invar/ConstFold/Passes.h.inc"
} // namespace invar

/// The panels of a constant, filled up with zeros; null where it is something else.
static Value foldPack(OpBuilder &builder, linalg::PackOp op) {
  auto ref = op.getSource().getDefiningOp<constants::RefOp>();
  bool fillsWithZeros = !op.getPaddingValue() ||
                        matchPattern(op.getPaddingValue(), m_AnyZeroFloat()) ||
                        matchPattern(op.getPaddingValue(), m_Zero());
  if (!ref || !fillsWithZeros || op.getInnerDimsPos().size() != 1 ||
      ShapedType::isDynamic(op.getStaticInnerTiles()[0]))
    return nullptr;
  SmallVector<int64_t> order(op.getOuterDimsPerm());
  if (order.empty())
    order = llvm::to_vector(llvm::seq(ref.getType().getRank()));
  Value packed = packConstant(builder, ref, order, op.getInnerDimsPos()[0],
                              op.getStaticInnerTiles()[0]);
  return packed && packed.getType() == op.getResult().getType() ? packed
                                                                : Value();
}

namespace {
struct FoldConstantViewsPass
    : invar::impl::FoldConstantViewsPassBase<FoldConstantViewsPass> {
  using FoldConstantViewsPassBase::FoldConstantViewsPassBase;

  void runOnOperation() override {
    getOperation().walk([&](linalg::PackOp op) {
      OpBuilder builder(op);
      Value folded = foldPack(builder, op);
      if (!folded)
        return;
      op.getResult().replaceAllUsesWith(folded);
      op.erase();
      ++numFolded;
    });
  }
};
} // namespace
