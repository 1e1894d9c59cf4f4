// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Reduce.h"

#include "invar/Dialect/ONNX/Shapes.h"
#include "invar/Dialect/ONNX/Verify.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

template <typename Op> static LogicalResult verifyArg(Op op) {
  return Check(op)
      .axis("(C1)", "axis", op.getAxis(), op.getData())
      .flag("(C2)", "keepdims", op.getKeepdims())
      .flag("(C2)", "select_last_index", op.getSelectLastIndex());
}

LogicalResult ArgMaxOp::verify() { return verifyArg(*this); }
LogicalResult ArgMinOp::verify() { return verifyArg(*this); }

template <typename Op> static LogicalResult verifyCumulative(Op op) {
  return Check(op)
      .oneElement("(C1)", "axis", op.getAxis())
      .flag("(C2)", "exclusive", op.getExclusive())
      .flag("(C2)", "reverse", op.getReverse());
}

LogicalResult CumProdOp::verify() { return verifyCumulative(*this); }
LogicalResult CumSumOp::verify() { return verifyCumulative(*this); }

template <typename Op> static LogicalResult verifyReduction(Op op) {
  return Check(op)
      .vector("(C1)", "axes", op.getAxes())
      .flag("(C2)", "keepdims", op.getKeepdims())
      .flag("(C2)", "noop_with_empty_axes", op.getNoopWithEmptyAxes());
}

LogicalResult ReduceL1Op::verify() { return verifyReduction(*this); }
LogicalResult ReduceL2Op::verify() { return verifyReduction(*this); }
LogicalResult ReduceLogSumOp::verify() { return verifyReduction(*this); }
LogicalResult ReduceLogSumExpOp::verify() { return verifyReduction(*this); }
LogicalResult ReduceMaxOp::verify() { return verifyReduction(*this); }
LogicalResult ReduceMeanOp::verify() { return verifyReduction(*this); }
LogicalResult ReduceMinOp::verify() { return verifyReduction(*this); }
LogicalResult ReduceProdOp::verify() { return verifyReduction(*this); }
LogicalResult ReduceSumOp::verify() { return verifyReduction(*this); }
LogicalResult ReduceSumSquareOp::verify() { return verifyReduction(*this); }

LogicalResult TopKOp::verify() {
  return Check(*this)
      .axis("(C1)", "axis", getAxis(), getX())
      .oneElement("(C2)", "K", getK())
      .flag("(C3)", "largest", getLargest())
      .flag("(C3)", "sorted", getSorted());
}

//===-- Shapes ----------------------------------------------------------------===//

/// Sizes with some axes reduced, to one or to nothing.
static DimsExpr reduceSizes(DimsExpr dims, ArrayRef<int64_t> axes, bool keep) {
  llvm::BitVector gone(dims.size());
  for (int64_t axis : axes) {
    dims[axis] = 1;
    gone[axis] = !keep;
  }
  DimsExpr rest;
  for (auto [i, size] : llvm::enumerate(dims))
    if (!gone[i])
      rest.push_back(size);
  return rest;
}

template <typename Op>
static LogicalResult reduceArg(Op op, ShapeHelper &shape) {
  Value data = shape.operandsOf(op).getData();
  if (!shape.hasShape(data))
    return success();
  DimsExpr dims = shape.getDims(data);
  // A scalar has no axis and stays one.
  if (std::optional<int64_t> axis = normalizeAxis(op.getAxis(), dims.size()))
    dims = reduceSizes(std::move(dims), *axis, op.getKeepdims());
  shape.setOutputDims(std::move(dims));
  return success();
}

LogicalResult ArgMaxOp::computeShape(ShapeHelper &shape) {
  return reduceArg(*this, shape);
}
LogicalResult ArgMinOp::computeShape(ShapeHelper &shape) {
  return reduceArg(*this, shape);
}

using ReducedAxes = FailureOr<std::optional<SmallVector<int64_t>>>;

