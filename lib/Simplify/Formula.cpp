// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Formula.h"

#include "Rules.h"
#include "invar/Dialect/ONNX/Ops/Activation.h"
#include "invar/Dialect/ONNX/Ops/Arithmetic.h"
#include "invar/Dialect/ONNX/Ops/Cast.h"
#include "invar/Dialect/ONNX/Ops/Compare.h"
#include "invar/Dialect/ONNX/Ops/Concat.h"
#include "invar/Dialect/ONNX/Ops/Gather.h"
#include "invar/Dialect/ONNX/Ops/Generate.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "invar/Dialect/ONNX/Ops/Slice.h"
#include "invar/Dialect/ONNX/Ops/Transpose.h"
#include "invar/Dialect/ONNX/Ops/Trigonometry.h"
#include "invar/Elements/IR/DataTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

std::optional<DataType> Expression::getType() const {
  return value ? elements::toDataType(getElementTypeOrSelf(value.getType()))
               : std::nullopt;
}

std::optional<int64_t> Expression::getRank() const {
  return value ? invar::getRank(value) : std::nullopt;
}

std::optional<int64_t> Expression::getSize(int64_t axis) const {
  auto type = value ? dyn_cast<RankedTensorType>(value.getType()) : nullptr;
  if (!type || axis >= type.getRank() || type.isDynamicDim(axis))
    return std::nullopt;
  return type.getDimSize(axis);
}

Expression Expression::as(Expression like) const {
  std::optional<DataType> type = like.getType();
  if (value || !number || !like)
    return *this;
  if (!type || !isNumeric(*type))
    return {};
  WideNum wide = getKind(*type) == NumberKind::Float
                     ? WideNum::ofDouble(*number)
                     : WideNum::ofInt(int64_t(*number));
  // A scalar always fits.
  Elements content = llvm::cantFail(ElementsBuilder().splat(*type, {}, wide));
  return {like.rewriting->makeConstant(std::move(content)), *like.rewriting};
}

//===-- Numbers ---------------------------------------------------------------===//

Expression invar::operator+(Expression a, Expression b) {
  return Expression::make<AddOp>(a, b);
}
Expression invar::operator-(Expression a, Expression b) {
  return Expression::make<SubOp>(a, b);
}
Expression invar::operator*(Expression a, Expression b) {
  return Expression::make<MulOp>(a, b);
}
Expression invar::operator/(Expression a, Expression b) {
  return Expression::make<DivOp>(a, b);
}
Expression invar::operator-(Expression x) { return Expression::make<NegOp>(x); }
Expression invar::operator<(Expression a, Expression b) {
  return Expression::make<LessOp>(a, b);
}
Expression invar::abs(Expression x) { return Expression::make<AbsOp>(x); }
Expression invar::cos(Expression x) { return Expression::make<CosOp>(x); }
Expression invar::equal(Expression a, Expression b) {
  return Expression::make<EqualOp>(a, b);
}
Expression invar::erf(Expression x) { return Expression::make<ErfOp>(x); }
Expression invar::exp(Expression x) { return Expression::make<ExpOp>(x); }
Expression invar::log(Expression x) { return Expression::make<LogOp>(x); }
Expression invar::round(Expression x) { return Expression::make<RoundOp>(x); }
Expression invar::sigmoid(Expression x) {
  return Expression::make<SigmoidOp>(x);
}
Expression invar::sqrt(Expression x) { return Expression::make<SqrtOp>(x); }
Expression invar::tanh(Expression x) { return Expression::make<TanhOp>(x); }

Expression invar::maximum(Expression a, Expression b) {
  return Expression::makeVariadic<MaxOp>(a, b);
}
Expression invar::minimum(Expression a, Expression b) {
  return Expression::makeVariadic<MinOp>(a, b);
}

Expression invar::where(Expression condition, Expression a, Expression b) {
  a = a.as(b);
  b = b.as(a);
  return condition ? Expression::make<WhereOp>(&condition.getRewriting(),
                                               condition, a, b)
                   : Expression();
}

Expression invar::cast(Expression x, DataType type) {
  if (!x || x.getType() == type)
    return x;
  return Expression::make<CastOp>(
      &x.getRewriting(), x, StringAttr(), IntegerAttr(),
      x.getRewriting().getBuilder().getI64IntegerAttr(int64_t(type)));
}

Expression invar::cast(Expression x, std::optional<DataType> type) {
  return type ? cast(x, *type) : Expression();
}

std::optional<DataType> invar::widen(std::optional<DataType> type,
                                     DataType stash) {
  return type && getBitWidth(*type) < getBitWidth(stash) ? stash : type;
}

//===-- Axes ------------------------------------------------------------------===//

Expression invar::ints(ArrayRef<int64_t> numbers, Rewriting &rewriting) {
  return {rewriting.makeInts(numbers), rewriting};
}

Expression invar::concat(ArrayRef<Expression> parts, int64_t axis) {
  if (!llvm::all_of(parts, [](const Expression &part) { return bool(part); }))
    return {};
  Rewriting &rewriting = parts.front().getRewriting();
  SmallVector<Value> values(parts.begin(), parts.end());
  return Expression::make<ConcatOp>(
      &rewriting, ValueRange(values),
      rewriting.getBuilder().getI64IntegerAttr(axis));
}

