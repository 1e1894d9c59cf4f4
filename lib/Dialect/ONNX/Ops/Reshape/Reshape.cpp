// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Reshape.h"

#include "invar/Dialect/ONNX/TypeInference.h"
#include "invar/Dialect/ONNX/Verify.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

LogicalResult FlattenOp::verify() {
  std::optional<int64_t> rank = rankOf(getInput());
  if (!rank)
    return success();
  // There is one position more than there are axes: the cut may be after the last.
  return Check(*this).that("(C1)", getAxis() >= -*rank && getAxis() <= *rank,
                           "'axis' to be in [" + Twine(-*rank) + ", " +
                               Twine(*rank) + "]",
                           Twine(getAxis()));
}

LogicalResult ReshapeOp::verify() {
  return Check(*this)
      .vector("(C1)", "shape", getShape())
      .flag("(C2)", "allowzero", getAllowzero());
}

LogicalResult SqueezeOp::verify() {
  return Check(*this).vector("(C1)", "axes", getAxes());
}

LogicalResult UnsqueezeOp::verify() {
  return Check(*this).vector("(C1)", "axes", getAxes());
}

//===-- Shapes ----------------------------------------------------------------===//

static IndexExpr product(ArrayRef<IndexExpr> sizes) {
  IndexExpr result = 1;
  for (IndexExpr size : sizes)
    result = result * size;
  return result;
}

/// The operators here only rearrange elements, so the entries stay the same.
static std::optional<DimsExpr> entriesOf(ShapeHelper &shape, Value data) {
  return shape.getBuilder().getIntsFromArrayAsSymbols(data);
}

LogicalResult FlattenOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  if (!shape.hasShape(in.getInput()))
    return success();
  DimsExpr dims = shape.getDims(in.getInput());
  size_t cut = getAxis() < 0 ? getAxis() + dims.size() : getAxis();
  shape.setOutputDims({product(ArrayRef(dims).take_front(cut)),
                       product(ArrayRef(dims).drop_front(cut))});
  return success();
}

LogicalResult IdentityOp::inferTypes(TypeInference &inference) {
  inference.setType(getOutput(), getInput().getType());
  return success();
}

std::optional<DimsExpr> IdentityOp::computeEntries(ShapeHelper &shape,
                                                   unsigned) {
  return entriesOf(shape, getInput());
}

/// Returns the size that -1 stands for: the number of elements divided by the other
/// sizes.
static IndexExpr restOf(ShapeHelper &shape, Value data, IndexExpr others) {
  if (!shape.hasShape(data))
    return shape.getQuestionmark();
  IndexExpr all = shape.getBuilder().getNumElements(data);
  IndexExpr rest = all.floorDiv(others);
  // At run time the others may be 0, and the division must not trap. If the division
  // cancels, as in n * m / n, the rest has the value that inference computes for all
  // other sizes.
  bool isExact = (rest * others).isKnownEqual(all);
  if (shape.getScope().canEmit() && !isExact)
    rest = all.floorDiv(IndexExpr::max(others, 1));
  return rest;
}

LogicalResult ReshapeOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  std::optional<DimsExpr> target =
      shape.getBuilder().getIntsFromArrayAsSymbols(in.getShape());
  if (!target)
    return success();
  std::optional<int64_t> rank = shape.getRank(in.getData());
  Check check(*this);
  check.that("(C4)",
             llvm::count_if(*target,
                            [](IndexExpr size) { return size.isLiteral(-1); }) <
                 2,
             "at most one size of -1", "several");
  IndexExpr others = 1;
  // For each size, whether it is -1; a size of the data never is.
  DimsExpr isRest;
  for (auto [i, size] : llvm::enumerate(*target)) {
    auto copied = [&, axis = int64_t(i)] {
      return rank && axis < *rank ? shape.getDim(in.getData(), axis)
                                  : shape.getQuestionmark();
    };
    isRest.push_back(size.isAtLeast(0) ? IndexExpr(0) : size == -1);
    if (size.isLiteral()) {
      check.that("(C4)", size.getLiteral() >= -1, "sizes from -1",
                 Twine(size.getLiteral()));
      if (size.isLiteral(0) && !getAllowzero()) {
        check.that("(C3)", !rank || int64_t(i) < *rank,
                   "'data' to have an axis " + Twine(i) + " to copy",
                   "rank " + Twine(rank.value_or(0)));
        size = copied();
      }
    } else if (!size.isAtLeast(0) && !getAllowzero() &&
               (!rank || int64_t(i) < *rank)) {
      // Beyond the axes of the data there is nothing to copy, so the size cannot be 0
      // there.
      size = IndexExpr::select(size == 0, copied(), size);
    }
    others = others * IndexExpr::select(isRest.back(), 1, size);
  }
  if (failed(check))
    return check;
  IndexExpr rest = restOf(shape, in.getData(), others);
  for (auto [size, is] : llvm::zip(*target, isRest))
    size = IndexExpr::select(is, rest, size);

  if (rank) {
    IndexExpr before = shape.getBuilder().getNumElements(in.getData());
    IndexExpr after = product(*target);
    check.that("(C5)",
               !before.isLiteral() || !after.isLiteral() ||
                   before.getLiteral() == after.getLiteral(),
               "the shape to have " +
                   Twine(before.isLiteral() ? before.getLiteral() : 0) +
                   " elements, as 'data' has",
               Twine(after.isLiteral() ? after.getLiteral() : 0));
  }
  shape.setOutputDims(std::move(*target));
  return check;
}

