// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formulas that operators compute, whatever way they are written.
//
// Exporters write one formula in many ways. All of these are a Gelu:
//
//   0.5 * x * (1 + Erf(x / 1.41421))
//   x * (0.5 + 0.5 * Erf(x * 0.70710))
//   (x * (Erf(x / 1.41421) + 1)) / 2
//
// Read as a product they are all 0.5, x and a gate, the gate is k + k*e, and the argument of
// Erf is 0.70710*x. Rules compare these, not operators.
//
// What is inside of a formula has no other user: else it would have to stay.
#ifndef INVAR_LIB_SIMPLIFY_READFORMULA_H
#define INVAR_LIB_SIMPLIFY_READFORMULA_H

#include "invar/Simplify/Rule.h"
#include <array>

namespace invar {

/// Whether a value is of floats that every engine computes activations of.
bool isOfUsualFloats(mlir::Value value);

/// Whether a number that is stored in the type of `like` is the wanted one. A few
/// roundings are forgiven: constants are products of others, or written with six digits.
bool isNear(double number, double wanted, mlir::Value like);

/// The number that a constant is to every element of `other`, whose shape it does not change.
std::optional<double> getNumber(mlir::Value constant, mlir::Value other,
                                const Rewriting &rewriting);

/// A constant of one number, of the element type of `like`; null if that is not known.
mlir::Value makeSplat(mlir::Value like, llvm::ArrayRef<int64_t> shape,
                      double number, Rewriting &rewriting);

/// The operand of a commutative operator beside this number; null if there is none.
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
/// What a Mul, or a Div by a number, is the product of.
Factors getFactors(mlir::Operation *op, const Rewriting &rewriting);

/// A polynomial: the coefficients of 1, x, x^2 and x^3.
using Cubic = std::array<double, 4>;
/// What a value computes of `x`; none if that has other terms.
std::optional<Cubic> getCubic(mlir::Value value, mlir::Value x,
                              const Rewriting &rewriting);
bool isNear(const Cubic &cubic, const Cubic &wanted, mlir::Value like);
/// Whether a value is a*x + b, and of which x.
struct Line {
  mlir::Value x;
  double slope, start;
};
std::optional<Line> getLine(mlir::Value value, const Rewriting &rewriting);

} // namespace invar

#endif // INVAR_LIB_SIMPLIFY_READFORMULA_H
