// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Polynomial.h"

#include "llvm/Support/CheckedArithmetic.h"
#include <numeric>

using namespace invar;

Polynomial invar::toPolynomial(Symbolic expr) {
  assert(!expr->isUndefined() && "an undefined expression has no terms");
  if (expr->isConstant())
    return {expr->getConstant(), {}};
  if (expr->getKind() != SymbolicKind::Sum)
    return {0, {{expr, 1}}};
  Polynomial polynomial{expr->getConstant(), {}};
  for (auto [operand, coefficient] :
       llvm::zip(expr->getOperands(), expr->getCoefficients()))
    polynomial.terms.push_back({operand, coefficient});
  return polynomial;
}

bool Polynomial::normalize() {
  llvm::sort(terms, [](const Term &left, const Term &right) {
    return byId(left.monomial, right.monomial);
  });
  llvm::SmallVector<Term, 4> merged;
  for (const Term &term : terms) {
    if (merged.empty() || merged.back().monomial != term.monomial) {
      merged.push_back(term);
      continue;
    }
    auto sum = llvm::checkedAdd(merged.back().coefficient, term.coefficient);
    if (!sum)
      return false;
    merged.back().coefficient = *sum;
  }
  llvm::erase_if(merged, [](const Term &term) { return !term.coefficient; });
  terms = std::move(merged);
  return true;
}

int64_t Polynomial::getContent() const {
  // The magnitude of INT64_MIN does not fit int64_t; such coefficients stay unchanged.
  int64_t content = 0;
  for (const Term &term : terms) {
    if (term.coefficient == INT64_MIN)
      return 1;
    content = std::gcd(content, term.coefficient);
  }
  return content ? content : 1;
}

std::optional<Polynomial> invar::operator+(const Polynomial &left,
                                           const Polynomial &right) {
  auto constant = llvm::checkedAdd(left.constant, right.constant);
  Polynomial sum{constant.value_or(0), left.terms};
  sum.terms.append(right.terms.begin(), right.terms.end());
  if (!constant || !sum.normalize())
    return std::nullopt;
  return sum;
}

std::optional<Polynomial> invar::operator*(const Polynomial &polynomial,
                                           int64_t factor) {
  if (!factor)
    return Polynomial();
  auto constant = llvm::checkedMul(polynomial.constant, factor);
  if (!constant)
    return std::nullopt;
  Polynomial product{*constant, polynomial.terms};
  for (Term &term : product.terms) {
    auto coefficient = llvm::checkedMul(term.coefficient, factor);
    if (!coefficient)
      return std::nullopt;
    term.coefficient = *coefficient;
  }
  return product;
}

llvm::ArrayRef<Symbolic> invar::factorsOf(const Symbolic &monomial) {
  if (monomial->getKind() == SymbolicKind::Product)
    return monomial->getOperands();
  return llvm::ArrayRef<Symbolic>(monomial);
}

bool invar::leadsNegative(Symbolic expr) {
  Polynomial sum = toPolynomial(expr);
  return !sum.terms.empty() && sum.terms.front().coefficient < 0;
}

WideBounds WideBounds::operator+(WideBounds other) const {
  return {least + other.least, most + other.most};
}

WideBounds WideBounds::operator*(WideBounds other) const {
  // Sums of several hundred such values stay within 128 bits.
  constexpr __int128 limit = __int128(1) << 110;
  auto [least, most] =
      std::minmax({this->least * other.least, this->least * other.most,
                   this->most * other.least, this->most * other.most});
  return {std::max(least, -limit), std::min(most, limit)};
}

Bounds WideBounds::narrow() const {
  auto clamp = [](__int128 value) {
    return int64_t(std::clamp<__int128>(value, INT64_MIN, INT64_MAX));
  };
  return {clamp(least), clamp(most)};
}
