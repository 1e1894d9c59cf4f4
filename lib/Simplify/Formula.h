// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators as formulas. Rules that say one operator by others would be long lists of
// operators, each with a look at whether it could be made. Here they read as what they
// compute:
//
//   Expression x(op.getX(), rewriting);
//   return rewriting.tryReplace(op, x / (1 + abs(x)));
//
// A number is a scalar constant, of the type of what stands beside it. An expression is null
// where an operator cannot be made, because operands contradict each other, a type is not
// known or the model's opset is too old; then all that is made of it is null, so that only
// the end needs a look.
#ifndef INVAR_LIB_SIMPLIFY_FORMULA_H
#define INVAR_LIB_SIMPLIFY_FORMULA_H

#include "invar/Elements/DataType.h"
#include "invar/Simplify/Rule.h"

namespace invar {

class Expression {
public:
  /// Null.
  Expression() = default;
  Expression(mlir::Value value, Rewriting &rewriting)
      : value(value), rewriting(value ? &rewriting : nullptr) {}
  Expression(double number) : number(number) {}

  explicit operator bool() const { return value != nullptr; }
  operator mlir::Value() const { return value; }
  Rewriting &getRewriting() const { return *rewriting; }

  /// None where it is not known.
  std::optional<DataType> getType() const;
  std::optional<int64_t> getRank() const;
  /// The size of an axis, if it is a known number.
  std::optional<int64_t> getSize(int64_t axis) const;

  /// A number as a constant of the type of `like`; a tensor is what it is.
  Expression as(Expression like) const;

  /// An operator of expressions, and of what else its builder takes. Null if one of them
  /// is.
  template <typename Op, typename... Args>
  static Expression make(Rewriting *rewriting, const Args &...args) {
    if (!rewriting || rewriting->getOpset() < firstOpset ||
        (isNull(args) || ...))
      return {};
    return {rewriting->make<Op>(unwrap(args)...), *rewriting};
  }
  template <typename Op> static Expression make(Expression a) {
    return make<Op>(a.rewriting, a);
  }
  template <typename Op> static Expression make(Expression a, Expression b) {
    a = a.as(b);
    b = b.as(a);
    return make<Op>(a.rewriting, a, b);
  }
  /// The same of operators that take any number of operands.
  template <typename Op>
  static Expression makeVariadic(Expression a, Expression b) {
    a = a.as(b);
    b = b.as(a);
    if (!a || !b)
      return {};
    return make<Op>(a.rewriting, mlir::ValueRange({a.value, b.value}));
  }

private:
  /// Where all operators broadcast as numpy does, and Where exists.
  static constexpr int64_t firstOpset = 9;

  static bool isNull(const Expression &operand) { return !operand.value; }
  template <typename T> static bool isNull(const T &) { return false; }
  static mlir::Value unwrap(const Expression &operand) { return operand.value; }
  template <typename T> static const T &unwrap(const T &other) { return other; }

  mlir::Value value;
  Rewriting *rewriting = nullptr;
  std::optional<double> number;
};

//===-- Numbers ---------------------------------------------------------------===//

Expression operator+(Expression a, Expression b);
Expression operator-(Expression a, Expression b);
Expression operator*(Expression a, Expression b);
Expression operator/(Expression a, Expression b);
Expression operator-(Expression x);
Expression operator<(Expression a, Expression b);
Expression abs(Expression x);
Expression cos(Expression x);
Expression equal(Expression a, Expression b);
Expression erf(Expression x);
Expression exp(Expression x);
Expression log(Expression x);
Expression maximum(Expression a, Expression b);
Expression minimum(Expression a, Expression b);
Expression round(Expression x);
Expression sigmoid(Expression x);
Expression sqrt(Expression x);
Expression tanh(Expression x);
Expression where(Expression condition, Expression a, Expression b);
/// The term itself if it has the type.
Expression cast(Expression x, DataType type);
Expression cast(Expression x, std::optional<DataType> type);
/// The type to compute in where the standard asks for `stash`: never a narrower one.
std::optional<DataType> widen(std::optional<DataType> type, DataType stash);

//===-- Axes ------------------------------------------------------------------===//

template <typename Op>
Expression reduce(Expression x, llvm::ArrayRef<int64_t> axes,
                  bool keepsAxes = true) {
  if (!x)
    return {};
  mlir::OpBuilder &builder = x.getRewriting().getBuilder();
  return Expression::make<Op>(
      &x.getRewriting(), x, x.getRewriting().makeInts(axes),
      keepsAxes ? mlir::IntegerAttr() : builder.getI64IntegerAttr(0),
      mlir::IntegerAttr());
}
/// The same over all axes.
template <typename Op> Expression reduceAll(Expression x) {
  if (!x)
    return {};
  mlir::OpBuilder &builder = x.getRewriting().getBuilder();
  return Expression::make<Op>(&x.getRewriting(), x, mlir::Value(),
                              builder.getI64IntegerAttr(0),
                              mlir::IntegerAttr());
}

Expression ints(llvm::ArrayRef<int64_t> numbers, Rewriting &rewriting);
Expression concat(llvm::ArrayRef<Expression> parts, int64_t axis);
/// 0, 1, 2, ... up to a size that has no axes.
Expression countTo(Expression size);
Expression gather(Expression x, Expression indices, int64_t axis);
Expression reshape(Expression x, Expression shape);
Expression reshape(Expression x, llvm::ArrayRef<int64_t> shape);
Expression shapeOf(Expression x);
/// Elements from `start` to `end` of an axis; `end` may be too big.
Expression slice(Expression x, int64_t axis, int64_t start, int64_t end,
                 int64_t step = 1);
Expression squeeze(Expression x, llvm::ArrayRef<int64_t> axes);
/// The term itself where the order is as it is.
Expression transpose(Expression x, llvm::ArrayRef<int64_t> order);
Expression unsqueeze(Expression x, llvm::ArrayRef<int64_t> axes);

/// One of the sizes that a shape is put together of: a number as long as it is known.
class Size {
public:
  Size(int64_t number) : number(number) {}
  /// Of an axis.
  Size(Expression x, int64_t axis);
  /// Of the axis at its own place, in what is reshaped.
  static Size copied() {
    Size size = Expression();
    size.isCopy = true;
    return size;
  }

  friend Size operator*(Size a, Size b);
  /// Where nothing is left over.
  friend Size operator/(Size a, int64_t number);
  friend Size operator+(Size a, int64_t number);

  bool isCopied() const { return isCopy; }
  std::optional<int64_t> getNumber() const { return number; }
  /// A vector of one element.
  Expression get(Rewriting &rewriting) const;
  /// The element itself.
  Expression getScalar(Rewriting &rewriting) const;

private:
  Size(Expression term) : term(term) {}

  std::optional<int64_t> number;
  Expression term;
  bool isCopy = false;
};

Expression reshapeTo(Expression x, llvm::ArrayRef<Size> sizes);
/// A vector of sizes, none of which is copied.
Expression shapeFrom(llvm::ArrayRef<Size> sizes, Rewriting &rewriting);

//===-- Rules -----------------------------------------------------------------===//

/// Whether an operator has this result, and something uses it.
bool isUsed(mlir::Value result);
/// Puts expressions in the place of an operator's results; those that are not used need none.
/// Fails where another is null.
llvm::LogicalResult
replaceAll(llvm::ArrayRef<std::pair<mlir::Value, Expression>> results,
           Rewriting &rewriting);

} // namespace invar

#endif // INVAR_LIB_SIMPLIFY_FORMULA_H
