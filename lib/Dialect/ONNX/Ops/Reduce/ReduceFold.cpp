// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Reductions.h"
#include "invar/Dialect/ONNX/FoldCall.h"
#include "invar/Dialect/ONNX/Ops/Reduce.h"
#include "invar/Dialect/ONNX/Rows.h"

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
  // Lines along the axis, which is moved to the end.
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq(data.getRank()));
  std::rotate(order.begin() + *axis, order.begin() + *axis + 1, order.end());
  llvm::Expected<Elements> lines = fold.getBuilder().transpose(data, order);
  if (!lines)
    return lines.takeError();
  size_t length = size_t(data.getShape()[*axis]);
  return withNumber(data.getType(), [&](auto zero) -> FoldResult {
    using T = decltype(zero);
    auto numbers = fold.read<T>(*lines);
    if (!numbers)
      return numbers.takeError();
    std::vector<int64_t> places;
    for (size_t at = 0; at < numbers->get().size(); at += length)
      places.push_back(findExtreme(numbers->get().slice(at, length),
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

//===-- Calls -----------------------------------------------------------------===//

template <typename Op> static FoldResult foldCumulative(Op op, Folding &fold) {
  int64_t rank = fold.get(op.getX()).getRank();
  auto axis = fold.readScalar<int64_t>(op.getAxis());
  if (!axis)
    return axis.takeError();
  if (!normalizeAxis(*axis, rank))
    return notFolded("expected an axis of " + Twine(rank) + ", but got " +
                     Twine(*axis));
  return foldByCallWhenRead(fold, describePlainCall(op), Floats::Doubles);
}

FoldResult CumProdOp::computeValues(Folding &fold) {
  return foldCumulative(*this, fold);
}
FoldResult CumSumOp::computeValues(Folding &fold) {
  return foldCumulative(*this, fold);
}

FoldResult TopKOp::computeValues(Folding &fold) {
  return foldByCall(*this, fold, Floats::AsTheyAre);
}
