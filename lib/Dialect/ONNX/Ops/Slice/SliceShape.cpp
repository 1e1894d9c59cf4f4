// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shapes of the family: parts by position, and parts by content of the data.
#include "invar/Dialect/ONNX/Ops/Slice.h"

#include "invar/Dialect/ONNX/Ops/Generate.h"
#include "invar/Dialect/ONNX/Shapes.h"
#include "invar/Dialect/ONNX/Verify.h"
#include "llvm/ADT/SmallSet.h"
#include <numeric>

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

LogicalResult CenterCropPadOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  if (!shape.hasShape(in.getInputData()))
    return success();
  DimsExpr dims = shape.getDims(in.getInputData());
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(dims.size()));
  if (lengthOf(getAxes()))
    axes.assign(getAxes()->begin(), getAxes()->end());
  auto sizes =
      shape.getBuilder().getIntsFromArrayAsSymbols(in.getShape(), axes.size());
  if (!sizes)
    return success();
  for (auto [axis, size] : llvm::zip_equal(axes, *sizes)) {
    // A scalar has no axis, although lists of axes may treat it as a vector.
    std::optional<int64_t> front = normalizeAxis(axis, dims.size());
    if (!front)
      return success();
    dims[*front] = size;
  }
  shape.setOutputDims(std::move(dims));
  return success();
}

//===-- Sizes that depend on data ---------------------------------------------===//

/// Returns `entry != 0` for all entries of a vector; empty if they are unknown. No code
/// is emitted for them, because it would be as long as the data. So when emitting code,
/// the vector must be a constant.
static std::optional<DimsExpr> areNotZero(ShapeHelper &shape, Value vector) {
  IndexExprBuilder &builder = shape.getBuilder();
  if (shape.getScope().canEmit() && !builder.getIntsFromArrayAsLiterals(vector))
    return std::nullopt;
  std::optional<DimsExpr> entries = builder.getIntsFromArrayAsSymbols(vector);
  if (entries)
    for (IndexExpr &entry : *entries)
      entry = entry != 0;
  return entries;
}

static IndexExpr sum(ArrayRef<IndexExpr> terms) {
  return std::accumulate(terms.begin(), terms.end(), IndexExpr(0),
                         std::plus<>());
}

/// Returns for each index of the condition whether it exists and is chosen.
static std::optional<DimsExpr> getChoices(CompressOp op, ShapeHelper &shape,
                                          IndexExpr size) {
  auto choices = areNotZero(shape, shape.operandsOf(op).getCondition());
  if (choices)
    for (auto [i, choice] : llvm::enumerate(*choices))
      choice = choice & (IndexExpr(i) < size);
  return choices;
}

LogicalResult CompressOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  if (!shape.hasShape(in.getInput())) {
    if (!getAxis())
      shape.setOutputDims({shape.getQuestionmark()});
    return success();
  }
  DimsExpr dims = shape.getDims(in.getInput());
  std::optional<int64_t> axis =
      normalizeAxis(getAxis().value_or(0), dims.size());
  if (!getAxis() || !axis) {
    dims = {shape.getBuilder().getNumElements(in.getInput())};
    axis = 0;
  }
  auto choices = getChoices(*this, shape, dims[*axis]);
  dims[*axis] = choices ? sum(*choices) : shape.getQuestionmark();
  shape.setOutputDims(std::move(dims));
  return success();
}

std::optional<DimsExpr> CompressOp::computeEntries(ShapeHelper &shape,
                                                   unsigned) {
  auto entries = shape.getBuilder().getIntsFromArrayAsSymbols(getInput());
  if (!entries)
    return std::nullopt;
  auto choices = getChoices(*this, shape, entries->size());
  if (!choices)
    return std::nullopt;
  DimsExpr chosen;
  for (auto [i, choice] : llvm::enumerate(*choices)) {
    if (!choice.isLiteral())
      return std::nullopt;
    if (!choice.isLiteral(0))
      chosen.push_back((*entries)[i]);
  }
  return chosen;
}