template <typename Op>
static ReducedAxes findReducedAxes(Op op, ShapeHelper &shape) {
  auto in = shape.operandsOf(op);
  std::optional<int64_t> rank = shape.getRank(in.getData());
  if (!rank)
    return std::optional<SmallVector<int64_t>>();
  std::optional<SmallVector<int64_t>> axes(std::in_place);
  // Whatever is given, a scalar has no axes.
  if (in.getAxes() && *rank) {
    ReducedAxes given = shape::readAxes(shape, in.getAxes(), *rank, "(C3)");
    if (failed(given) || !*given)
      return given;
    axes = std::move(*given);
    llvm::sort(*axes);
    axes->erase(llvm::unique(*axes), axes->end());
  }
  if (axes->empty() && !op.getNoopWithEmptyAxes())
    axes = llvm::to_vector(llvm::seq(*rank));
  return axes;
}

template <typename Op> static LogicalResult reduce(Op op, ShapeHelper &shape) {
  auto in = shape.operandsOf(op);
  ReducedAxes axes = op.getReducedAxes(shape);
  if (failed(axes))
    return failure();
  std::optional<int64_t> rank = shape.getRank(in.getData());
  if (*axes)
    shape.setOutputDims(
        reduceSizes(shape.getDims(in.getData()), **axes, op.getKeepdims()));
  else if (rank && op.getKeepdims())
    shape.setOutputDims(shape.getQuestionmarks(*rank));
  else if (rank && shape.getBuilder().getArraySize(in.getAxes()) == 1)
    shape.setOutputDims(shape.getQuestionmarks(*rank - 1));
  return success();
}

ReducedAxes ReduceL1Op::getReducedAxes(ShapeHelper &shape) {
  return findReducedAxes(*this, shape);
}
ReducedAxes ReduceL2Op::getReducedAxes(ShapeHelper &shape) {
  return findReducedAxes(*this, shape);
}
ReducedAxes ReduceLogSumOp::getReducedAxes(ShapeHelper &shape) {
  return findReducedAxes(*this, shape);
}
ReducedAxes ReduceLogSumExpOp::getReducedAxes(ShapeHelper &shape) {
  return findReducedAxes(*this, shape);
}
ReducedAxes ReduceMaxOp::getReducedAxes(ShapeHelper &shape) {
  return findReducedAxes(*this, shape);
}
ReducedAxes ReduceMeanOp::getReducedAxes(ShapeHelper &shape) {
  return findReducedAxes(*this, shape);
}
ReducedAxes ReduceMinOp::getReducedAxes(ShapeHelper &shape) {
  return findReducedAxes(*this, shape);
}
ReducedAxes ReduceProdOp::getReducedAxes(ShapeHelper &shape) {
  return findReducedAxes(*this, shape);
}
ReducedAxes ReduceSumOp::getReducedAxes(ShapeHelper &shape) {
  return findReducedAxes(*this, shape);
}
ReducedAxes ReduceSumSquareOp::getReducedAxes(ShapeHelper &shape) {
  return findReducedAxes(*this, shape);
}

LogicalResult ReduceL1Op::computeShape(ShapeHelper &shape) {
  return reduce(*this, shape);
}
LogicalResult ReduceL2Op::computeShape(ShapeHelper &shape) {
  return reduce(*this, shape);
}
LogicalResult ReduceLogSumOp::computeShape(ShapeHelper &shape) {
  return reduce(*this, shape);
}
LogicalResult ReduceLogSumExpOp::computeShape(ShapeHelper &shape) {
  return reduce(*this, shape);
}
LogicalResult ReduceMaxOp::computeShape(ShapeHelper &shape) {
  return reduce(*this, shape);
}
LogicalResult ReduceMeanOp::computeShape(ShapeHelper &shape) {
  return reduce(*this, shape);
}
LogicalResult ReduceMinOp::computeShape(ShapeHelper &shape) {
  return reduce(*this, shape);
}
LogicalResult ReduceProdOp::computeShape(ShapeHelper &shape) {
  return reduce(*this, shape);
}
LogicalResult ReduceSumOp::computeShape(ShapeHelper &shape) {
  return reduce(*this, shape);
}
LogicalResult ReduceSumSquareOp::computeShape(ShapeHelper &shape) {
  return reduce(*this, shape);
}

