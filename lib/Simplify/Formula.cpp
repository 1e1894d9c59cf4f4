// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Formula.h"

#include "Rules.h"
#include "invar/Dialect/ONNX/Ops/Activation.h"
#include "invar/Dialect/ONNX/Ops/Arithmetic.h"
#include "invar/Dialect/ONNX/Ops/Cast.h"
#include "invar/Dialect/ONNX/Ops/Compare.h"
#include "invar/Dialect/ONNX/Ops/Concat.h"
#include "invar/Dialect/ONNX/Ops/Gather.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "invar/Dialect/ONNX/Ops/Slice.h"
#include "invar/Dialect/ONNX/Ops/Transpose.h"
#include "invar/Dialect/ONNX/Ops/Trigonometry.h"
#include "invar/Elements/IR/DataTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

std::optional<DataType> Term::getType() const {
  return value ? elements::toDataType(getElementTypeOrSelf(value.getType()))
               : std::nullopt;
}

std::optional<int64_t> Term::getRank() const {
  return value ? invar::getRank(value) : std::nullopt;
}

std::optional<int64_t> Term::getSize(int64_t axis) const {
  auto type = value ? dyn_cast<RankedTensorType>(value.getType()) : nullptr;
  if (!type || axis >= type.getRank() || type.isDynamicDim(axis))
    return std::nullopt;
  return type.getDimSize(axis);
}

Term Term::as(Term like) const {
  std::optional<DataType> type = like.getType();
  if (value || !like)
    return *this;
  if (!type || !isNumeric(*type))
    return {};
  WideNum wide = getKind(*type) == NumberKind::Float
                     ? WideNum::ofDouble(number)
                     : WideNum::ofInt(int64_t(number));
  // A scalar always fits.
  Elements content = llvm::cantFail(ElementsBuilder().splat(*type, {}, wide));
  return {like.rewriting->makeConstant(std::move(content)), *like.rewriting};
}

//===-- Numbers ---------------------------------------------------------------===//

Term invar::operator+(Term a, Term b) { return Term::make<AddOp>(a, b); }
Term invar::operator-(Term a, Term b) { return Term::make<SubOp>(a, b); }
Term invar::operator*(Term a, Term b) { return Term::make<MulOp>(a, b); }
Term invar::operator/(Term a, Term b) { return Term::make<DivOp>(a, b); }
Term invar::operator-(Term x) { return Term::make<NegOp>(x); }
Term invar::operator<(Term a, Term b) { return Term::make<LessOp>(a, b); }
Term invar::abs(Term x) { return Term::make<AbsOp>(x); }
Term invar::cos(Term x) { return Term::make<CosOp>(x); }
Term invar::equal(Term a, Term b) { return Term::make<EqualOp>(a, b); }
Term invar::erf(Term x) { return Term::make<ErfOp>(x); }
Term invar::exp(Term x) { return Term::make<ExpOp>(x); }
Term invar::log(Term x) { return Term::make<LogOp>(x); }
Term invar::round(Term x) { return Term::make<RoundOp>(x); }
Term invar::sigmoid(Term x) { return Term::make<SigmoidOp>(x); }
Term invar::sqrt(Term x) { return Term::make<SqrtOp>(x); }
Term invar::tanh(Term x) { return Term::make<TanhOp>(x); }

Term invar::maximum(Term a, Term b) { return Term::makeVariadic<MaxOp>(a, b); }
Term invar::minimum(Term a, Term b) { return Term::makeVariadic<MinOp>(a, b); }

Term invar::where(Term condition, Term a, Term b) {
  a = a.as(b);
  b = b.as(a);
  return condition
             ? Term::make<WhereOp>(&condition.getRewriting(), condition, a, b)
             : Term();
}

Term invar::cast(Term x, DataType type) {
  if (!x || x.getType() == type)
    return x;
  return Term::make<CastOp>(
      &x.getRewriting(), x, StringAttr(), IntegerAttr(),
      x.getRewriting().getBuilder().getI64IntegerAttr(int64_t(type)));
}

Term invar::cast(Term x, std::optional<DataType> type) {
  return type ? cast(x, *type) : Term();
}

std::optional<DataType> invar::widen(std::optional<DataType> type,
                                     DataType stash) {
  return type && getBitWidth(*type) < getBitWidth(stash) ? stash : type;
}

//===-- Axes ------------------------------------------------------------------===//

Term invar::ints(ArrayRef<int64_t> numbers, Rewriting &rewriting) {
  return {rewriting.makeInts(numbers), rewriting};
}

Term invar::concat(ArrayRef<Term> parts, int64_t axis) {
  if (!llvm::all_of(parts, [](const Term &part) { return bool(part); }))
    return {};
  Rewriting &rewriting = parts.front().getRewriting();
  SmallVector<Value> values(parts.begin(), parts.end());
  return Term::make<ConcatOp>(&rewriting, ValueRange(values),
                              rewriting.getBuilder().getI64IntegerAttr(axis));
}

Term invar::gather(Term x, Term indices, int64_t axis) {
  if (!x)
    return {};
  return Term::make<GatherOp>(
      &x.getRewriting(), x, indices,
      x.getRewriting().getBuilder().getI64IntegerAttr(axis));
}

