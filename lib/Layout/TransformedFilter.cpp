// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TransformedFilter.h"

#include "invar/Elements/ElementsBuilder.h"
#include "invar/Elements/IR/LazyElementsAttr.h"
#include "invar/Support/Hash.h"
#include "invar/Support/Parallel.h"
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

/// M T M^T for the last two axes of `tensor`, (o, c, i, j), where the matrix M has `rows`
/// rows.
static linalg::GenericOp multiplyBothSides(ImplicitLocOpBuilder &builder,
                                           Value tensor, int64_t rows,
                                           ArrayRef<double> numbers) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Value matrix = makeMatrix(builder, rows, numbers);
  int64_t shape[] = {type.getDimSize(0), type.getDimSize(1), rows, rows};
  Value empty = tensor::EmptyOp::create(builder, shape, type.getElementType());
  Value zero = arith::ConstantOp::create(builder, builder.getF32FloatAttr(0));
  Value zeros = linalg::FillOp::create(builder, zero, empty).getResult(0);
  auto map = [&](ArrayRef<unsigned> loops) {
    return AffineMap::getMultiDimMapWithTargets(6, loops, builder.getContext());
  };
  // Loops are o, c, the result's two, and the reduced two.
  AffineMap maps[] = {map({2, 4}), map({3, 5}), map({0, 1, 4, 5}),
                      map({0, 1, 2, 3})};
  SmallVector<utils::IteratorType> iterators(4, utils::IteratorType::parallel);
  iterators.append(2, utils::IteratorType::reduction);
  return linalg::GenericOp::create(
      builder, zeros.getType(), ValueRange{matrix, matrix, tensor}, zeros, maps,
      iterators, [](OpBuilder &nested, Location loc, ValueRange in) {
        Value factor = arith::MulFOp::create(nested, loc, in[0], in[1]);
        Value term = arith::MulFOp::create(nested, loc, factor, in[2]);
        Value sum = arith::AddFOp::create(nested, loc, in[3], term);
        linalg::YieldOp::create(nested, loc, sum);
      });
}

Value invar::transformFilter(ImplicitLocOpBuilder &builder, Value filter,
                             const Winograd &form) {
  return multiplyBothSides(builder, filter, form.getTile(), form.filter)
      .getResult(0);
}

Value invar::restoreFilter(ImplicitLocOpBuilder &builder, Value transformed,
                           const Winograd &form) {
  linalg::GenericOp op =
      multiplyBothSides(builder, transformed, 3, form.inverse);
  op->setAttr(restoredFilterAttribute, builder.getUnitAttr());
  return op.getResult(0);
}

/// Transforms filters one after the other; exact but for one rounding.
static void transform(const Winograd &form, ArrayRef<float> filters,
                      float *result) {
  unsigned tile = form.getTile();
  for (; !filters.empty(); filters = filters.drop_front(9)) {
    // Rows first.
    double rows[6][3] = {};
    for (unsigned a = 0; a < tile; ++a)
      for (unsigned j = 0; j < 3; ++j)
        for (unsigned i = 0; i < 3; ++i)
          rows[a][j] += form.filter[a * 3 + i] * double(filters[i * 3 + j]);
    for (unsigned a = 0; a < tile; ++a)
      for (unsigned b = 0; b < tile; ++b) {
        double sum = 0;
        for (unsigned j = 0; j < 3; ++j)
          sum += form.filter[b * 3 + j] * rows[a][j];
        *result++ = float(sum);
      }
  }
}

Value invar::transformConstantFilter(ImplicitLocOpBuilder &builder,
                                     constants::RefOp ref,
                                     const Winograd &form) {
  FailureOr<Elements> filter = elements::toElements(ref.getValue());
  if (failed(filter))
    return nullptr;
  int64_t columns = filter->getShape()[0], channels = filter->getShape()[1];
  int64_t tile = form.getTile();
  auto kernel = [filter = *filter, form, columns, channels,
                 tile](void *lanes, const EvalOptions &options) {
    parallelFor(uint64_t(columns), 1, options.threads,
                [&](uint64_t begin, uint64_t end) {
                  std::vector<float> own(size_t(channels) * 9);
                  for (auto column = int64_t(begin); column < int64_t(end);
                       ++column) {
                    filter.read<float>(column * channels * 9, own);
                    transform(form, own,
                              static_cast<float *>(lanes) +
                                  column * channels * tile * tile);
                  }
                });
  };
  Hasher key;
  key.add("transformed filter").add(uint64_t(form.results));
  auto made = ElementsBuilder().compute(DataType::Float32,
                                        {columns, channels, tile, tile},
                                        key.finish(), *filter, kernel);
  if (!made) {
    llvm::consumeError(made.takeError());
    return nullptr;
  }
  auto content =
      elements::LazyElementsAttr::get(builder.getContext(), std::move(*made));
  return constants::RefOp::create(builder, content.getType(), content);
}
