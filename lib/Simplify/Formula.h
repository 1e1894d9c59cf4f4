// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators as formulas. Rules that say one operator by others would be long lists of
// operators, each with a look at whether it could be made. Here they read as what they
// compute:
//
//   Term x(op.getX(), rewriting);
//   return rewriting.tryReplace(op, x / (1 + abs(x)));
//
// A number is a scalar constant, of the type of what stands beside it. A term is null where
// an operator cannot be made, because operands contradict each other, a type is not known
// or the model's opset is too old; then all that is made of it is null, so that only the end
// needs a look.
#ifndef INVAR_LIB_SIMPLIFY_FORMULA_H
#define INVAR_LIB_SIMPLIFY_FORMULA_H

#include "invar/Elements/DataType.h"
#include "invar/Simplify/Rule.h"

namespace invar {

class Term {
public:
  /// Null.
  Term() = default;
  Term(mlir::Value value, Rewriting &rewriting)
      : value(value), rewriting(value ? &rewriting : nullptr) {}
  Term(double number) : number(number) {}

  explicit operator bool() const { return value != nullptr; }
  operator mlir::Value() const { return value; }
  Rewriting &getRewriting() const { return *rewriting; }

  /// None where it is not known.
  std::optional<DataType> getType() const;
  std::optional<int64_t> getRank() const;
  /// The size of an axis, if it is a known number.
  std::optional<int64_t> getSize(int64_t axis) const;

  /// A number as a constant of the type of `like`; a tensor is what it is.
  Term as(Term like) const;

  /// An operator of operands that are terms, and of what else its builder takes. Null if
  /// one of the terms is.
  template <typename Op, typename... Args>
  static Term make(Rewriting *rewriting, const Args &...args) {
    if (!rewriting || rewriting->getOpset() < firstOpset ||
        (isNull(args) || ...))
      return {};
    return {rewriting->make<Op>(unwrap(args)...), *rewriting};
  }
  template <typename Op> static Term make(Term a) {
    return make<Op>(a.rewriting, a);
  }
  template <typename Op> static Term make(Term a, Term b) {
    a = a.as(b);
    b = b.as(a);
    return make<Op>(a.rewriting, a, b);
  }
  /// The same of operators that take any number of operands.
  template <typename Op> static Term makeVariadic(Term a, Term b) {
    a = a.as(b);
    b = b.as(a);
    if (!a || !b)
      return {};
    return make<Op>(a.rewriting, mlir::ValueRange({a.value, b.value}));
  }

private:
  /// Where all operators broadcast as numpy does, and Where exists.
  static constexpr int64_t firstOpset = 9;

  static bool isNull(const Term &term) { return !term.value; }
  template <typename T> static bool isNull(const T &) { return false; }
  static mlir::Value unwrap(const Term &term) { return term.value; }
  template <typename T> static const T &unwrap(const T &other) { return other; }

  mlir::Value value;
  Rewriting *rewriting = nullptr;
  double number = 0;
};

//===-- Numbers ---------------------------------------------------------------===//

Term operator+(Term a, Term b);
Term operator-(Term a, Term b);
Term operator*(Term a, Term b);
Term operator/(Term a, Term b);
Term operator-(Term x);
Term operator<(Term a, Term b);
Term abs(Term x);
Term cos(Term x);
Term equal(Term a, Term b);
Term erf(Term x);
Term exp(Term x);
Term log(Term x);
Term maximum(Term a, Term b);
Term minimum(Term a, Term b);
Term round(Term x);
Term sigmoid(Term x);
Term sqrt(Term x);
Term tanh(Term x);
Term where(Term condition, Term a, Term b);
/// The term itself if it has the type.
Term cast(Term x, DataType type);
Term cast(Term x, std::optional<DataType> type);
/// The type to compute in where the standard asks for `stash`: never a narrower one.
std::optional<DataType> widen(std::optional<DataType> type, DataType stash);

//===-- Axes ------------------------------------------------------------------===//

template <typename Op>
Term reduce(Term x, llvm::ArrayRef<int64_t> axes, bool keepsAxes = true) {
  if (!x)
    return {};
  mlir::OpBuilder &builder = x.getRewriting().getBuilder();
  return Term::make<Op>(&x.getRewriting(), x, x.getRewriting().makeInts(axes),
                        keepsAxes ? mlir::IntegerAttr()
                                  : builder.getI64IntegerAttr(0),
                        mlir::IntegerAttr());
}
/// The same over all axes.
template <typename Op> Term reduceAll(Term x) {
  if (!x)
    return {};
  mlir::OpBuilder &builder = x.getRewriting().getBuilder();
  return Term::make<Op>(&x.getRewriting(), x, mlir::Value(),
                        builder.getI64IntegerAttr(0), mlir::IntegerAttr());
}

Term ints(llvm::ArrayRef<int64_t> numbers, Rewriting &rewriting);
Term concat(llvm::ArrayRef<Term> parts, int64_t axis);
Term gather(Term x, Term indices, int64_t axis);
Term reshape(Term x, Term shape);
Term reshape(Term x, llvm::ArrayRef<int64_t> shape);
Term shapeOf(Term x);
/// Elements from `start` to `end` of an axis; `end` may be too big.
Term slice(Term x, int64_t axis, int64_t start, int64_t end, int64_t step = 1);
Term squeeze(Term x, llvm::ArrayRef<int64_t> axes);
/// The term itself where the order is as it is.
Term transpose(Term x, llvm::ArrayRef<int64_t> order);
Term unsqueeze(Term x, llvm::ArrayRef<int64_t> axes);

/// One of the sizes that a shape is put together of: a number as long as it is known.
class Size {
public:
  Size(int64_t number) : number(number) {}
  /// Of an axis.
  Size(Term x, int64_t axis);
  /// Of the axis at its own place, in what is reshaped.
  static Size copied() {
    Size size = Term();
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
  Term get(Rewriting &rewriting) const;

private:
  Size(Term term) : term(term) {}

  std::optional<int64_t> number;
  Term term;
  bool isCopy = false;
};

Term reshapeTo(Term x, llvm::ArrayRef<Size> sizes);
/// A vector of sizes, none of which is copied.
Term shapeFrom(llvm::ArrayRef<Size> sizes, Rewriting &rewriting);

//===-- Rules -----------------------------------------------------------------===//

/// Whether an operator has this result, and something uses it.
bool isUsed(mlir::Value result);
/// Puts terms in the place of an operator's results; those that are not used need none.
/// Fails where another is null.
llvm::LogicalResult
replaceAll(llvm::ArrayRef<std::pair<mlir::Value, Term>> results,
           Rewriting &rewriting);

} // namespace invar

#endif // INVAR_LIB_SIMPLIFY_FORMULA_H
