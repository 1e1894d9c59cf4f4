// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads formulas from operators, independent of how they are written.
//
// Exporters write one formula in many ways. All of these are a Gelu:
//
//   0.5 * x * (1 + Erf(x / 1.41421))
//   x * (0.5 + 0.5 * Erf(x * 0.70710))
//   (x * (Erf(x / 1.41421) + 1)) / 2
//
// Read as a product, each of them has the factors 0.5, x and a gate. The gate is k +
// k*e, and the argument of Erf is 0.70710*x. Rules compare these, not operators.
//
// An operator inside of a formula must have no other user; otherwise it would have to
// stay.
#ifndef INVAR_LIB_SIMPLIFY_READFORMULA_H
#define INVAR_LIB_SIMPLIFY_READFORMULA_H

#include "invar/Simplify/Rule.h"
#include <array>

namespace invar {

/// Whether a value has a float type for which every engine computes activations.
bool isOfUsualFloats(mlir::Value value);

/// Whether a number, stored in the type of `like`, is the wanted one. Tolerates a few
/// roundings: constants may be products of others, or written with six digits.
bool isNear(double number, double wanted, mlir::Value like);

/// The number of a constant of one element that broadcasts to `other` without changing
/// its shape.
std::optional<double> getNumber(mlir::Value constant, mlir::Value other,
                                const Rewriting &rewriting);

/// Creates a constant with one number, of the element type of `like`; null if that is
/// unknown.
mlir::Value makeSplat(mlir::Value like, llvm::ArrayRef<int64_t> shape,
                      double number, Rewriting &rewriting);

/// The other operand of a commutative operator that has this number as an operand; null
/// if there is none.
template <typename Op>
mlir::Value getBeside(double number, mlir::Value value,
                      const Rewriting &rewriting) {
  auto op = value.getDefiningOp<Op>();
  if (!op)
    return {};
  mlir::Value a = op->getOperand(0), b = op->getOperand(1);
  if (getNumber(b, a, rewriting) == number)
    return a;
  return getNumber(a, b, rewriting) == number ? b : mlir::Value();
}

/// A product of values and a number.
struct Factors {
  double number = 1;
  llvm::SmallVector<mlir::Value, 2> values;
};
/// The factors of a Mul, a Neg, or a Div by a number.
Factors getFactors(mlir::Operation *op, const Rewriting &rewriting);

/// A polynomial: the coefficients of 1, x, x^2 and x^3.
using Cubic = std::array<double, 4>;
/// The polynomial in `x` that a value computes; none if it has other terms.
std::optional<Cubic> getCubic(mlir::Value value, mlir::Value x,
                              const Rewriting &rewriting);
bool isNear(const Cubic &cubic, const Cubic &wanted, mlir::Value like);
/// Reads a value as slope*x + start.
struct Line {
  mlir::Value x;
  double slope, start;
};
std::optional<Line> getLine(mlir::Value value, const Rewriting &rewriting);

} // namespace invar

#endif // INVAR_LIB_SIMPLIFY_READFORMULA_H
