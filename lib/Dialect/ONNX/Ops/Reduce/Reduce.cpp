// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Reduce.h"

#include "invar/Dialect/ONNX/RuntimeCall.h"
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

LogicalResult invar::onnx::detail::verifyReduction(Operation *op) {
  auto reduction = cast<ReductionOpInterface>(op);
  Value axes = op->getNumOperands() > 1 ? op->getOperand(1) : Value();
  return Check(op)
      .vector("(C1)", "axes", axes)
      .flag("(C2)", "keepdims", reduction.getKeepdims())
      .flag("(C2)", "noop_with_empty_axes", reduction.getNoopWithEmptyAxes());
}

LogicalResult TopKOp::verify() {
  return Check(*this)
      .axis("(C1)", "axis", getAxis(), getX())
      .oneElement("(C2)", "K", getK())
      .flag("(C3)", "largest", getLargest())
      .flag("(C3)", "sorted", getSorted());
}

//===-- Shapes ----------------------------------------------------------------===//

/// Returns sizes with some axes reduced: to size one, or removed.
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
  // A scalar has no axis and stays a scalar.
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

ReducedAxes invar::onnx::detail::findReducedAxes(Operation *op,
                                                 ShapeHelper &shape) {
  ValueRange operands = shape.getOperands();
  std::optional<int64_t> rank = shape.getRank(operands[0]);
  if (!rank)
    return std::optional<SmallVector<int64_t>>();
  std::optional<SmallVector<int64_t>> axes(std::in_place);
  // A scalar has no axes, even if some are given.
  if (operands.size() > 1 && *rank) {
    ReducedAxes given = shape::readAxes(shape, operands[1], *rank, "(C3)");
    if (failed(given) || !*given)
      return given;
    axes = std::move(*given);
    llvm::sort(*axes);
    axes->erase(llvm::unique(*axes), axes->end());
  }
  if (axes->empty() && !cast<ReductionOpInterface>(op).getNoopWithEmptyAxes())
    axes = llvm::to_vector(llvm::seq(*rank));
  return axes;
}

LogicalResult invar::onnx::shape::reduce(ShapeHelper &shape) {
  auto op = cast<ReductionOpInterface>(shape.getOperation());
  ValueRange operands = shape.getOperands();
  ReducedAxes axes = onnx::detail::findReducedAxes(op, shape);
  if (failed(axes))
    return failure();
  std::optional<int64_t> rank = shape.getRank(operands[0]);
  if (*axes)
    shape.setOutputDims(
        reduceSizes(shape.getDims(operands[0]), **axes, op.getKeepdims()));
  else if (rank && op.getKeepdims())
    shape.setOutputDims(shape.getQuestionmarks(*rank));
  else if (std::optional<int64_t> count =
               rank ? shape.getBuilder().getArraySize(operands[1])
                    : std::nullopt;
           count && *count <= *rank) // They must be distinct.
    shape.setOutputDims(shape.getQuestionmarks(*rank - *count));
  return success();
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

/// Returns the combination of the entries of a vector up to each entry, beginning with
/// the neutral element.
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

/// Combines a vector to one entry. The result for an empty vector is undefined if there
/// is no neutral element.
static std::optional<DimsExpr>
reduceEntries(ShapeHelper &shape, IndexExpr neutral, Combine combine) {
  auto entries =
      shape.getBuilder().getIntsFromArrayAsSymbols(shape.getOperands()[0]);
  ReducedAxes axes = onnx::detail::findReducedAxes(shape.getOperation(), shape);
  if (!entries || failed(axes) || !*axes || (*axes)->empty())
    return entries;
  if (entries->empty())
    return DimsExpr{neutral};
  // Combine numbers first: they become one number, which keeps the expression short.
  std::stable_partition(entries->begin(), entries->end(),
                        [](IndexExpr entry) { return entry.isLiteral(); });
  IndexExpr total = entries->front();
  for (IndexExpr entry : llvm::drop_begin(*entries))
    total = combine(total, entry);
  return DimsExpr{total};
}

std::optional<DimsExpr> ReduceMaxOp::computeEntries(ShapeHelper &shape,
                                                    unsigned) {
  return reduceEntries(shape, IndexExpr(), IndexExpr::max);
}
std::optional<DimsExpr> ReduceMinOp::computeEntries(ShapeHelper &shape,
                                                    unsigned) {
  return reduceEntries(shape, IndexExpr(), IndexExpr::min);
}
std::optional<DimsExpr> ReduceProdOp::computeEntries(ShapeHelper &shape,
                                                     unsigned) {
  return reduceEntries(shape, 1, multiply);
}
std::optional<DimsExpr> ReduceSumOp::computeEntries(ShapeHelper &shape,
                                                    unsigned) {
  return reduceEntries(shape, 0, add);
}

//===-- Calls -----------------------------------------------------------------===//

RuntimeCall TopKOp::describeCall() {
  RuntimeCall call(*this, "TopK");
  call.add(getX()).add(getK()).addNumbers({getAxis()});
  call.set("largest", getLargest() != 0);
  return call;
}
