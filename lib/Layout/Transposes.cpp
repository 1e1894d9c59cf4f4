// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Transposes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace invar;

bool invar::isElementwise(linalg::GenericOp op) {
  return op.getNumReductionLoops() == 0 && op->getNumResults() == 1 &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity();
}

std::optional<SmallVector<int64_t>> invar::getPermutation(Operation *op) {
  auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
  if (!generic || !isElementwise(generic) || generic.getNumDpsInputs() != 1)
    return std::nullopt;
  AffineMap map = generic.getIndexingMapsArray()[0];
  Block *body = generic.getBody();
  if (!map.isPermutation() || &body->front() != body->getTerminator() ||
      body->getTerminator()->getOperand(0) != body->getArgument(0))
    return std::nullopt;
  // The map gives, for each axis of the operand, its loop, and so its axis of the
  // result.
  SmallVector<int64_t> to;
  for (AffineExpr expr : map.getResults())
    to.push_back(cast<AffineDimExpr>(expr).getPosition());
  return invertPermutationVector(to);
}

/// Whether the axes that have more than one element stay in order.
static bool movesNothing(RankedTensorType type, ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> moved;
  for (int64_t axis : permutation)
    if (type.isDynamicDim(axis) || type.getDimSize(axis) != 1)
      moved.push_back(axis);
  return llvm::is_sorted(moved);
}

Value invar::makeTranspose(OpBuilder &builder, Location loc, Value tensor,
                           ArrayRef<int64_t> permutation) {
  if (auto before = getPermutation(tensor.getDefiningOp())) {
    // Merge two consecutive transposes.
    SmallVector<int64_t> both;
    for (int64_t axis : permutation)
      both.push_back((*before)[axis]);
    auto first = tensor.getDefiningOp<linalg::GenericOp>();
    return makeTranspose(builder, loc, first.getDpsInputs()[0], both);
  }
  if (llvm::is_sorted(permutation))
    return tensor;
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<OpFoldResult> own = tensor::getMixedSizes(builder, loc, tensor);
  SmallVector<OpFoldResult> sizes;
  SmallVector<int64_t> shape;
  for (int64_t axis : permutation) {
    sizes.push_back(own[axis]);
    shape.push_back(type.getDimSize(axis));
  }
  if (movesNothing(type, permutation)) {
    SmallVector<Value> list;
    for (OpFoldResult size : sizes)
      list.push_back(
          isa<Value>(size)
              ? cast<Value>(size)
              : arith::ConstantIndexOp::create(
                    builder, loc,
                    cast<IntegerAttr>(cast<Attribute>(size)).getInt())
                    .getResult());
    Value target = tensor::FromElementsOp::create(builder, loc, list);
    return tensor::ReshapeOp::create(
        builder, loc, RankedTensorType::get(shape, type.getElementType()),
        tensor, target);
  }
  Value empty =
      tensor::EmptyOp::create(builder, loc, sizes, type.getElementType());
  SmallVector<AffineExpr> exprs;
  for (int64_t to : invertPermutationVector(permutation))
    exprs.push_back(builder.getAffineDimExpr(unsigned(to)));
  unsigned rank = unsigned(permutation.size());
  SmallVector<AffineMap> maps = {
      AffineMap::get(rank, 0, exprs, builder.getContext()),
      builder.getMultiDimIdentityMap(rank)};
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, empty.getType(), tensor, empty, maps, iterators,
             [](OpBuilder &nested, Location at, ValueRange in) {
               linalg::YieldOp::create(nested, at, in[0]);
             })
      .getResult(0);
}
