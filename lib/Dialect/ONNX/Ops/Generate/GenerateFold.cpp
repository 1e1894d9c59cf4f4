// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "GenerateFormulas.h"
#include "invar/Dialect/ONNX/Movement.h"
#include "invar/Dialect/ONNX/Ops/Generate.h"
#include "invar/Elements/IR/LazyElementsAttr.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;
using llvm::Expected;

static Expected<Elements> getFilling(ConstantOfShapeOp op, Folding &fold) {
  if (!op.getValueAttr())
    return makeZero(fold, DataType::Float32);
  FailureOr<Elements> value = elements::toElements(op.getValueAttr());
  if (failed(value))
    return notFolded("its value is not there");
  return fold.getBuilder().reshape(*value, {});
}

FoldResult ConstantOfShapeOp::computeValues(Folding &fold) {
  Expected<Shape> to = fold.getShape();
  Expected<Elements> value = getFilling(*this, fold);
  if (!to || !value)
    return llvm::joinErrors(to.takeError(), value.takeError());
  return fold.getBuilder().expand(*value, *to);
}

FoldResult EyeLikeOp::computeValues(Folding &fold) {
  const ElementsBuilder &builder = fold.getBuilder();
  ArrayRef<int64_t> shape = fold.get(getInput()).getShape();
  auto rows = countUp(fold, shape[0]), columns = countUp(fold, shape[1]);
  if (!rows || !columns)
    return llvm::joinErrors(rows.takeError(), columns.takeError());
  auto column = builder.reshape(*rows, {shape[0], 1});
  if (!column)
    return column;
  auto ones =
      fold.apply(formula::IsOnDiagonal{{}, getK()}, {*column, *columns});
  return ones ? builder.cast(*ones, fold.getType()) : std::move(ones);
}

/// Returns the type in which indices of a type are compared exactly.
static DataType getIndexType(DataType type) {
  switch (getKind(type)) {
  case NumberKind::Float:
    return DataType::Float64;
  case NumberKind::Unsigned:
    return DataType::UInt64;
  default:
    return DataType::Int64;
  }
}

/// Returns a line of the new axis for each index, true at the index.
static Expected<Elements> markIndices(Folding &fold, const Elements &indices,
                                      size_t axis, int64_t depth) {
  const ElementsBuilder &builder = fold.getBuilder();
  DataType type = getIndexType(indices.getType());
  Shape withAxis(indices.getShape()), line(indices.getRank() - axis + 1, 1);
  withAxis.insert(withAxis.begin() + axis, 1);
  line.front() = depth;
  auto counted = countUp(fold, depth);
  if (!counted)
    return counted;
  auto count = builder.fromArray<DataType::Int64>({}, depth);
  auto convert = [&](llvm::Expected<Elements> x) -> Expected<Elements> {
    return x ? builder.cast(*x, type) : std::move(x);
  };
  auto places = convert(builder.reshape(*counted, line));
  auto number = convert(builder.reshape(indices, withAxis));
  auto size = convert(std::move(count));
  if (!places || !number || !size)
    return llvm::joinErrors(
        size.takeError(),
        llvm::joinErrors(places.takeError(), number.takeError()));
  return fold.apply(formula::IsIndexOf(), {*number, *places, *size});
}

FoldResult OneHotOp::computeValues(Folding &fold) {
  const Elements &indices = fold.get(getIndices());
  Expected<Shape> to = fold.getShape();
  if (!to)
    return to.takeError();
  std::optional<int64_t> axis = normalizeAxis(getAxis(), to->size());
  if (!axis)
    return notFolded("expected an axis of " + Twine(to->size()) + ", but got " +
                     Twine(getAxis()));
  auto isThere = markIndices(fold, indices, size_t(*axis), (*to)[*axis]);
  auto off = sliceAlong(fold, fold.get(getValues()), 0, 0, 1);
  auto on = sliceAlong(fold, fold.get(getValues()), 0, 1, 1);
  if (!isThere || !off || !on)
    return llvm::joinErrors(isThere.takeError(),
                            llvm::joinErrors(off.takeError(), on.takeError()));
  return choose(fold, *isThere, *on, *off);
}

/// Entry i is start + i * delta, rounded once, as in the reference implementation.
/// Runtimes that add delta repeatedly differ from it in the last bits.
FoldResult RangeOp::computeValues(Folding &fold) {
  const ElementsBuilder &builder = fold.getBuilder();
  Expected<Shape> to = fold.getShape();
  if (!to)
    return to.takeError();
  DataType work = getIndexType(fold.getType());
  auto number = [&](const Elements &x) -> Expected<Elements> {
    Expected<Elements> scalar = builder.reshape(x, {});
    return scalar ? builder.cast(*scalar, work) : std::move(scalar);
  };
  auto count = countUp(fold, to->front());
  auto start = number(fold.get(getStart())),
       delta = number(fold.get(getDelta()));
  if (!count || !start || !delta)
    return llvm::joinErrors(
        count.takeError(),
        llvm::joinErrors(start.takeError(), delta.takeError()));
  auto places = builder.cast(*count, work);
  if (!places)
    return places;
  auto numbers = fold.apply(formula::Progression(), {*start, *delta, *places});
  return numbers ? builder.cast(*numbers, fold.getType()) : std::move(numbers);
}
