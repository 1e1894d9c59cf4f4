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

/// The constant in packed form, padded with zeros; null if the operation packs
/// something else.
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

/// Lets an operation pack `whole` instead of its present source, whose axes are a
/// permutation of those of `whole`.
static void packInstead(linalg::PackOp op, constants::RefOp whole,
                        ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> order(op.getOuterDimsPerm());
  if (order.empty())
    order = llvm::to_vector(llvm::seq(whole.getType().getRank()));
  for (int64_t &axis : order)
    axis = permutation[axis];
  op.setOuterDimsPerm(order);
  op.setInnerDimsPos(permutation[op.getInnerDimsPos()[0]]);
  // Clone the reference next to the operation, because `whole` may come after it. Equal
  // references are merged later.
  OpBuilder builder(op);
  op.getSourceMutable().assign(builder.clone(*whole)->getResult(0));
}

namespace {
struct FoldConstantViewsPass
    : invar::impl::FoldConstantViewsPassBase<FoldConstantViewsPass> {
  using FoldConstantViewsPassBase::FoldConstantViewsPassBase;

  static bool isPack(Operation *op) { return isa<linalg::PackOp>(op); }

  /// Whether an operation now packs one of these constants, because its source was one
  /// in another order of axes.
  static bool packShared(linalg::PackOp op, ArrayRef<constants::RefOp> shared) {
    auto view = op.getSource().getDefiningOp<constants::RefOp>();
    if (!view || op.getInnerDimsPos().size() != 1)
      return false;
    for (constants::RefOp whole : shared)
      if (auto permutation = findTranspose(whole, view)) {
        packInstead(op, whole, *permutation);
        return true;
      }
    return false;
  }

  void runOnOperation() override {
    SmallVector<constants::RefOp> readAsTheyAre;
    getOperation().walk([&](constants::RefOp ref) {
      if (keepShared && !llvm::all_of(ref->getUsers(), isPack))
        readAsTheyAre.push_back(ref);
    });
    getOperation().walk([&](linalg::PackOp op) {
      if (packShared(op, readAsTheyAre))
        return;
      OpBuilder builder(op);
      Value folded = foldPack(builder, op);
      if (!folded)
        return;
      op.getResult().replaceAllUsesWith(folded);
      op.erase();
    });
  }
};
} // namespace
