// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Winograd/Convolution.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace invar;

/// Whether a body adds the product of the two elements that it reads.
static bool addsProduct(Block &body) {
  auto isProduct = [](Operation *multiply, Operation *add) {
    return isa<arith::MulFOp>(multiply) && isa<arith::AddFOp>(add);
  };
  return body.getOperations().size() == 3 &&
         linalg::detail::isContractionBody(body, isProduct);
}

/// Whether a tensor is 0 everywhere.
static bool isZero(Value tensor) {
  auto fill = tensor.getDefiningOp<linalg::FillOp>();
  return fill && matchPattern(fill.value(), m_AnyZeroFloat());
}

/// Whether an image has no padding, or padding of 0.
static bool hasZeroBorder(Value image) {
  auto pad = image.getDefiningOp<tensor::PadOp>();
  Value border = pad ? pad.getConstantPaddingValue() : Value();
  return !pad || (border && matchPattern(border, m_AnyZeroFloat()));
}

/// The loops that a map of four results selects.
static std::optional<std::array<unsigned, 4>> getLoops(AffineMap map) {
  if (map.getNumResults() != 4 || !map.isProjectedPermutation())
    return std::nullopt;
  std::array<unsigned, 4> loops;
  for (unsigned axis = 0; axis < 4; ++axis)
    loops[axis] = map.getDimPosition(axis);
  return loops;
}

std::optional<Convolution3x3> Convolution3x3::get(linalg::GenericOp op) {
  auto isFloat = [](Value operand) {
    return getElementTypeOrSelf(operand).isF32();
  };
  if (op.getNumDpsInputs() != 2 || op->getNumResults() != 1 ||
      op.getNumLoops() != 7 || op.getNumReductionLoops() != 3 ||
      !llvm::all_of(op->getOperands(), isFloat) ||
      !addsProduct(*op.getBody()) || !isZero(op.getDpsInits()[0]) ||
      !hasZeroBorder(op.getDpsInputs()[0]))
    return std::nullopt;
  // Channels are last, and there are no strides or dilations.
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  auto filter = getLoops(maps[1]), result = getLoops(maps[2]);
  if (!filter || !result || maps[0].getNumResults() != 4)
    return std::nullopt;
  auto [o, c, i, j] = *filter;
  auto [n, h, w, column] = *result;
  auto is = [&](unsigned axis, unsigned loop) {
    return maps[0].getResult(axis) == getAffineDimExpr(loop, op.getContext());
  };
  // A sum may have its loops in any order.
  auto isSum = [&](unsigned axis, unsigned one, unsigned other) {
    auto sum = dyn_cast<AffineBinaryOpExpr>(maps[0].getResult(axis));
    AffineExpr first = getAffineDimExpr(one, op.getContext());
    AffineExpr second = getAffineDimExpr(other, op.getContext());
    return sum && sum.getKind() == AffineExprKind::Add &&
           ((sum.getLHS() == first && sum.getRHS() == second) ||
            (sum.getLHS() == second && sum.getRHS() == first));
  };
  if (o != column || !is(0, n) || !isSum(1, h, i) || !isSum(2, w, j) ||
      !is(3, c))
    return std::nullopt;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (sizes[i] != 3 || sizes[j] != 3 || sizes[o] < 1 || sizes[c] < 1)
    return std::nullopt;
  return Convolution3x3{op, n, h, w, o, c, i, j, std::move(sizes)};
}
