// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folds Einsum to views and products of matrices. Operands are multiplied from left to
// right; an axis that neither the result nor a later operand names is summed as soon as
// possible:
//
//   "bij,bjk->bik"   batches of (i) x (j) times (j) x (k)
//   "ij,kj->"        sums over i and over k first, then a row times a column
//   "ij,ij->ij"      no sum, so a formula of two views
//   "ii->"           a view of the diagonal, times ones
#include "../Arithmetic/ArithmeticFormulas.h"
#include "invar/Dialect/ONNX/Equation.h"
#include "invar/Dialect/ONNX/MatrixProduct.h"
#include <map>

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

namespace {
using Axis = EinsumAxis;
using Axes = EinsumAxes;

struct NamedTensor {
  Elements tensor;
  Axes axes;

  bool has(Axis axis) const { return llvm::is_contained(axes, axis); }
};

class Contraction {
public:
  explicit Contraction(Folding &fold)
      : fold(fold), builder(fold.getBuilder()),
        wide(getKind(fold.getType()) == NumberKind::Float ? DataType::Float64
             : getKind(fold.getType()) == NumberKind::Signed
                 ? DataType::Int64
                 : DataType::UInt64) {}

  llvm::Expected<Elements> compute(const EinsumOp::Equation &equation,
                                   ArrayRef<Elements> operands);

private:
  int64_t sizeOf(ArrayRef<Axis> axes) const;
  Shape shapeOf(ArrayRef<Axis> axes) const;
  /// Whether an axis is still needed after operand `number` has been multiplied.
  bool isNeeded(Axis axis, size_t number) const;

  llvm::Error addOperand(const EinsumOp::Term &term, const Elements &operand);
  llvm::Error takeDiagonals(NamedTensor &x);
  llvm::Error dropRepeated(NamedTensor &x);
  /// Returns the tensor with its axes in this order, reshaped to `shape`.
  llvm::Expected<Elements> arrange(const NamedTensor &x, ArrayRef<Axis> order,
                                   ArrayRef<int64_t> shape);
  llvm::Error sumOver(NamedTensor &x, const Axes &axes);
  llvm::Expected<Elements> multiplyElements(const NamedTensor &left,
                                            const NamedTensor &right,
                                            const Axes &batch,
                                            const Axes &ofLeft,
                                            const Axes &ofRight, DataType to);
  llvm::Expected<Elements> multiplyRows(const NamedTensor &left,
                                        const NamedTensor &right,
                                        const Axes &batch, const Axes &ofLeft,
                                        const Axes &summed, const Axes &ofRight,
                                        DataType to);
  /// Multiplies the left by operand `number`.
  llvm::Error join(NamedTensor &left, NamedTensor right, size_t number);

  Folding &fold;
  const ElementsBuilder &builder;
  DataType wide;
  SmallVector<NamedTensor> terms;
  Axes result;
  std::map<Axis, int64_t> sizes;
};
} // namespace

int64_t Contraction::sizeOf(ArrayRef<Axis> axes) const {
  int64_t product = 1;
  for (Axis axis : axes)
    product *= sizes.at(axis);
  return product;
}

Shape Contraction::shapeOf(ArrayRef<Axis> axes) const {
  Shape shape;
  for (Axis axis : axes)
    shape.push_back(sizes.at(axis));
  return shape;
}

bool Contraction::isNeeded(Axis axis, size_t number) const {
  return llvm::is_contained(result, axis) ||
         llvm::any_of(ArrayRef(terms).drop_front(number + 1),
                      [&](const NamedTensor &x) { return x.has(axis); });
}

llvm::Error Contraction::addOperand(const EinsumOp::Term &term,
                                    const Elements &operand) {
  size_t others = operand.getRank() - term.letters.size();
  NamedTensor x{operand, nameAxes(term, others)};
  if (llvm::Error error = takeDiagonals(x))
    return error;
  for (auto [axis, size] : llvm::zip_equal(x.axes, x.tensor.getShape())) {
    auto [it, isNew] = sizes.try_emplace(axis, size);
    if (!isNew && it->second == 1)
      it->second = size;
  }
  terms.push_back(std::move(x));
  return llvm::Error::success();
}

