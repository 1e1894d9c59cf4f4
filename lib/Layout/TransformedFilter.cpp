// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TransformedFilter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace invar;

/// A constant of f32.
static Value makeConstant(ImplicitLocOpBuilder &builder,
                          ArrayRef<int64_t> shape, ArrayRef<double> numbers) {
  auto type = RankedTensorType::get(shape, builder.getF32Type());
  SmallVector<float> rounded(numbers);
  return arith::ConstantOp::create(
      builder, DenseElementsAttr::get(type, ArrayRef<float>(rounded)));
}

/// A tensor of zeros, the initial value of sums.
static Value makeZeros(ImplicitLocOpBuilder &builder, ArrayRef<int64_t> shape) {
  Value empty = tensor::EmptyOp::create(builder, shape, builder.getF32Type());
  Value zero = arith::ConstantOp::create(builder, builder.getF32FloatAttr(0));
  return linalg::FillOp::create(builder, zero, empty).getResult(0);
}

/// A sum of products of the operands. The first loops are the axes of the result, and
/// the rest are reduced.
static linalg::GenericOp sumProducts(ImplicitLocOpBuilder &builder,
                                     ValueRange operands,
                                     ArrayRef<SmallVector<unsigned>> loops,
                                     ArrayRef<int64_t> shape,
                                     unsigned reduced) {
  Value zeros = makeZeros(builder, shape);
  auto rank = unsigned(shape.size());
  auto map = [&](ArrayRef<unsigned> targets) {
    return AffineMap::getMultiDimMapWithTargets(rank + reduced, targets,
                                                builder.getContext());
  };
  SmallVector<AffineMap> maps = llvm::map_to_vector(
      loops, [&](ArrayRef<unsigned> targets) { return map(targets); });
  maps.push_back(map(llvm::to_vector(llvm::seq(rank))));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  iterators.append(reduced, utils::IteratorType::reduction);
  return linalg::GenericOp::create(
      builder, zeros.getType(), operands, zeros, maps, iterators,
      [](OpBuilder &nested, Location loc, ValueRange in) {
        Value term = in.front();
        for (Value factor : in.drop_front().drop_back())
          term = arith::MulFOp::create(nested, loc, term, factor);
        Value sum = arith::AddFOp::create(nested, loc, in.back(), term);
        linalg::YieldOp::create(nested, loc, sum);
      });
}

/// Multiplies by both sides at once: the products of their factors are known, and no
/// intermediate tensor is needed.
Value invar::transformFilter(ImplicitLocOpBuilder &builder, Value panels,
                             const Winograd &form) {
  int64_t tile = form.getTile();
  SmallVector<double> both;
  for (int64_t a = 0; a < tile; ++a)
    for (int64_t b = 0; b < tile; ++b)
      for (int64_t i = 0; i < 3; ++i)
        for (int64_t j = 0; j < 3; ++j)
          both.push_back(form.filter[a * 3 + i] * form.filter[b * 3 + j]);
  Value factors = makeConstant(builder, {tile, tile, 3, 3}, both);
  SmallVector<int64_t> shape(
      cast<RankedTensorType>(panels.getType()).getShape());
  shape[1] = shape[2] = tile;
  // U(p, a, b, c, l) = W(p, i, j, c, l) * G(a, i) * G(b, j)
  return sumProducts(builder, {panels, factors},
                     {{0, 5, 6, 3, 4}, {1, 2, 5, 6}}, shape, 2)
      .getResult(0);
}

Value invar::restoreFilter(ImplicitLocOpBuilder &builder, Value transformed,
                           const Winograd &form) {
  auto type = cast<RankedTensorType>(transformed.getType());
  Value matrix = makeConstant(builder, {3, form.getTile()}, form.inverse);
  // W(o, c, i, j) = P(i, a) * P(j, b) * U(o, c, a, b)
  linalg::GenericOp op = sumProducts(
      builder, {matrix, matrix, transformed}, {{2, 4}, {3, 5}, {0, 1, 4, 5}},
      {type.getDimSize(0), type.getDimSize(1), 3, 3}, 2);
  op->setAttr(restoredFilterAttribute, builder.getUnitAttr());
  return op.getResult(0);
}
