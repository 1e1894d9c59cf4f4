// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lets rules write operators as formulas. Rules that express one operator by others
// would otherwise be long lists of operators, each with a check for failure. With this
// header they read like the formula:
//
//   Expression x(op.getX(), rewriting);
//   return rewriting.tryReplace(op, x / (1 + abs(x)));
//
// A number becomes a scalar constant with the type of the other operand. An expression
// is null if an operator cannot be made: because operands contradict each other, a type
// is unknown, or the model's opset is too old. Every expression with a null operand is
// null too, so only the final result needs a check.
#ifndef INVAR_LIB_SIMPLIFY_FORMULA_H
#define INVAR_LIB_SIMPLIFY_FORMULA_H

#include "invar/Elements/DataType.h"
#include "invar/Simplify/Rule.h"

namespace invar {

class Expression {
public:
  /// A null expression.
  Expression() = default;
  Expression(mlir::Value value, Rewriting &rewriting)
      : value(value), rewriting(value ? &rewriting : nullptr) {}
  Expression(double number) : number(number) {}

  explicit operator bool() const { return value != nullptr; }
  operator mlir::Value() const { return value; }
  Rewriting &getRewriting() const { return *rewriting; }

  /// None if it is unknown.
  std::optional<DataType> getType() const;
  std::optional<int64_t> getRank() const;
  /// The size of an axis; none if it is not a number at compile time.
  std::optional<int64_t> getSize(int64_t axis) const;

  /// Converts a number to a constant of the type of `like`. Returns a tensor unchanged.
  Expression as(Expression like) const;

  /// Creates an operator from expressions and other builder arguments. Null if an
  /// argument is a null expression.
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
  /// The same for operators with any number of operands.
  template <typename Op>
  static Expression makeVariadic(Expression a, Expression b) {
    a = a.as(b);
    b = b.as(a);
    if (!a || !b)
      return {};
    return make<Op>(a.rewriting, mlir::ValueRange({a.value, b.value}));
  }

private:
  /// The first opset in which all operators broadcast as in NumPy, and Where exists.
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
/// Returns `x` itself if it has the type.
Expression cast(Expression x, DataType type);
Expression cast(Expression x, std::optional<DataType> type);
/// The type to compute in if the standard requires `stash`; never narrower than `type`.
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
/// Reduces all axes.
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
/// 0, 1, 2, ..., size - 1; `size` must be a scalar.
Expression countTo(Expression size);
Expression gather(Expression x, Expression indices, int64_t axis);
Expression reshape(Expression x, Expression shape);
Expression reshape(Expression x, llvm::ArrayRef<int64_t> shape);
Expression shapeOf(Expression x);
/// Elements from `start` to `end` of an axis; `end` may exceed its size.
Expression slice(Expression x, int64_t axis, int64_t start, int64_t end,
                 int64_t step = 1);
Expression squeeze(Expression x, llvm::ArrayRef<int64_t> axes);
/// Returns `x` itself if the order is the identity.
Expression transpose(Expression x, llvm::ArrayRef<int64_t> order);
Expression unsqueeze(Expression x, llvm::ArrayRef<int64_t> axes);

/// A size in a shape that is being built: a number if known, otherwise a computed term.
class Size {
public:
  Size(int64_t number) : number(number) {}
  /// The size of an axis of `x`.
  Size(Expression x, int64_t axis);
  /// The size of the axis at the same position in the tensor that is reshaped.
  static Size copied() {
    Size size = Expression();
    size.isCopy = true;
    return size;
  }

  friend Size operator*(Size a, Size b);
  /// The size must be a multiple of `number`.
  friend Size operator/(Size a, int64_t number);
  friend Size operator+(Size a, int64_t number);

  bool isCopied() const { return isCopy; }
  std::optional<int64_t> getNumber() const { return number; }
  /// As a vector of one element.
  Expression get(Rewriting &rewriting) const;
  /// As a scalar.
  Expression getScalar(Rewriting &rewriting) const;

private:
  Size(Expression term) : term(term) {}

  std::optional<int64_t> number;
  Expression term;
  bool isCopy = false;
};

Expression reshapeTo(Expression x, llvm::ArrayRef<Size> sizes);
/// A vector of sizes, none of which may be copied().
Expression shapeFrom(llvm::ArrayRef<Size> sizes, Rewriting &rewriting);

//===-- Rules -----------------------------------------------------------------===//

/// Whether an operator has this optional result, and the result is used.
bool isUsed(mlir::Value result);
/// Replaces results by expressions. The expressions of unused results may be null;
/// fails if another one is null.
llvm::LogicalResult
replaceAll(llvm::ArrayRef<std::pair<mlir::Value, Expression>> results,
           Rewriting &rewriting);

} // namespace invar

#endif // INVAR_LIB_SIMPLIFY_FORMULA_H