/// Replaces an axis that is named twice by the diagonal: every (n + 1)-th element of a
/// square of n x n elements.
llvm::Error Contraction::takeDiagonals(NamedTensor &x) {
  for (size_t i = 0; i < x.axes.size(); ++i) {
    auto second = std::find(x.axes.begin() + i + 1, x.axes.end(), x.axes[i]);
    if (second == x.axes.end())
      continue;
    size_t k = second - x.axes.begin();
    SmallVector<int64_t> order;
    for (size_t axis = 0; axis < x.axes.size(); ++axis)
      if (axis != i && axis != k)
        order.push_back(int64_t(axis));
    order.append({int64_t(i), int64_t(k)});
    int64_t n = x.tensor.getShape()[i];
    if (llvm::Error error =
            builder.transpose(x.tensor, order).moveInto(x.tensor))
      return error;
    Shape shape(x.tensor.getShape().drop_back());
    shape.back() = n * n; // At most the number of elements.
    if (llvm::Error error = builder.reshape(x.tensor, shape).moveInto(x.tensor))
      return error;
    Shape starts(shape.size(), 0), steps(shape.size(), 1);
    shape.back() = n;
    steps.back() = n + 1;
    if (llvm::Error error =
            builder.slice(x.tensor, starts, shape, steps).moveInto(x.tensor))
      return error;
    Axis name = x.axes[i];
    x.axes.erase(x.axes.begin() + k);
    x.axes.erase(x.axes.begin() + i);
    x.axes.push_back(name);
    --i; // The axis that is now at this index must be checked too.
  }
  return llvm::Error::success();
}

/// Removes axes of size 1 that other operands broadcast.
llvm::Error Contraction::dropRepeated(NamedTensor &x) {
  Axes kept;
  for (auto [axis, size] : llvm::zip_equal(x.axes, x.tensor.getShape()))
    if (size == sizes.at(axis))
      kept.push_back(axis);
  x.axes = std::move(kept);
  return builder.reshape(x.tensor, shapeOf(x.axes)).moveInto(x.tensor);
}

llvm::Expected<Elements> Contraction::arrange(const NamedTensor &x,
                                              ArrayRef<Axis> order,
                                              ArrayRef<int64_t> shape) {
  SmallVector<int64_t> permutation;
  for (Axis axis : order)
    permutation.push_back(llvm::find(x.axes, axis) - x.axes.begin());
  llvm::Expected<Elements> moved = builder.transpose(x.tensor, permutation);
  return moved ? builder.reshape(*moved, shape) : std::move(moved);
}

/// Computes a sum as a product with ones.
llvm::Error Contraction::sumOver(NamedTensor &x, const Axes &axes) {
  if (axes.empty())
    return llvm::Error::success();
  Axes kept;
  for (Axis axis : x.axes)
    if (!llvm::is_contained(axes, axis))
      kept.push_back(axis);
  auto rows = arrange(x, chain({kept, axes}), {sizeOf(kept), sizeOf(axes)});
  bool isFloat = wide == DataType::Float64;
  auto ones = builder.splat(x.tensor.getType(), {sizeOf(axes), 1},
                            isFloat ? WideNum::ofDouble(1) : WideNum::ofInt(1));
  if (!rows || !ones)
    return llvm::joinErrors(rows.takeError(), ones.takeError());
  auto sums = multiplyMatrices(fold, {*rows}, {*ones}, wide);
  if (!sums)
    return sums.takeError();
  x.axes = std::move(kept);
  return builder.reshape(*sums, shapeOf(x.axes)).moveInto(x.tensor);
}

/// Without a sum, each element is a product of elements of views that broadcast.
llvm::Expected<Elements>
Contraction::multiplyElements(const NamedTensor &left, const NamedTensor &right,
                              const Axes &batch, const Axes &ofLeft,
                              const Axes &ofRight, DataType to) {
  Shape leftShape = shapeOf(chain({batch, ofLeft}));
  leftShape.append(ofRight.size(), 1);
  Shape rightShape = shapeOf(batch);
  rightShape.append(ofLeft.size(), 1);
  llvm::append_range(rightShape, shapeOf(ofRight));
  auto a = arrange(left, chain({batch, ofLeft}), leftShape);
  auto b = arrange(right, chain({batch, ofRight}), rightShape);
  if (!a || !b)
    return llvm::joinErrors(a.takeError(), b.takeError());
  auto x = builder.cast(*a, to), y = builder.cast(*b, to);
  if (!x || !y)
    return llvm::joinErrors(x.takeError(), y.takeError());
  return fold.apply(formula::Mul(), {*x, *y});
}

