// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A symbolic expression taken apart into a sum of terms, to be worked on and put
// together again.
#ifndef INVAR_LIB_INDEXEXPR_POLYNOMIAL_H
#define INVAR_LIB_INDEXEXPR_POLYNOMIAL_H

#include "invar/IndexExpr/Symbolic.h"

namespace invar {

/// A factor, or a product of factors, and how often it is there: never 0 times.
struct Term {
  Symbolic monomial;
  int64_t coefficient;
};

struct Polynomial {
  int64_t constant = 0;
  /// By the identity of their monomials, none twice.
  llvm::SmallVector<Term, 4> terms;

  /// Brings terms that were just put together into order; false on overflow.
  bool normalize();
  /// The greatest common divisor of the coefficients; 1 without terms.
  int64_t getContent() const;
};

/// Expressions but undefined ones have this form.
Polynomial toPolynomial(Symbolic expr);

/// None on overflow.
std::optional<Polynomial> operator+(const Polynomial &left,
                                    const Polynomial &right);
std::optional<Polynomial> operator*(const Polynomial &polynomial,
                                    int64_t factor);

/// The factors of a monomial, in order.
llvm::ArrayRef<Symbolic> factorsOf(const Symbolic &monomial);

inline bool byId(Symbolic left, Symbolic right) {
  return left->getId() < right->getId();
}

/// Whether the first coefficient is negative: of x and -x, one does.
bool leadsNegative(Symbolic expr);

/// Bounds wide enough to calculate in.
struct WideBounds {
  __int128 least, most;

  WideBounds(__int128 least, __int128 most) : least(least), most(most) {}
  WideBounds(Bounds bounds) : least(bounds.least), most(bounds.most) {}
  WideBounds operator+(WideBounds other) const;
  WideBounds operator*(WideBounds other) const;
  /// A value that a program has is within 64 bits.
  Bounds narrow() const;
};

} // namespace invar

#endif // INVAR_LIB_INDEXEXPR_POLYNOMIAL_H
