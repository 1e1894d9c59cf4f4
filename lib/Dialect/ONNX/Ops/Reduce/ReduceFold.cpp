// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Reductions.h"
#include "invar/Dialect/ONNX/Ops/Reduce.h"
#include "invar/Dialect/ONNX/Rows.h"
#include "invar/Kernels/Lines.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- Reductions ------------------------------------------------------------===//

namespace {
/// A reduction that receives a row piece by piece.
template <typename R, typename T> struct ByElement {
  R state;
  void add(ArrayRef<T> piece) {
    for (T number : piece)
      state.add(number);
  }
};
} // namespace

template <template <typename> typename R, typename T>
static FoldResult reduceAs(Folding &fold) {
  auto op = cast<ReductionOpInterface>(fold.getOperation());
  ShapeHelper shape = fold.getShapeHelper();
  auto axes = op.getReducedAxes(shape);
  llvm::Expected<Shape> to = fold.getShape();
  if (failed(axes) || !*axes || !to)
    return llvm::joinErrors(to.takeError(), notFolded("its axes are unknown"));
  auto rows = Rows<T>::get(fold, fold.get(op->getOperand(0)), **axes);
  if (!rows)
    return rows.takeError();
  auto kernel = [rows = *rows](MutableArrayRef<T> out,
                               const EvalOptions &options) {
    using State = ByElement<R<T>, T>;
    rows.reduce(State(), options, [&](int64_t row, const State &reduced) {
      out[row] = reduced.state.get(rows.getLength());
    });
  };
  return fold.compute<T>(*to, kernel);
}

template <template <typename> typename R>
static FoldResult reduce(Folding &fold) {
  switch (getKind(fold.getType())) {
  case NumberKind::Float:
    return reduceAs<R, double>(fold);
  case NumberKind::Signed:
    return reduceAs<R, int64_t>(fold);
  default:
    return reduceAs<R, uint64_t>(fold);
  }
}

/// Computes an extreme. Without elements it is a limit of the result's own type. The
/// limit of the wider integers used otherwise would become another number when narrowed.
template <template <typename> typename R>
static FoldResult reduceToExtreme(Folding &fold,
                                  llvm::APInt (*getLimit)(unsigned)) {
  DataType type = fold.getType();
  if (getKind(type) != NumberKind::Signed ||
      fold.get(fold.getOperation()->getOperand(0)).numElements())
    return reduce<R>(fold);
  llvm::Expected<Shape> shape = fold.getShape();
  if (!shape)
    return shape.takeError();
  int64_t limit = getLimit(getBitWidth(type)).getSExtValue();
  return fold.getBuilder().splat(type, *shape, WideNum::ofInt(limit));
}

FoldResult ReduceL1Op::computeValues(Folding &fold) {
  return reduce<reduction::L1>(fold);
}
FoldResult ReduceL2Op::computeValues(Folding &fold) {
  return reduce<reduction::L2>(fold);
}
FoldResult ReduceLogSumOp::computeValues(Folding &fold) {
  return reduceAs<reduction::LogSum, double>(fold);
}
FoldResult ReduceLogSumExpOp::computeValues(Folding &fold) {
  return reduceAs<reduction::LogSumExp, double>(fold);
}
FoldResult ReduceMaxOp::computeValues(Folding &fold) {
  return reduceToExtreme<reduction::Max>(fold, llvm::APInt::getSignedMinValue);
}
FoldResult ReduceMeanOp::computeValues(Folding &fold) {
  return reduce<reduction::Mean>(fold);
}
FoldResult ReduceMinOp::computeValues(Folding &fold) {
  return reduceToExtreme<reduction::Min>(fold, llvm::APInt::getSignedMaxValue);
}
FoldResult ReduceProdOp::computeValues(Folding &fold) {
  return reduce<reduction::Product>(fold);
}
FoldResult ReduceSumOp::computeValues(Folding &fold) {
  return reduce<reduction::Sum>(fold);
}
FoldResult ReduceSumSquareOp::computeValues(Folding &fold) {
  return reduce<reduction::SumSquare>(fold);
}

//===-- Along one axis --------------------------------------------------------===//

/// Lines of `x` along the operator's axis, which is moved to the end, and the inverse
/// order.
namespace {
struct Lines {
  Elements lines;
  int64_t length;
  SmallVector<int64_t> order, inverse;

  kernels::LineView getView() const {
    return {*countElements(lines.getShape().drop_back()), length, 1};
  }
};
} // namespace

static llvm::Expected<Lines> linesAlong(Folding &fold, const Elements &x,
                                        int64_t axis) {
  SmallVector<int64_t> order, inverse(x.getRank());
  for (int64_t i = 0; i < x.getRank(); ++i)
    if (i != axis)
      order.push_back(i);
  order.push_back(axis);
  for (auto [to, from] : llvm::enumerate(order))
    inverse[from] = int64_t(to);
  llvm::Expected<Elements> lines = fold.getBuilder().transpose(x, order);
  if (!lines)
    return lines.takeError();
  return Lines{std::move(*lines), x.getShape()[axis], std::move(order),
               std::move(inverse)};
}

/// Returns the index of the first (or last) best element.
template <typename T, typename Better>
static int64_t findExtreme(ArrayRef<T> line, bool last, Better isBetter) {
  size_t best = 0;
  for (size_t i = 1; i < line.size(); ++i) {
    bool isTie =
        !isBetter(line[best], line[i]) && !isBetter(line[i], line[best]);
    if (isBetter(line[i], line[best]) || (last && isTie))
      best = i;
  }
  return int64_t(best);
}