llvm::Expected<Elements> Contraction::multiplyRows(
    const NamedTensor &left, const NamedTensor &right, const Axes &batch,
    const Axes &ofLeft, const Axes &summed, const Axes &ofRight, DataType to) {
  auto a = arrange(left, chain({batch, ofLeft, summed}),
                   {sizeOf(batch), sizeOf(ofLeft), sizeOf(summed)});
  auto b = arrange(right, chain({batch, summed, ofRight}),
                   {sizeOf(batch), sizeOf(summed), sizeOf(ofRight)});
  if (!a || !b)
    return llvm::joinErrors(a.takeError(), b.takeError());
  return multiplyMatrices(fold, {*a}, {*b}, to);
}

llvm::Error Contraction::join(NamedTensor &left, NamedTensor right,
                              size_t number) {
  // Axes that only one operand has and that are no longer needed are summed first.
  Axes batch, summed, ofLeft, ofRight, leftSums, rightSums;
  for (Axis axis : left.axes) {
    bool isCommon = right.has(axis), isKept = isNeeded(axis, number);
    (isCommon ? isKept ? batch : summed
     : isKept ? ofLeft
              : leftSums)
        .push_back(axis);
  }
  for (Axis axis : right.axes)
    if (!left.has(axis))
      (isNeeded(axis, number) ? ofRight : rightSums).push_back(axis);
  if (llvm::Error error = sumOver(left, leftSums))
    return error;
  if (llvm::Error error = sumOver(right, rightSums))
    return error;
  if (left.tensor.getType() != right.tensor.getType())
    for (NamedTensor *x : {&left, &right})
      if (llvm::Error error = builder.cast(x->tensor, wide).moveInto(x->tensor))
        return error;
  // Round only the final product.
  DataType own = left.tensor.getType();
  DataType to = number + 1 == terms.size() ? own : wide;
  llvm::Expected<Elements> product =
      summed.empty()
          ? multiplyElements(left, right, batch, ofLeft, ofRight, to)
          : multiplyRows(left, right, batch, ofLeft, summed, ofRight, to);
  if (!product)
    return product.takeError();
  left.axes = chain({batch, ofLeft, ofRight});
  return builder.reshape(*product, shapeOf(left.axes)).moveInto(left.tensor);
}

llvm::Expected<Elements>
Contraction::compute(const EinsumOp::Equation &equation,
                     ArrayRef<Elements> operands) {
  llvm::Expected<Shape> shape = fold.getShape();
  if (!shape)
    return shape.takeError();
  size_t named = equation.result.letters.size();
  if (shape->size() < named)
    return notFolded("its shape is not known");
  result = nameAxes(equation.result, shape->size() - named);
  for (auto [term, operand] : llvm::zip_equal(equation.operands, operands))
    if (llvm::Error error = addOperand(term, operand))
      return error;
  if (llvm::any_of(sizes, [](auto entry) { return entry.second == 0; }))
    return builder.splat(fold.getType(), *shape, WideNum::ofInt(0));
  for (NamedTensor &x : terms)
    if (llvm::Error error = dropRepeated(x))
      return error;
  NamedTensor total = terms.front();
  for (size_t number = 1; number < terms.size(); ++number)
    if (llvm::Error error = join(total, terms[number], number))
      return error;
  Axes rest;
  for (Axis axis : total.axes)
    if (!llvm::is_contained(result, axis))
      rest.push_back(axis);
  if (llvm::Error error = sumOver(total, rest))
    return error;
  llvm::Expected<Elements> arranged = arrange(total, result, *shape);
  return arranged ? builder.cast(*arranged, fold.getType())
                  : std::move(arranged);
}

FoldResult EinsumOp::computeValues(Folding &fold) {
  FailureOr<Equation> equation = parseEquation();
  if (failed(equation))
    return notFolded("its equation cannot be read");
  return Contraction(fold).compute(*equation, fold.getAll(getInputs()));
}
