// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes formulas that work on both scalars and vectors.
//
//   Formula f(builder, op.getType());        // f32 or vector<16xf32>
//   Value y = f.fma(x, f.number(0.5), f.number(1));
//
// Invariant: all values of a formula have the shape of its type. Their elements are f32,
// or f64, i32 or i64 if a function's name says so.
#ifndef INVAR_LIB_CODEGEN_FORMULA_H
#define INVAR_LIB_CODEGEN_FORMULA_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace invar {

class Formula {
public:
  using Value = mlir::Value;

  Formula(mlir::ImplicitLocOpBuilder &builder, mlir::Type type)
      : b(builder), type(type) {}

  mlir::ImplicitLocOpBuilder &getBuilder() { return b; }

  /// The formula's type with other elements.
  mlir::Type getType(mlir::Type element) const;

  Value number(double value);
  Value wideNumber(double value);
  Value integer(int32_t value);
  Value wideInteger(int64_t value);

  // Floats of either width.
  Value add(Value lhs, Value rhs);
  Value sub(Value lhs, Value rhs);
  Value mul(Value lhs, Value rhs);
  Value div(Value lhs, Value rhs);
  /// lhs * rhs + sum, rounded once.
  Value fma(Value lhs, Value rhs, Value sum);
  Value neg(Value value);
  Value abs(Value value);
  Value copySign(Value value, Value sign);
  /// c[0] + c[1] x + c[2] x² + …, all of the width of x.
  Value polynomial(Value x, llvm::ArrayRef<double> coefficients);
  Value compare(mlir::arith::CmpFPredicate predicate, Value lhs, Value rhs);
  /// The larger one; NaN if `value` is NaN.
  Value atLeast(Value value, Value bound);
  Value atMost(Value value, Value bound);

  // Integers of either width.
  Value addInt(Value lhs, Value rhs);
  Value subInt(Value lhs, Value rhs);
  Value shiftLeft(Value value, Value by);
  Value shiftRight(Value value, Value by);
  Value bitAnd(Value lhs, Value rhs);
  Value bitOr(Value lhs, Value rhs);
  Value compareInt(mlir::arith::CmpIPredicate predicate, Value lhs, Value rhs);

  Value select(Value condition, Value yes, Value no);
  /// The bits of a float as an integer of its width, and back.
  Value toBits(Value value);
  Value fromBits(Value bits);
  /// Converts f32 to f64, and back.
  Value toWide(Value value);
  Value toNarrow(Value value);
  Value toFloat(Value integer);

private:
  Value constant(mlir::TypedAttr attribute);

  mlir::ImplicitLocOpBuilder &b;
  mlir::Type type;
};

} // namespace invar

#endif // INVAR_LIB_CODEGEN_FORMULA_H