/// Whether a tensor of one repeated value is zero; empty if the value is not a number.
static std::optional<bool> isOfZeros(ConstantOfShapeOp op) {
  ElementsAttr value = op.getValueAttr();
  if (!value)
    return true;
  if (std::optional<int64_t> integer = readInt(value, 0))
    return *integer == 0;
  if (auto floats = value.tryGetValues<APFloat>())
    return (*floats)[0].isZero();
  return std::nullopt;
}

LogicalResult NonZeroOp::computeShape(ShapeHelper &shape) {
  Value data = shape.operandsOf(*this).getX();
  std::optional<int64_t> rank = shape.getRank(data);
  if (!rank) {
    shape.setOutputDims(shape.getQuestionmarks(2));
    return success();
  }
  IndexExpr found = shape.getQuestionmark();
  // Some exporters count by taking the indices of a tensor of ones.
  if (auto filled = getX().getDefiningOp<ConstantOfShapeOp>();
      filled && isOfZeros(filled))
    found = *isOfZeros(filled) ? 0 : shape.getBuilder().getNumElements(data);
  else if (auto truths = areNotZero(shape, data))
    found = sum(*truths);
  shape.setOutputDims({std::max<int64_t>(*rank, 1), found});
  return success();
}

LogicalResult UniqueOp::computeShape(ShapeHelper &shape) {
  Value data = shape.operandsOf(*this).getX();
  IndexExpr found = shape.getQuestionmark(), from = shape.getQuestionmark();
  if (!getAxis())
    shape.setOutputDims({found});
  if (std::optional<int64_t> rank = shape.getRank(data)) {
    std::optional<int64_t> axis = normalizeAxis(getAxis().value_or(0), *rank);
    if (getAxis() && axis) {
      DimsExpr dims = shape.getDims(data);
      from = std::exchange(dims[*axis], found);
      shape.setOutputDims(std::move(dims));
    } else if (!getAxis()) {
      from = shape.getBuilder().getNumElements(data);
    }
  }
  shape.setDimsOf(getIndices(), {found});
  shape.setDimsOf(getInverseIndices(), {from});
  shape.setDimsOf(getCounts(), {found});
  return success();
}

//===-- Slice -----------------------------------------------------------------===//

/// Whether a position means the end of the axis. Exporters also use 32-bit limits for
/// this, so an open size is assumed to be smaller.
static bool isFar(IndexExpr place, IndexExpr size) {
  constexpr int64_t far = INT32_MAX - 1;
  return place.isLiteral() && !size.isLiteral() &&
         (place.getLiteral() >= far || place.getLiteral() <= -far);
}

/// Returns a position on an axis, counted from its end if negative, clamped to [0, most].
static IndexExpr limit(IndexExpr place, IndexExpr size, IndexExpr most) {
  if (isFar(place, size))
    return place.getLiteral() < 0 ? IndexExpr(0) : most;
  return IndexExpr::select(place < 0, IndexExpr::max(place + size, 0),
                           IndexExpr::min(place, most));
}

/// Returns the number of positions from `start` to `end`; `first` and `last` are the
/// same after clamping.
static IndexExpr measure(IndexExpr size, IndexExpr start, IndexExpr end,
                         IndexExpr first, IndexExpr last) {
  if (first.isKnownEqual(size))
    return 0;
  if (first.isLiteral(0) || last.isKnownEqual(size))
    return last - first;
  // With `start` counted from the front and `end` from the back no clamping is needed:
  // on an axis that is too short, they cross.
  if (!size.isLiteral() && !isFar(start, size) && !isFar(end, size) &&
      start.isAtLeast(0) && end.getBounds().most < 0)
    return IndexExpr::max(size + end - start, 0);
  return IndexExpr::max(last - first, 0);
}

