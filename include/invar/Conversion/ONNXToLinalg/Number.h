// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers in emitted code. A formula (Elementwise.h) is a template over the type of its
// numbers. With floats it computes; with these numbers it emits arith and math
// operations.
//
//   formula::LeakyRelu relu{{}, 0.1f};
//   relu(2.0f);                          // 2.0
//   relu(Number(builder, loc, x));       // %0 = cmpf, %1 = mulf, %2 = select
//
// A literal, such as T(0.5) in a formula, has no type until it is combined with a
// number that has one. An integer knows whether it is unsigned. Integer operations wrap
// around, and none traps.
#ifndef INVAR_CONVERSION_ONNXTOLINALG_NUMBER_H
#define INVAR_CONVERSION_ONNXTOLINALG_NUMBER_H

#include "mlir/IR/Builders.h"

namespace invar::onnx::scalar {

class Truth;

class Number {
public:
  Number(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
         bool isUnsigned = false)
      : builder(&builder), loc(loc), value(value), unsignedInt(isUnsigned) {}
  /// A literal.
  template <typename T>
    requires std::is_arithmetic_v<T>
  explicit Number(T literal) : literal(static_cast<double>(literal)) {}
  /// A truth as it is stored in memory: a number of type i1.
  explicit Number(Truth truth);

  bool isLiteral() const { return !value; }
  double getLiteral() const { return literal; }
  /// The value; null for a literal.
  mlir::Value getValue() const { return value; }
  mlir::Type getType() const { return value.getType(); }
  bool isFloat() const;
  bool isUnsigned() const { return unsignedInt; }
  mlir::OpBuilder &getBuilder() const { return *builder; }
  mlir::Location getLoc() const { return *loc; }

  /// A literal as a number of the same type as `other`.
  Number like(const Number &other) const;
  /// Converted as the operator Cast does.
  Number castTo(mlir::Type type, bool isUnsigned = false) const;

private:
  mlir::OpBuilder *builder = nullptr;
  std::optional<mlir::Location> loc;
  mlir::Value value;
  double literal = 0;
  bool unsignedInt = false;
};

/// A condition that is true or false at run time.
class Truth {
public:
  Truth(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value)
      : builder(&builder), loc(loc), value(value) {}

  mlir::Value getValue() const { return value; }
  mlir::OpBuilder &getBuilder() const { return *builder; }
  mlir::Location getLoc() const { return loc; }

private:
  mlir::OpBuilder *builder;
  mlir::Location loc;
  mlir::Value value;
};

Number operator+(Number a, Number b);
Number operator-(Number a, Number b);
Number operator*(Number a, Number b);
Number operator/(Number a, Number b);
Number operator-(Number a);
Number operator&(Number a, Number b);
Number operator|(Number a, Number b);
Number operator^(Number a, Number b);
Number operator~(Number a);
/// The negation of a truth in memory.
Number operator!(Number a);

Truth operator<(Number a, Number b);
Truth operator<=(Number a, Number b);
Truth operator>(Number a, Number b);
Truth operator>=(Number a, Number b);
Truth operator==(Number a, Number b);
Truth operator!=(Number a, Number b);

Truth operator&&(Truth a, Truth b);
Truth operator||(Truth a, Truth b);
Truth operator!=(Truth a, Truth b);
Truth operator!(Truth a);
// `a` is known at compile time.
Truth operator&&(bool a, Truth b);

Number select(Truth condition, Number yes, Number no);
Truth isNaN(Number x);
Number maximum(Number a, Number b);
Number minimum(Number a, Number b);
Number divide(Number x, Number y);
Number remainder(Number x, Number y);
Number shiftLeft(Number x, Number y);
Number shiftRight(Number x, Number y);
Number absolute(Number x);
Number pow(Number x, Number y);
Number copySign(Number x, Number y);

Number floor(Number x);
Number ceil(Number x);
Number roundEven(Number x);
Number sqrt(Number x);
Number exp(Number x);
Number expm1(Number x);
Number log(Number x);
Number log1p(Number x);
Number erf(Number x);
Number sin(Number x);
Number cos(Number x);
Number tan(Number x);
Number asin(Number x);
Number acos(Number x);
Number atan(Number x);
Number sinh(Number x);
Number cosh(Number x);
Number tanh(Number x);
Number asinh(Number x);
Number acosh(Number x);
Number atanh(Number x);

} // namespace invar::onnx::scalar

#endif // INVAR_CONVERSION_ONNXTOLINALG_NUMBER_H
