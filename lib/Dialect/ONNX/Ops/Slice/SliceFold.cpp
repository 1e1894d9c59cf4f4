// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SliceFormulas.h"
#include "invar/Dialect/ONNX/FoldCall.h"
#include "invar/Dialect/ONNX/Movement.h"
#include "invar/Dialect/ONNX/Ops/Slice.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- By places -------------------------------------------------------------===//

FoldResult CenterCropPadOp::computeValues(Folding &fold) {
  Elements x = fold.get(getInputData());
  llvm::Expected<Shape> to = fold.getShape();
  llvm::Expected<Elements> zero = makeZero(fold, x.getType());
  if (!to || !zero)
    return llvm::joinErrors(to.takeError(), zero.takeError());
  // If the difference is odd, one more element is after the centre than before it.
  for (auto [axis, size] : llvm::enumerate(*to)) {
    int64_t more = size - x.getShape()[axis], before = std::abs(more) / 2;
    if (more == 0)
      continue;
    auto fitted = more < 0
                      ? sliceAlong(fold, x, axis, before, size)
                      : padAlong(fold, x, axis, before, more - before, *zero);
    if (!fitted)
      return fitted;
    x = std::move(*fitted);
  }
  return x;
}

FoldResult SliceOp::computeValues(Folding &fold) {
  ShapeHelper shape = fold.getShapeHelper();
  auto parts = getParts(shape);
  if (failed(parts) || !*parts)
    return notFolded("its axes are unknown");
  Shape starts, sizes, steps;
  for (const Part &part : **parts) {
    if (!part.start.isLiteral() || !part.size.isLiteral() ||
        !part.step.isLiteral())
      return notFolded("its parts are unknown");
    starts.push_back(part.start.getLiteral());
    sizes.push_back(part.size.getLiteral());
    steps.push_back(part.step.getLiteral());
  }
  return fold.getBuilder().slice(fold.get(getData()), starts, sizes, steps);
}

FoldResult SplitOp::computeValues(Folding &fold) {
  const Elements &x = fold.get(getInput());
  ShapeHelper shape = fold.getShapeHelper();
  std::optional<int64_t> axis = normalizeAxis(getAxis(), x.getRank());
  if (!axis)
    return notFolded("expected an axis of " + Twine(x.getRank()) +
                     ", but got " + Twine(getAxis()));
  FoldResult::Values parts;
  int64_t start = 0;
  for (IndexExpr size : getSizes(shape)) {
    if (!size.isLiteral())
      return notFolded("the sizes of its parts are unknown");
    auto part = sliceAlong(fold, x, *axis, start, size.getLiteral());
    if (!part)
      return part;
    parts.push_back(std::move(*part));
    start += size.getLiteral();
  }
  return parts;
}

FoldResult TriluOp::computeValues(Folding &fold) {
  const Elements &x = fold.get(getInput());
  int64_t height = x.getShape().drop_back().back(), width = x.getShape().back();
  auto k = fold.readScalar<int64_t>(getK());
  auto rows = countUp(fold, height), columns = countUp(fold, width);
  auto zero = makeZero(fold, x.getType());
  if (!k || !rows || !columns || !zero)
    return llvm::joinErrors(
        llvm::joinErrors(k.takeError(), zero.takeError()),
        llvm::joinErrors(rows.takeError(), columns.takeError()));
  auto column = fold.getBuilder().reshape(*rows, {height, 1});
  if (!column)
    return column;
  // Beyond the corners the triangle is everything or nothing, at any distance.
  formula::IsInTriangle isInside{
      {}, std::clamp(*k, -height, width), getUpper()};
  auto inside = fold.apply(isInside, {*column, *columns});
  return inside ? choose(fold, *inside, x, *zero) : std::move(inside);
}

//===-- By content ------------------------------------------------------------===//

FoldResult CompressOp::computeValues(Folding &fold) {
  return foldByCall(fold, describePlainCall(*this), Floats::AsTheyAre);
}

FoldResult NonZeroOp::computeValues(Folding &fold) {
  return foldByCall(fold, describePlainCall(*this), Floats::AsTheyAre);
}

FoldResult UniqueOp::computeValues(Folding &fold) {
  return foldByCall(*this, fold, Floats::AsTheyAre);
}