static SliceOp::Part cut(IndexExpr size, IndexExpr start, IndexExpr end,
                         IndexExpr step) {
  // The lowest integer cannot be negated; the next one also leads beyond any axis.
  if (step.isLiteral(INT64_MIN))
    step = -INT64_MAX;
  // A negative step is a positive step on the mirrored axis, on which position p is -1
  // - p: a position counted from the front becomes one counted from the back.
  IndexExpr isBackwards = step < 0;
  auto mirror = [&](IndexExpr place) {
    return IndexExpr::select(isBackwards, IndexExpr(-1) - place, place);
  };
  // The largest numbers mean the end in both directions; forwards this needs no special
  // case.
  IndexExpr isToEnd = (end == INT32_MAX) | (end == INT64_MAX);
  if (!end.isLiteral())
    isToEnd = isToEnd & isBackwards;
  start = mirror(start);
  end = IndexExpr::select(isToEnd, INT64_MAX, mirror(end));
  // Backwards, the first position must exist.
  IndexExpr most =
      IndexExpr::select(isBackwards, IndexExpr::max(size - 1, 0), size);
  IndexExpr first = limit(start, size, most), last = limit(end, size, size);
  IndexExpr stride = IndexExpr::select(isBackwards, IndexExpr(0) - step, step);
  // At run time a step may be any number, and the division must not trap or overflow.
  if (!size.isLiteral() || !stride.isLiteral())
    stride = stride.clamp(1, INT32_MAX);
  return {IndexExpr::select(isBackwards, size - 1 - first, first), step,
          measure(size, start, end, first, last).ceilDiv(stride)};
}

/// Returns the parts if the axes are known only at run time: for each axis, tests all
/// entries of the list of axes.
static SmallVector<SliceOp::Part>
cutAnyAxes(ShapeHelper &shape, SliceOp::Adaptor in, int64_t count) {
  IndexExprBuilder &builder = shape.getBuilder();
  DimsExpr sizes = shape.getDims(in.getData());
  int64_t rank = int64_t(sizes.size());
  SmallVector<SliceOp::Part> parts;
  for (auto [axis, size] : llvm::enumerate(sizes)) {
    SliceOp::Part part{0, 1, size};
    for (int64_t i = 0; i < count; ++i) {
      IndexExpr entry = builder.getIntFromArrayAsSymbol(in.getAxes(), i);
      IndexExpr isMeant =
          (entry == int64_t(axis)) | (entry == int64_t(axis) - rank);
      SliceOp::Part own =
          cut(size, builder.getIntFromArrayAsSymbol(in.getStarts(), i),
              builder.getIntFromArrayAsSymbol(in.getEnds(), i),
              builder.getIntFromArrayAsSymbol(in.getSteps(), i, 1));
      part = {IndexExpr::select(isMeant, own.start, part.start),
              IndexExpr::select(isMeant, own.step, part.step),
              IndexExpr::select(isMeant, own.size, part.size)};
    }
    parts.push_back(part);
  }
  return parts;
}

FailureOr<std::optional<SmallVector<SliceOp::Part>>>
SliceOp::getParts(ShapeHelper &shape) {
  using Parts = std::optional<SmallVector<Part>>;
  auto in = shape.operandsOf(*this);
  IndexExprBuilder &builder = shape.getBuilder();
  std::optional<int64_t> rank = shape.getRank(in.getData()), count;
  for (Value list : {in.getStarts(), in.getEnds(), in.getAxes(), in.getSteps()})
    if (!count)
      count = builder.getArraySize(list);
  if (!rank || !count)
    return Parts();
  Check check(*this);
  if (failed(check.that("(C2)", *count <= *rank,
                        "at most " + Twine(*rank) + " axes", Twine(*count))))
    return failure();
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq(*count));
  if (in.getAxes()) {
    auto given = shape::readAxes(shape, in.getAxes(), *rank, "(C2)");
    if (failed(given))
      return failure();
    if (!*given && shape.getScope().canEmit())
      return Parts(cutAnyAxes(shape, in, *count));
    if (!*given)
      return Parts();
    axes = std::move(**given);
  }
  SmallVector<Part> parts;
  for (IndexExpr size : shape.getDims(in.getData()))
    parts.push_back({0, 1, size});
  llvm::SmallSet<int64_t, 8> seen;
  for (auto [i, axis] : llvm::enumerate(axes)) {
    IndexExpr step = builder.getIntFromArrayAsSymbol(in.getSteps(), i, 1);
    check
        .that("(C2)", seen.insert(axis).second, "different axes",
              Twine(axis) + " twice")
        .that("(C3)", !step.isLiteral(0), "steps other than 0", "0");
    parts[axis] = cut(parts[axis].size,
                      builder.getIntFromArrayAsSymbol(in.getStarts(), i),
                      builder.getIntFromArrayAsSymbol(in.getEnds(), i), step);
  }
  if (failed(check))
    return failure();
  return Parts(std::move(parts));
}

