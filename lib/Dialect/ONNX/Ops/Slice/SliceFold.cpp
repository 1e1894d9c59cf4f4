// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SliceFormulas.h"
#include "invar/Dialect/ONNX/Movement.h"
#include "invar/Dialect/ONNX/Ops/Slice.h"
#include "invar/Kernels/Unique.h"
#include "invar/Stop/Scope.h"

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

/// An optional axis: without it, all axes are flattened into one.
static llvm::Expected<std::pair<Elements, int64_t>>
alongAxis(Folding &fold, const Elements &x, std::optional<int64_t> axis) {
  if (std::optional<int64_t> front =
          normalizeAxis(axis.value_or(0), x.getRank());
      axis && front)
    return std::pair(x, *front);
  llvm::Expected<Elements> flat = fold.getBuilder().reshape(x, x.numElements());
  if (!flat)
    return flat.takeError();
  return std::pair(std::move(*flat), int64_t(0));
}

FoldResult CompressOp::computeValues(Folding &fold) {
  auto along = alongAxis(fold, fold.get(getInput()), getAxis());
  auto condition = fold.read<bool>(getCondition());
  if (!along || !condition)
    return llvm::joinErrors(along.takeError(), condition.takeError());
  auto &[x, axis] = *along;
  std::vector<int64_t> places;
  for (auto [i, isChosen] :
       llvm::enumerate(condition->get().take_front(size_t(x.getShape()[axis]))))
    if (isChosen)
      places.push_back(int64_t(i));
  return pickAlong(fold, x, axis, std::move(places));
}

/// Returns for each element whether it is not zero or not empty.
static llvm::Expected<Elements> areNotZero(Folding &fold, const Elements &x) {
  if (isNumeric(x.getType()))
    return fold.getBuilder().cast(x, DataType::Bool);
  return dispatch(x.getType(), [&](auto tag) {
    constexpr DataType type = decltype(tag)::type;
    auto isNotZero = ElementwiseFunction::typed<DataType::Bool, type>(
        "NonZero", [](LaneOf<type> lane) { return lane != LaneOf<type>(); });
    return fold.getBuilder().transform(isNotZero, x);
  });
}

FoldResult NonZeroOp::computeValues(Folding &fold) {
  const Elements &x = fold.get(getX());
  auto truths = areNotZero(fold, x);
  if (!truths)
    return truths;
  auto read = fold.read<bool>(*truths);
  if (!read)
    return read.takeError();
  // A scalar counts as a vector.
  Shape sizes(x.getShape());
  if (sizes.empty())
    sizes.push_back(1);
  size_t found = size_t(llvm::count(*read, true)), column = 0;
  std::vector<int64_t> indices(sizes.size() * found);
  for (auto [i, isFound] : llvm::enumerate(*read)) {
    if (!isFound)
      continue;
    int64_t rest = int64_t(i);
    for (size_t axis = sizes.size(); axis-- > 0; rest /= sizes[axis])
      indices[axis * found + column] = rest % sizes[axis];
    ++column;
  }
  return fold.make<int64_t>({int64_t(sizes.size()), int64_t(found)}, indices);
}

/// Finds the distinct rows among `count` rows of `x`. Elements are compared as numbers
/// of type T; an element consists of `width` of them.
template <typename T, typename Lane = T>
static llvm::Expected<int64_t> findDistinct(Folding &fold, const Elements &x,
                                            int64_t count, bool sorted,
                                            const kernels::Distinct &result) {
  auto elements = fold.read<Lane>(x);
  if (!elements)
    return elements.takeError();
  int64_t width = sizeof(Lane) / sizeof(T);
  int64_t length = count ? x.numElements() / count * width : 0;
  return kernels::findDistinct(reinterpret_cast<const T *>(elements->begin()),
                               length, sorted, result);
}

static llvm::Expected<int64_t>
findDistinctStrings(Folding &fold, const Elements &x, int64_t count,
                    bool sorted, const kernels::Distinct &result) {
  auto elements = fold.read<StringRef>(x);
  if (!elements)
    return elements.takeError();
  std::vector<std::string_view> strings(elements->begin(), elements->end());
  return kernels::findDistinct(
      strings.data(), count ? x.numElements() / count : 0, sorted, result);
}

/// The same for any type; complex numbers are compared by the real part first.
static llvm::Expected<int64_t> findDistinctOf(Folding &fold, const Elements &x,
                                              int64_t count, bool sorted,
                                              const kernels::Distinct &result) {
  switch (getKind(x.getType())) {
  case NumberKind::Float:
    return findDistinct<double>(fold, x, count, sorted, result);
  case NumberKind::Signed:
    return findDistinct<int64_t>(fold, x, count, sorted, result);
  case NumberKind::Complex:
    return x.getType() == DataType::Complex64
               ? findDistinct<float, std::complex<float>>(fold, x, count,
                                                          sorted, result)
               : findDistinct<double, std::complex<double>>(fold, x, count,
                                                            sorted, result);
  case NumberKind::String:
    return findDistinctStrings(fold, x, count, sorted, result);
  default:
    return findDistinct<uint64_t>(fold, x, count, sorted, result);
  }
}

FoldResult UniqueOp::computeValues(Folding &fold) {
  auto along = alongAxis(fold, fold.get(getX()), getAxis());
  if (!along)
    return along.takeError();
  auto &[x, axis] = *along;
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq(x.getRank()));
  std::rotate(order.begin(), order.begin() + axis, order.begin() + axis + 1);
  auto rows = fold.getBuilder().transpose(x, order);
  if (!rows)
    return rows;
  int64_t count = x.getShape()[axis];
  if (llvm::Error error = fold.checkWork(count))
    return error;
  std::vector<int64_t> firsts(size_t(count), 0), counts(firsts),
      inverses(firsts), scratch(firsts);
  auto found = findDistinctOf(fold, *rows, count, getSorted() != 0,
                              {firsts, counts, inverses, scratch});
  if (!found)
    return found.takeError();
  if (StopScope::isDue())
    return notFolded("the work was stopped");
  firsts.resize(size_t(*found));
  counts.resize(size_t(*found));

  auto distinct = pickAlong(fold, x, axis, firsts);
  if (!distinct)
    return distinct;
  FoldResult::Values values{std::move(*distinct)};
  std::pair<Value, ArrayRef<int64_t>> others[] = {
      {getIndices(), firsts},
      {getInverseIndices(), inverses},
      {getCounts(), counts}};
  for (auto [result, numbers] : others) {
    if (!result)
      continue;
    auto made = fold.make<int64_t>(int64_t(numbers.size()), numbers,
                                   unsigned(values.size()));
    if (!made)
      return made;
    values.push_back(std::move(*made));
  }
  return values;
}