Expression invar::countTo(Expression size) {
  return size ? Expression::make<RangeOp>(&size.getRewriting(),
                                          Expression(0).as(size), size,
                                          Expression(1).as(size), IntegerAttr())
              : Expression();
}

Expression invar::gather(Expression x, Expression indices, int64_t axis) {
  if (!x)
    return {};
  return Expression::make<GatherOp>(
      &x.getRewriting(), x, indices,
      x.getRewriting().getBuilder().getI64IntegerAttr(axis));
}

Expression invar::reshape(Expression x, Expression shape) {
  return x ? Expression::make<ReshapeOp>(&x.getRewriting(), x, shape,
                                         IntegerAttr())
           : Expression();
}

Expression invar::reshape(Expression x, ArrayRef<int64_t> shape) {
  return x ? reshape(x, ints(shape, x.getRewriting())) : Expression();
}

Expression invar::shapeOf(Expression x) {
  return x ? Expression::make<ShapeOp>(&x.getRewriting(), x, IntegerAttr(),
                                       IntegerAttr())
           : Expression();
}

Expression invar::slice(Expression x, int64_t axis, int64_t start, int64_t end,
                        int64_t step) {
  if (!x)
    return {};
  Rewriting &rewriting = x.getRewriting();
  return Expression::make<SliceOp>(
      &rewriting, x, rewriting.makeInts(start), rewriting.makeInts(end),
      rewriting.makeInts(axis), step == 1 ? Value() : rewriting.makeInts(step));
}

Expression invar::squeeze(Expression x, ArrayRef<int64_t> axes) {
  if (!x || axes.empty())
    return x;
  return Expression::make<SqueezeOp>(&x.getRewriting(), x,
                                     x.getRewriting().makeInts(axes));
}

Expression invar::transpose(Expression x, ArrayRef<int64_t> order) {
  if (!x || llvm::equal(order, llvm::seq<int64_t>(0, order.size())))
    return x;
  return Expression::make<TransposeOp>(
      &x.getRewriting(), x,
      x.getRewriting().getBuilder().getDenseI64ArrayAttr(order));
}

Expression invar::unsqueeze(Expression x, ArrayRef<int64_t> axes) {
  if (!x || axes.empty())
    return x;
  return Expression::make<UnsqueezeOp>(&x.getRewriting(), x,
                                       x.getRewriting().makeInts(axes));
}

//===-- Sizes -----------------------------------------------------------------===//

Size::Size(Expression x, int64_t axis) : number(x.getSize(axis)) {
  if (!x || number)
    return;
  Builder &builder = x.getRewriting().getBuilder();
  term = Expression::make<ShapeOp>(&x.getRewriting(), x,
                                   builder.getI64IntegerAttr(axis + 1),
                                   builder.getI64IntegerAttr(axis));
}

Expression Size::get(Rewriting &rewriting) const {
  return number ? ints(*number, rewriting) : term;
}

Expression Size::getScalar(Rewriting &rewriting) const {
  if (!number)
    return squeeze(term, 0);
  // A scalar always fits.
  return {rewriting.makeConstant(llvm::cantFail(
              ElementsBuilder().splat<DataType::Int64>({}, *number))),
          rewriting};
}

Size invar::operator*(Size a, Size b) {
  if (a.number == 1)
    return b;
  if (b.number == 1)
    return a;
  if (int64_t product;
      a.number && b.number && !llvm::MulOverflow(*a.number, *b.number, product))
    return product;
  Expression term = a.term ? a.term : b.term;
  if (!term)
    return Expression();
  return a.get(term.getRewriting()) * b.get(term.getRewriting());
}

Size invar::operator/(Size a, int64_t number) {
  if (a.number)
    return *a.number / number;
  return a.term ? a.term / ints(number, a.term.getRewriting()) : Expression();
}

Size invar::operator+(Size a, int64_t number) {
  if (int64_t sum; a.number && !llvm::AddOverflow(*a.number, number, sum))
    return sum;
  return a.term ? a.term + ints(number, a.term.getRewriting()) : Expression();
}

Expression invar::reshapeTo(Expression x, ArrayRef<Size> sizes) {
  if (!x)
    return {};
  Rewriting &rewriting = x.getRewriting();
  // A target of 0 copies a size; with `allowzero`, since opset 14, it is an empty axis.
  // Use `allowzero` if a size that is not copied is 0 or unknown. Older opsets assume
  // that computed sizes are greater than 0.
  bool saysAll =
      rewriting.getOpset() >= 14 && llvm::any_of(sizes, [](const Size &size) {
        return !size.isCopied() && size.getNumber().value_or(0) == 0;
      });
  SmallVector<Size> all(sizes);
  for (auto [place, size] : llvm::enumerate(all))
    if (size.isCopied())
      size = saysAll ? Size(x, int64_t(place)) : 0;
  return Expression::make<ReshapeOp>(
      &rewriting, x, shapeFrom(all, rewriting),
      saysAll ? rewriting.getBuilder().getI64IntegerAttr(1) : IntegerAttr());
}

Expression invar::shapeFrom(ArrayRef<Size> sizes, Rewriting &rewriting) {
  SmallVector<Expression> parts;
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

LogicalResult invar::replaceAll(ArrayRef<std::pair<Value, Expression>> results,
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