std::optional<DimsExpr> ReshapeOp::computeEntries(ShapeHelper &shape,
                                                  unsigned) {
  return entriesOf(shape, getData());
}

/// The axes that Shape lists, as a range.
static std::pair<int64_t, int64_t> chosenAxes(ShapeOp op, int64_t rank) {
  auto limit = [&](int64_t axis) {
    return std::clamp<int64_t>(axis < 0 ? axis + rank : axis, 0, rank);
  };
  int64_t start = limit(op.getStart()), end = limit(op.getEnd().value_or(rank));
  return {start, std::max(start, end)};
}

LogicalResult ShapeOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  if (std::optional<int64_t> rank = shape.getRank(in.getData())) {
    auto [start, end] = chosenAxes(*this, *rank);
    shape.setOutputDims({end - start});
  } else {
    shape.setOutputDims({shape.getQuestionmark()});
  }
  return success();
}

std::optional<DimsExpr> ShapeOp::computeEntries(ShapeHelper &shape, unsigned) {
  if (!shape.hasShape(getData()))
    return std::nullopt;
  DimsExpr dims = shape.getDims(getData());
  auto [start, end] = chosenAxes(*this, dims.size());
  return DimsExpr(ArrayRef(dims).slice(start, end - start));
}

std::optional<DimsExpr> SizeOp::computeEntries(ShapeHelper &shape, unsigned) {
  if (!shape.hasShape(getData()))
    return std::nullopt;
  return DimsExpr{shape.getBuilder().getNumElements(getData())};
}

/// Reads axes given as a tensor, counted from the front; empty if they are unknown.
static FailureOr<std::optional<SmallVector<int64_t>>>
readAxes(ShapeHelper &shape, Value axes, int64_t rank) {
  auto given = shape.getBuilder().getIntsFromArrayAsLiterals(axes);
  if (!given)
    return std::optional<SmallVector<int64_t>>();
  SmallVector<int64_t> front;
  Check check(shape.getOperation());
  for (int64_t axis : *given) {
    std::optional<int64_t> place = normalizeAxis(axis, rank);
    check.that("(C2)", place && !llvm::is_contained(front, *place),
               "different axes in [" + Twine(-rank) + ", " + Twine(rank) + ")",
               Twine(axis));
    if (failed(check))
      return failure();
    front.push_back(*place);
  }
  return std::optional(std::move(front));
}

LogicalResult SqueezeOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  if (!shape.hasShape(in.getData()))
    return success();
  DimsExpr dims = shape.getDims(in.getData()), rest;
  if (!in.getAxes()) {
    for (IndexExpr dim : dims) {
      if (dim.getBounds().contains(1) && !dim.isLiteral())
        return success(); // Whether the axis stays depends on its size.
      if (!dim.isLiteral(1))
        rest.push_back(dim);
    }
    shape.setOutputDims(std::move(rest));
    return success();
  }
  auto axes = readAxes(shape, in.getAxes(), dims.size());
  if (failed(axes))
    return failure();
  if (!*axes) {
    std::optional<int64_t> count =
        shape.getBuilder().getArraySize(in.getAxes());
    if (count && *count <= int64_t(dims.size()))
      shape.setOutputDims(shape.getQuestionmarks(dims.size() - *count));
    return success();
  }
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (!llvm::is_contained(**axes, int64_t(i))) {
      rest.push_back(dim);
      continue;
    }
    if (failed(Check(*this).that("(C2)", !dim.isLiteral() || dim.isLiteral(1),
                                 "axis " + Twine(i) + " to have size 1",
                                 Twine(dim.getShape()))) ||
        failed(shape.expectEqual(dim, 1, "a squeezed axis and 1")))
      return failure();
  }
  shape.setOutputDims(std::move(rest));
  return success();
}

std::optional<DimsExpr> SqueezeOp::computeEntries(ShapeHelper &shape,
                                                  unsigned) {
  return entriesOf(shape, getData());
}

LogicalResult UnsqueezeOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  std::optional<int64_t> count = shape.getBuilder().getArraySize(in.getAxes());
  if (!shape.hasShape(in.getData()) || !count)
    return success();
  DimsExpr dims = shape.getDims(in.getData());
  int64_t rank = dims.size() + *count;
  auto axes = readAxes(shape, in.getAxes(), rank);
  if (failed(axes))
    return failure();
  if (!*axes) {
    shape.setOutputDims(shape.getQuestionmarks(rank));
    return success();
  }
  llvm::sort(**axes);
  for (int64_t axis : **axes)
    dims.insert(dims.begin() + axis, IndexExpr(1));
  shape.setOutputDims(std::move(dims));
  return success();
}

std::optional<DimsExpr> UnsqueezeOp::computeEntries(ShapeHelper &shape,
                                                    unsigned) {
  return entriesOf(shape, getData());
}