LogicalResult TopKOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  if (!shape.hasShape(in.getX()))
    return success();
  DimsExpr dims = shape.getDims(in.getX());
  std::optional<int64_t> axis = normalizeAxis(getAxis(), dims.size());
  if (!axis)
    return success();
  IndexExpr count = shape.getBuilder().getIntAsSymbol(in.getK());
  IndexExpr size = std::exchange(dims[*axis], count);
  if (count.isLiteral() &&
      failed(Check(*this).that("(C4)",
                               count.getLiteral() >= 0 &&
                                   count.getLiteral() <= size.getBounds().most,
                               "'K' to be from 0 to " +
                                   Twine(size.getBounds().most),
                               Twine(count.getLiteral()))))
    return failure();
  shape.setOutputDims(dims, 0);
  shape.setOutputDims(std::move(dims), 1);
  return success();
}

//===-- Entries of shapes -----------------------------------------------------===//

using Combine = IndexExpr (*)(IndexExpr, IndexExpr);

static IndexExpr add(IndexExpr left, IndexExpr right) { return left + right; }
static IndexExpr multiply(IndexExpr left, IndexExpr right) {
  return left * right;
}

/// What has been combined up to each entry of a vector, from the neutral element on.
template <typename Op>
static std::optional<DimsExpr> accumulate(Op op, ShapeHelper &shape,
                                          IndexExpr neutral, Combine combine) {
  auto entries = shape.getBuilder().getIntsFromArrayAsSymbols(op.getX());
  if (!entries)
    return std::nullopt;
  auto run = [&](auto &&order) {
    IndexExpr total = neutral;
    for (IndexExpr &entry : order) {
      IndexExpr before = total;
      total = combine(total, entry);
      entry = op.getExclusive() ? before : total;
    }
  };
  if (op.getReverse())
    run(llvm::reverse(*entries));
  else
    run(*entries);
  return entries;
}

std::optional<DimsExpr> CumProdOp::computeEntries(ShapeHelper &shape,
                                                  unsigned) {
  return accumulate(*this, shape, 1, multiply);
}
std::optional<DimsExpr> CumSumOp::computeEntries(ShapeHelper &shape, unsigned) {
  return accumulate(*this, shape, 0, add);
}

/// A vector combined to one entry. What an empty one gives is undefined where there is no
/// neutral element.
template <typename Op>
static std::optional<DimsExpr>
reduceEntries(Op op, ShapeHelper &shape, IndexExpr neutral, Combine combine) {
  auto entries = shape.getBuilder().getIntsFromArrayAsSymbols(op.getData());
  ReducedAxes axes = op.getReducedAxes(shape);
  if (!entries || failed(axes) || !*axes || (*axes)->empty())
    return entries;
  if (entries->empty())
    return DimsExpr{neutral};
  // Numbers go first: they become one, and the rest is short.
  std::stable_partition(entries->begin(), entries->end(),
                        [](IndexExpr entry) { return entry.isLiteral(); });
  IndexExpr total = entries->front();
  for (IndexExpr entry : llvm::drop_begin(*entries))
    total = combine(total, entry);
  return DimsExpr{total};
}

std::optional<DimsExpr> ReduceMaxOp::computeEntries(ShapeHelper &shape,
                                                    unsigned) {
  return reduceEntries(*this, shape, IndexExpr(), IndexExpr::max);
}
std::optional<DimsExpr> ReduceMinOp::computeEntries(ShapeHelper &shape,
                                                    unsigned) {
  return reduceEntries(*this, shape, IndexExpr(), IndexExpr::min);
}
std::optional<DimsExpr> ReduceProdOp::computeEntries(ShapeHelper &shape,
                                                     unsigned) {
  return reduceEntries(*this, shape, 1, multiply);
}
std::optional<DimsExpr> ReduceSumOp::computeEntries(ShapeHelper &shape,
                                                    unsigned) {
  return reduceEntries(*this, shape, 0, add);
}
