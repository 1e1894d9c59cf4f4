// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Layout/Passes.h"

#include "Transposes.h"
#include "Unused.h"
#include "invar/Dialect/Const/Views.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace invar;

namespace invar {
#define GEN_PASS_DEF_FOLDTRANSPOSESPASS
#include "invar/Layout/Passes.h.inc"
} // namespace invar

/// Folds a transpose of a constant into a constant.
static bool foldConstant(linalg::GenericOp op, ArrayRef<int64_t> permutation) {
  auto ref = op.getDpsInputs()[0].getDefiningOp<constants::RefOp>();
  OpBuilder builder(op);
  Value made = ref ? transposeConstant(builder, ref, permutation) : Value();
  if (!made || made.getType() != op.getResult(0).getType())
    return false;
  op.getResult(0).replaceAllUsesWith(made);
  return true;
}

/// Converts a map that reads a transposed tensor to one that reads the original tensor:
/// axis p[i] is read instead of axis i.
static AffineMap readThrough(AffineMap map, ArrayRef<int64_t> permutation) {
  SmallVector<AffineExpr> exprs(permutation.size());
  for (auto [to, from] : llvm::enumerate(permutation))
    exprs[from] = map.getResult(unsigned(to));
  return AffineMap::get(map.getNumDims(), 0, exprs, map.getContext());
}

/// Lets a reduction read the original tensors instead of transposed ones.
static void readThroughTransposes(linalg::GenericOp op) {
  if (op.getNumReductionLoops() == 0)
    return;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (auto [i, operand] : llvm::enumerate(op.getDpsInputOperands())) {
    auto permutation = getPermutation(operand->get().getDefiningOp());
    if (!permutation)
      continue;
    maps[i] = readThrough(maps[i], *permutation);
    operand->set(
        operand->get().getDefiningOp<linalg::GenericOp>().getDpsInputs()[0]);
  }
  OpBuilder builder(op);
  op.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
}

/// Folds a reshape of a constant into a constant.
static void foldReshape(tensor::ReshapeOp op) {
  auto ref = op.getSource().getDefiningOp<constants::RefOp>();
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!ref || !type || !type.hasStaticShape())
    return;
  OpBuilder builder(op);
  if (Value made = reshapeConstant(builder, ref, type.getShape()))
    op.getResult().replaceAllUsesWith(made);
}

/// If the result of a reduction is only transposed, the reduction writes it in that
/// order. The last axis must stay the last.
static void writeThroughTranspose(linalg::GenericOp transpose,
                                  ArrayRef<int64_t> permutation) {
  Value source = transpose.getDpsInputs()[0];
  auto op = source.getDefiningOp<linalg::GenericOp>();
  if (!op || op.getNumReductionLoops() == 0 || op->getNumResults() != 1 ||
      !source.hasOneUse() || op->getBlock() != transpose->getBlock() ||
      permutation.back() != int64_t(permutation.size()) - 1)
    return;
  auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  auto empty = fill ? fill.getOutputs()[0].getDefiningOp<tensor::EmptyOp>()
                    : tensor::EmptyOp();
  if (!empty)
    return;
  OpBuilder builder(op);
  SmallVector<OpFoldResult> own = empty.getMixedSizes(), sizes;
  for (int64_t axis : permutation)
    sizes.push_back(own[axis]);
  Value init = tensor::EmptyOp::create(builder, op.getLoc(), sizes,
                                       empty.getType().getElementType());
  init = linalg::FillOp::create(builder, op.getLoc(), fill.getInputs()[0], init)
             .getResult(0);
  if (init.getType() != transpose.getResult(0).getType())
    return;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<AffineExpr> exprs;
  for (int64_t axis : permutation)
    exprs.push_back(maps.back().getResult(unsigned(axis)));
  maps.back() =
      AffineMap::get(maps.back().getNumDims(), 0, exprs, builder.getContext());
  op.getDpsInitOperand(0)->set(init);
  op.getResult(0).setType(cast<RankedTensorType>(init.getType()));
  op.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
  transpose.getResult(0).replaceAllUsesWith(op.getResult(0));
}

namespace {
struct FoldTransposesPass
    : invar::impl::FoldTransposesPassBase<FoldTransposesPass> {
  void runOnOperation() override {
    getOperation().walk([](tensor::ReshapeOp op) { foldReshape(op); });
    SmallVector<linalg::GenericOp> all;
    getOperation().walk([&](linalg::GenericOp op) { all.push_back(op); });
    for (linalg::GenericOp op : all) {
      if (auto permutation = getPermutation(op)) {
        if (!foldConstant(op, *permutation))
          writeThroughTranspose(op, *permutation);
      } else {
        readThroughTransposes(op);
      }
    }
    eraseUnused(getOperation());
  }
};
} // namespace
