// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A symbolic expression as a sum of terms, for computations on the terms.
#ifndef INVAR_LIB_INDEXEXPR_POLYNOMIAL_H
#define INVAR_LIB_INDEXEXPR_POLYNOMIAL_H

#include "invar/IndexExpr/Symbolic.h"

namespace invar {

/// A factor or a product of factors, and its coefficient, which is never 0.
struct Term {
  Symbolic monomial;
  int64_t coefficient;
};

struct Polynomial {
  int64_t constant = 0;
  /// Sorted by the identity of their monomials, which are unique.
  llvm::SmallVector<Term, 4> terms;

  /// Sorts and merges terms after they were appended. Returns false on overflow.
  bool normalize();
  /// The greatest common divisor of the coefficients; 1 without terms.
  int64_t getContent() const;
};

/// `expr` must not be undefined.
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

/// Whether the first coefficient is negative. This holds for exactly one of x and -x.
bool leadsNegative(Symbolic expr);

/// Bounds that are wide enough for intermediate results.
struct WideBounds {
  __int128 least, most;

  WideBounds(__int128 least, __int128 most) : least(least), most(most) {}
  WideBounds(Bounds bounds) : least(bounds.least), most(bounds.most) {}
  WideBounds operator+(WideBounds other) const;
  WideBounds operator*(WideBounds other) const;
  /// Clamps to 64 bits, because every value of a program fits into them.
  Bounds narrow() const;
};

} // namespace invar

#endif // INVAR_LIB_INDEXEXPR_POLYNOMIAL_H
