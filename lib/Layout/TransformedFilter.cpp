// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TransformedFilter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace invar;

/// A matrix of f32.
static Value makeMatrix(ImplicitLocOpBuilder &builder, int64_t rows,
                        ArrayRef<double> numbers) {
  auto type = RankedTensorType::get({rows, int64_t(numbers.size()) / rows},
                                    builder.getF32Type());
  SmallVector<float> rounded(numbers);
  return arith::ConstantOp::create(
      builder, DenseElementsAttr::get(type, ArrayRef<float>(rounded)));
}

/// A tensor of zeros, to add to.
static Value makeZeros(ImplicitLocOpBuilder &builder, ArrayRef<int64_t> shape) {
  Value empty = tensor::EmptyOp::create(builder, shape, builder.getF32Type());
  Value zero = arith::ConstantOp::create(builder, builder.getF32FloatAttr(0));
  return linalg::FillOp::create(builder, zero, empty).getResult(0);
}

/// A sum of products of the operands over the loops behind the first four, which are those
/// of the result.
static linalg::GenericOp sumProducts(ImplicitLocOpBuilder &builder,
                                     ValueRange operands,
                                     ArrayRef<SmallVector<unsigned>> loops,
                                     ArrayRef<int64_t> shape,
                                     unsigned reduced) {
  Value zeros = makeZeros(builder, shape);
  auto map = [&](ArrayRef<unsigned> targets) {
    return AffineMap::getMultiDimMapWithTargets(4 + reduced, targets,
                                                builder.getContext());
  };
  SmallVector<AffineMap> maps = llvm::map_to_vector(
      loops, [&](ArrayRef<unsigned> targets) { return map(targets); });
  maps.push_back(map({0, 1, 2, 3}));
  SmallVector<utils::IteratorType> iterators(4, utils::IteratorType::parallel);
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

/// One side after the other: that takes half the products.
Value invar::transformFilter(ImplicitLocOpBuilder &builder, Value filter,
                             const Winograd &form) {
  auto type = cast<RankedTensorType>(filter.getType());
  int64_t columns = type.getDimSize(0), channels = type.getDimSize(1);
  int64_t tile = form.getTile();
  Value matrix = makeMatrix(builder, tile, form.filter);
  // T(o, c, i, b) = W(o, c, i, j) * G(b, j), and then U(o, c, a, b) = G(a, i) * T(o, c, i, b).
  Value half = sumProducts(builder, {filter, matrix}, {{0, 1, 2, 4}, {3, 4}},
                           {columns, channels, 3, tile}, 1)
                   .getResult(0);
  return sumProducts(builder, {matrix, half}, {{2, 4}, {0, 1, 4, 3}},
                     {columns, channels, tile, tile}, 1)
      .getResult(0);
}

Value invar::restoreFilter(ImplicitLocOpBuilder &builder, Value transformed,
                           const Winograd &form) {
  auto type = cast<RankedTensorType>(transformed.getType());
  Value matrix = makeMatrix(builder, 3, form.inverse);
  // W(o, c, i, j) = P(i, a) * P(j, b) * U(o, c, a, b)
  linalg::GenericOp op = sumProducts(
      builder, {matrix, matrix, transformed}, {{2, 4}, {3, 5}, {0, 1, 4, 5}},
      {type.getDimSize(0), type.getDimSize(1), 3, 3}, 2);
  op->setAttr(restoredFilterAttribute, builder.getUnitAttr());
  return op.getResult(0);
}