LogicalResult SliceOp::computeShape(ShapeHelper &shape) {
  auto parts = getParts(shape);
  if (failed(parts))
    return failure();
  std::optional<int64_t> rank =
      shape.getRank(shape.operandsOf(*this).getData());
  if (*parts)
    shape.setOutputDims(llvm::map_to_vector<4>(
        **parts, [](const Part &part) { return part.size; }));
  else if (rank)
    shape.setOutputDims(shape.getQuestionmarks(*rank));
  return success();
}

std::optional<DimsExpr> SliceOp::computeEntries(ShapeHelper &shape, unsigned) {
  auto entries = shape.getBuilder().getIntsFromArrayAsSymbols(getData());
  auto parts = getParts(shape);
  if (!entries || failed(parts) || !*parts || (*parts)->size() != 1)
    return std::nullopt;
  auto [start, step, size] = (*parts)->front();
  if (!start.isLiteral() || !step.isLiteral() || !size.isLiteral())
    return std::nullopt;
  DimsExpr taken;
  for (int64_t i = 0; i < size.getLiteral(); ++i)
    taken.push_back((*entries)[start.getLiteral() + i * step.getLiteral()]);
  return taken;
}

//===-- Split -----------------------------------------------------------------===//

DimsExpr SplitOp::getSizes(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  int64_t count = getNumResults();
  DimsExpr sizes;
  if (!count)
    return sizes;
  if (in.getSplit()) {
    for (int64_t i = 0; i < count; ++i)
      sizes.push_back(
          shape.getBuilder().getIntFromArrayAsSymbol(in.getSplit(), i));
    return sizes;
  }
  std::optional<int64_t> rank = shape.getRank(in.getInput());
  if (!rank || !normalizeAxis(getAxis(), *rank))
    return shape.getQuestionmarks(count);
  IndexExpr whole = shape.getDim(in.getInput(), getAxis());
  IndexExpr size = whole.ceilDiv(count);
  sizes.assign(count, size);
  sizes.back() = whole - size * (count - 1);
  return sizes;
}

LogicalResult SplitOp::computeShape(ShapeHelper &shape) {
  Value data = shape.operandsOf(*this).getInput();
  std::optional<int64_t> rank = shape.getRank(data);
  std::optional<int64_t> axis =
      rank ? normalizeAxis(getAxis(), *rank) : std::nullopt;
  if (!axis)
    return success();
  DimsExpr sizes = getSizes(shape), dims = shape.getDims(data);
  if (failed(shape::checkSizes(shape, "split", sizes, "(C4)")))
    return failure();
  IndexExpr total = sum(sizes), whole = dims[*axis];
  Check check(*this);
  check.that("(C4)",
             !total.isLiteral() || !whole.isLiteral() ||
                 total.getLiteral() == whole.getLiteral(),
             "parts that add up to " + Twine(whole.getShape()),
             Twine(total.getShape()));
  if (failed(check) ||
      failed(shape.expectEqual(total, whole, "the parts and the whole")))
    return failure();
  for (auto [i, size] : llvm::enumerate(sizes)) {
    dims[*axis] = size;
    shape.setOutputDims(dims, i);
  }
  return success();
}

std::optional<DimsExpr> SplitOp::computeEntries(ShapeHelper &shape,
                                                unsigned result) {
  auto entries = shape.getBuilder().getIntsFromArrayAsSymbols(getInput());
  DimsExpr sizes = getSizes(shape);
  IndexExpr start = sum(ArrayRef(sizes).take_front(result));
  IndexExpr size = sizes[result];
  if (!entries || !start.isLiteral() || !size.isLiteral())
    return std::nullopt;
  return DimsExpr(
      ArrayRef(*entries).slice(start.getLiteral(), size.getLiteral()));
}