Term invar::reshape(Term x, Term shape) {
  return x ? Term::make<ReshapeOp>(&x.getRewriting(), x, shape, IntegerAttr())
           : Term();
}

Term invar::reshape(Term x, ArrayRef<int64_t> shape) {
  return x ? reshape(x, ints(shape, x.getRewriting())) : Term();
}

Term invar::shapeOf(Term x) {
  return x ? Term::make<ShapeOp>(&x.getRewriting(), x, IntegerAttr(),
                                 IntegerAttr())
           : Term();
}

Term invar::slice(Term x, int64_t axis, int64_t start, int64_t end,
                  int64_t step) {
  if (!x)
    return {};
  Rewriting &rewriting = x.getRewriting();
  return Term::make<SliceOp>(&rewriting, x, rewriting.makeInts(start),
                             rewriting.makeInts(end), rewriting.makeInts(axis),
                             step == 1 ? Value() : rewriting.makeInts(step));
}

Term invar::squeeze(Term x, ArrayRef<int64_t> axes) {
  if (!x || axes.empty())
    return x;
  return Term::make<SqueezeOp>(&x.getRewriting(), x,
                               x.getRewriting().makeInts(axes));
}

Term invar::transpose(Term x, ArrayRef<int64_t> order) {
  if (!x || llvm::equal(order, llvm::seq<int64_t>(0, order.size())))
    return x;
  return Term::make<TransposeOp>(
      &x.getRewriting(), x,
      x.getRewriting().getBuilder().getDenseI64ArrayAttr(order));
}

Term invar::unsqueeze(Term x, ArrayRef<int64_t> axes) {
  if (!x || axes.empty())
    return x;
  return Term::make<UnsqueezeOp>(&x.getRewriting(), x,
                                 x.getRewriting().makeInts(axes));
}

//===-- Sizes -----------------------------------------------------------------===//

Size::Size(Term x, int64_t axis) : number(x.getSize(axis)) {
  if (!x || number)
    return;
  Builder &builder = x.getRewriting().getBuilder();
  term = Term::make<ShapeOp>(&x.getRewriting(), x,
                             builder.getI64IntegerAttr(axis + 1),
                             builder.getI64IntegerAttr(axis));
}

Term Size::get(Rewriting &rewriting) const {
  return number ? ints(*number, rewriting) : term;
}

Size invar::operator*(Size a, Size b) {
  if (a.number == 1)
    return b;
  if (b.number == 1)
    return a;
  if (int64_t product;
      a.number && b.number && !llvm::MulOverflow(*a.number, *b.number, product))
    return product;
  Term term = a.term ? a.term : b.term;
  if (!term)
    return Term();
  return a.get(term.getRewriting()) * b.get(term.getRewriting());
}

Size invar::operator/(Size a, int64_t number) {
  if (a.number)
    return *a.number / number;
  return a.term ? a.term / ints(number, a.term.getRewriting()) : Term();
}

Size invar::operator+(Size a, int64_t number) {
  if (int64_t sum; a.number && !llvm::AddOverflow(*a.number, number, sum))
    return sum;
  return a.term ? a.term + ints(number, a.term.getRewriting()) : Term();
}

Term invar::reshapeTo(Term x, ArrayRef<Size> sizes) {
  if (!x)
    return {};
  Rewriting &rewriting = x.getRewriting();
  // A target of 0 copies a size; with `allowzero`, since opset 14, it is an empty axis. Where
  // none is sure to be empty, what is computed is taken for more than 0 in older ones.
  bool saysAll =
      rewriting.getOpset() >= 14 && llvm::any_of(sizes, [](const Size &size) {
        return !size.isCopied() && size.getNumber().value_or(0) == 0;
      });
  SmallVector<Size> all(sizes);
  for (auto [place, size] : llvm::enumerate(all))
    if (size.isCopied())
      size = saysAll ? Size(x, int64_t(place)) : 0;
  return Term::make<ReshapeOp>(
      &rewriting, x, shapeFrom(all, rewriting),
      saysAll ? rewriting.getBuilder().getI64IntegerAttr(1) : IntegerAttr());
}

Term invar::shapeFrom(ArrayRef<Size> sizes, Rewriting &rewriting) {
  SmallVector<Term> parts;
  SmallVector<int64_t> numbers;
  auto flush = [&] {
    if (!numbers.empty())
      parts.push_back(ints(numbers, rewriting));
    numbers.clear();
  };
  for (const Size &size : sizes) {
    if (size.getNumber()) {
      numbers.push_back(*size.getNumber());
      continue;
    }
    flush();
    parts.push_back(size.get(rewriting));
  }
  flush();
  if (parts.empty())
    return ints({}, rewriting);
  return parts.size() == 1 ? parts.front() : concat(parts, /*axis=*/0);
}

//===-- Rules -----------------------------------------------------------------===//

bool invar::isUsed(Value result) { return result && !result.use_empty(); }

LogicalResult invar::replaceAll(ArrayRef<std::pair<Value, Term>> results,
                                Rewriting &rewriting) {
  SmallVector<std::pair<OpResult, Value>> used;
  for (const auto &[result, term] : results) {
    if (!isUsed(result))
      continue;
    if (!term)
      return failure();
    used.push_back({cast<OpResult>(result), term});
  }
  for (auto [result, value] : used)
    rewriting.replace(result, value);
  return success();
}
