// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Movement.h"
#include "invar/Dialect/ONNX/Ops/Pad.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;
using llvm::Expected;

/// Treats `x` as repeated infinitely along an axis, in both directions, and returns
/// `count` elements starting at position `from`.
static Expected<Elements> cutRepeated(Folding &fold, const Elements &x,
                                      int64_t axis, int64_t from,
                                      int64_t count) {
  int64_t period = x.getShape()[axis];
  int64_t start = (from % period + period) % period;
  int64_t head = std::min(count, (period - start) % period);
  int64_t rest = count - head;
  SmallVector<int64_t> repeats(x.getRank(), 1);
  repeats[axis] = rest / period;
  auto first = sliceAlong(fold, x, axis, start, head);
  auto whole = tile(fold, x, repeats);
  auto last = sliceAlong(fold, x, axis, 0, rest % period);
  if (!first || !whole || !last)
    return llvm::joinErrors(
        first.takeError(),
        llvm::joinErrors(whole.takeError(), last.takeError()));
  return fold.getBuilder().concat({*first, *whole, *last}, axis);
}

/// Repeats the axis followed by its mirror image, in which the two ends occur only once.
static Expected<Elements> reflect(Folding &fold, const Elements &x,
                                  int64_t axis, int64_t from, int64_t count) {
  int64_t size = x.getShape()[axis];
  if (size == 1)
    return cutRepeated(fold, x, axis, from, count);
  auto image = sliceAlong(fold, x, axis, size - 2, size - 2, -1);
  if (!image)
    return image;
  auto both = fold.getBuilder().concat({x, *image}, axis);
  return both ? cutRepeated(fold, *both, axis, from, count) : std::move(both);
}

/// Repeats the first and the last element.
static Expected<Elements> repeatEdges(Folding &fold, const Elements &x,
                                      int64_t axis, int64_t before,
                                      int64_t after) {
  auto edge = [&](int64_t place, int64_t count) -> Expected<Elements> {
    auto slice = sliceAlong(fold, x, axis, place, 1);
    if (!slice)
      return slice;
    Shape shape(x.getShape());
    shape[axis] = count;
    return fold.getBuilder().expand(*slice, shape);
  };
  auto first = edge(0, before), last = edge(x.getShape()[axis] - 1, after);
  if (!first || !last)
    return llvm::joinErrors(first.takeError(), last.takeError());
  return fold.getBuilder().concat({*first, x, *last}, axis);
}

/// Extends one axis of `x` to `count` elements, with a border made of its own elements.
static Expected<Elements> extend(StringRef mode, Folding &fold,
                                 const Elements &x, int64_t axis,
                                 int64_t before, int64_t count) {
  int64_t size = x.getShape()[axis];
  if (size == 0)
    return notFolded("there is nothing to fill the border with");
  if (mode == "edge")
    return repeatEdges(fold, x, axis, before, count - before - size);
  if (mode == "reflect")
    return reflect(fold, x, axis, -before, count);
  return cutRepeated(fold, x, axis, -before, count);
}

static Expected<Elements> getBorderValue(PadOp op, Folding &fold) {
  if (auto given = fold.getOptional(op.getConstantValue()))
    return fold.getBuilder().reshape(*given, {});
  return makeZero(fold, fold.getType());
}

FoldResult PadOp::computeValues(Folding &fold) {
  ShapeHelper shape = fold.getShapeHelper();
  auto borders = getBorders(shape);
  if (failed(borders) || !*borders)
    return notFolded("its borders are unknown");
  Expected<Elements> value = getBorderValue(*this, fold);
  Expected<Shape> to = fold.getShape();
  if (!value || !to)
    return llvm::joinErrors(value.takeError(), to.takeError());
  if (countElements(*to) == 0)
    return fold.getBuilder().expand(*value, *to);
  Elements x = fold.get(getData());
  // Pad the inner axes first, so that each outer border is one piece.
  for (int64_t axis = x.getRank(); axis-- > 0;) {
    IndexExpr begin = (*borders)->begins[axis], end = (*borders)->ends[axis];
    int64_t size = x.getShape()[axis];
    if (!begin.isLiteral() || !end.isLiteral())
      return notFolded("its borders are unknown");
    if (begin.isLiteral(0) && end.isLiteral(0))
      continue;
    // Cropped elements must not be repeated.
    int64_t first = std::min<int64_t>(begin.getLiteral(), 0);
    int64_t last = std::min<int64_t>(end.getLiteral(), 0);
    if (first < -size || last < -size - first)
      return notFolded("it crops more than there is");
    auto rest = sliceAlong(fold, x, axis, -first, size + first + last);
    if (!rest)
      return rest;
    int64_t before = std::max<int64_t>(begin.getLiteral(), 0);
    int64_t after = std::max<int64_t>(end.getLiteral(), 0);
    auto padded =
        getMode() == "constant"
            ? padAlong(fold, *rest, axis, before, after, *value)
            : extend(getMode(), fold, *rest, axis, before, (*to)[axis]);
    if (!padded)
      return padded;
    x = std::move(*padded);
  }
  return x;
}