/// The order of ArgMax and ArgMin: NaN is better than everything else, as in the reference
/// implementation.
template <typename T, bool Greatest> struct IsBetter {
  bool operator()(T a, T b) const {
    if (scalar::isNaN(a) || scalar::isNaN(b))
      return scalar::isNaN(a) && !scalar::isNaN(b);
    return Greatest ? a > b : a < b;
  }
};

/// Calls `f` with a number of the type in which elements of `type` are compared exactly.
template <typename F> static FoldResult withNumber(DataType type, F f) {
  switch (getKind(type)) {
  case NumberKind::Float:
    return f(double());
  case NumberKind::Signed:
    return f(int64_t());
  default:
    return f(uint64_t());
  }
}

template <bool Greatest, typename Op>
static FoldResult findExtremes(Op op, Folding &fold) {
  const Elements &data = fold.get(op.getData());
  llvm::Expected<Shape> to = fold.getShape();
  if (!to)
    return to.takeError();
  std::optional<int64_t> axis = normalizeAxis(op.getAxis(), data.getRank());
  if (!axis) // A scalar is its only element.
    return fold.make<int64_t>(*to, int64_t(0));
  if (data.getShape()[*axis] == 0 && countElements(*to) != 0)
    return notFolded("there is no extreme among no elements");
  llvm::Expected<Lines> lines = linesAlong(fold, data, *axis);
  if (!lines)
    return lines.takeError();
  return withNumber(data.getType(), [&](auto zero) -> FoldResult {
    using T = decltype(zero);
    auto numbers = fold.read<T>(lines->lines);
    if (!numbers)
      return numbers.takeError();
    std::vector<int64_t> places;
    for (size_t at = 0; at < numbers->get().size(); at += lines->length)
      places.push_back(findExtreme(numbers->get().slice(at, lines->length),
                                   op.getSelectLastIndex() != 0,
                                   IsBetter<T, Greatest>()));
    return fold.make<int64_t>(*to, places);
  });
}

FoldResult ArgMaxOp::computeValues(Folding &fold) {
  return findExtremes<true>(*this, fold);
}
FoldResult ArgMinOp::computeValues(Folding &fold) {
  return findExtremes<false>(*this, fold);
}

template <typename Op, typename Combine>
static FoldResult foldCumulative(Op op, Folding &fold, Combine combine) {
  const Elements &x = fold.get(op.getX());
  auto given = fold.readScalar<int64_t>(op.getAxis());
  if (!given)
    return given.takeError();
  std::optional<int64_t> axis = normalizeAxis(*given, x.getRank());
  if (!axis)
    return notFolded("expected an axis of " + Twine(x.getRank()) +
                     ", but got " + Twine(*given));
  llvm::Expected<Lines> lines = linesAlong(fold, x, *axis);
  if (!lines)
    return lines.takeError();
  return withNumber(x.getType(), [&](auto zero) -> FoldResult {
    using T = decltype(zero);
    auto numbers = fold.getBuilder().cast(lines->lines, dataTypeOf<T>);
    if (!numbers)
      return numbers;
    kernels::Cumulation order{op.getExclusive() != 0, op.getReverse() != 0};
    auto run = [rows = *numbers, view = lines->getView(), combine,
                order](MutableArrayRef<T> out, const EvalOptions &options) {
      rows.template read<T>(0, out, options);
      kernels::accumulateLines(view, order, combine, out.data(), out.data(), 0,
                               view.count());
    };
    auto sums = fold.compute<T>(Shape(lines->lines.getShape()), run);
    return sums ? fold.getBuilder().transpose(*sums, lines->inverse)
                : std::move(sums);
  });
}

FoldResult CumProdOp::computeValues(Folding &fold) {
  return foldCumulative(*this, fold, kernels::Product());
}
FoldResult CumSumOp::computeValues(Folding &fold) {
  return foldCumulative(*this, fold, kernels::Sum());
}

FoldResult TopKOp::computeValues(Folding &fold) {
  const ElementsBuilder &builder = fold.getBuilder();
  const Elements &x = fold.get(getX());
  auto k = fold.readScalar<int64_t>(getK());
  if (!k)
    return k.takeError();
  std::optional<int64_t> axis = normalizeAxis(getAxis(), x.getRank());
  if (!axis || *k < 0 || *k > x.getShape()[*axis])
    return notFolded("expected 'K' to be a part of an axis, but got " +
                     Twine(*k));
  llvm::Expected<Lines> lines = linesAlong(fold, x, *axis);
  if (!lines)
    return lines.takeError();
  return withNumber(x.getType(), [&](auto zero) -> FoldResult {
    using T = decltype(zero);
    auto numbers = fold.read<T>(lines->lines);
    if (!numbers)
      return numbers.takeError();
    kernels::LineView view = lines->getView();
    std::vector<int64_t> indices(size_t(view.count() * *k));
    kernels::findBestOfLines(view, *k, getLargest() != 0, numbers->get().data(),
                             0, view.count(), indices.data());
    std::vector<T> values;
    for (auto [i, place] : llvm::enumerate(indices))
      values.push_back(numbers->get()[view.begin(int64_t(i) / *k) + place]);
    Shape shape(lines->lines.getShape());
    shape.back() = *k;
    auto made = fold.make<T>(shape, values, 0);
    auto places = fold.make<int64_t>(shape, indices, 1);
    if (!made || !places)
      return llvm::joinErrors(made.takeError(), places.takeError());
    auto first = builder.transpose(*made, lines->inverse);
    auto second = builder.transpose(*places, lines->inverse);
    if (!first || !second)
      return llvm::joinErrors(first.takeError(), second.takeError());
    return FoldResult::Values{*first, *second};
  });
}
