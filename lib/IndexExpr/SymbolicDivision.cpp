// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Canonical form of division rounded down: exact quotients are moved out of the
// division, common factors of dividend and divisor are cancelled, and nested divisions
// are merged. An unknown divisor is assumed not to be zero: code that divides by it
// implies that.
#include "Polynomial.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace invar;

Symbolic SymbolicContext::divideByFactor(Symbolic expr, Symbolic factor) {
  Polynomial quotient = toPolynomial(expr);
  for (Term &term : quotient.terms) {
    llvm::SmallVector<Symbolic> factors(factorsOf(term.monomial));
    factors.erase(llvm::find(factors, factor));
    if (factors.empty()) {
      quotient.constant = term.coefficient;
      term.coefficient = 0;
      continue;
    }
    term.monomial = factors.size() == 1
                        ? factors[0]
                        : makeNode(SymbolicKind::Product, factors);
  }
  llvm::erase_if(quotient.terms,
                 [](const Term &term) { return !term.coefficient; });
  quotient.normalize();
  return makeSum(quotient);
}

/// A factor of every term of both polynomials; null if there is none.
static Symbolic findCommonFactor(const Polynomial &left,
                                 const Polynomial &right) {
  if (left.constant || right.constant || left.terms.empty() ||
      right.terms.empty())
    return nullptr;
  auto isIn = [](Symbolic factor) {
    return [factor](const Term &term) {
      return llvm::is_contained(factorsOf(term.monomial), factor);
    };
  };
  for (Symbolic factor : factorsOf(left.terms.front().monomial))
    if (llvm::all_of(left.terms, isIn(factor)) &&
        llvm::all_of(right.terms, isIn(factor)))
      return factor;
  return nullptr;
}

/// left / right; none if there is a remainder or the quotient overflows.
static std::optional<int64_t> divideEvenly(int64_t left, int64_t right) {
  if (right == -1)
    return llvm::checkedMul<int64_t>(left, -1);
  if (right == 0 || left % right)
    return std::nullopt;
  return left / right;
}

/// left / right for monomials, as factors; none if `right` does not divide `left`.
static std::optional<llvm::SmallVector<Symbolic>>
divideMonomials(Symbolic left, Symbolic right) {
  llvm::SmallVector<Symbolic> rest(factorsOf(left));
  for (Symbolic factor : factorsOf(right)) {
    auto *found = llvm::find(rest, factor);
    if (found == rest.end())
      return std::nullopt;
    rest.erase(found);
  }
  return rest;
}

/// The order of terms for division is by degree, then by identity. Multiplication keeps
/// this order in the common cases. If it does not, the division only finds a remainder.
static const Term &leadingTerm(const Polynomial &polynomial) {
  return *std::max_element(polynomial.terms.begin(), polynomial.terms.end(),
                           [](const Term &left, const Term &right) {
                             auto a = factorsOf(left.monomial);
                             auto b = factorsOf(right.monomial);
                             if (a.size() != b.size())
                               return a.size() < b.size();
                             return std::lexicographical_compare(
                                 a.begin(), a.end(), b.begin(), b.end(), byId);
                           });
}

Symbolic SymbolicContext::divideExactly(Symbolic left, Symbolic right) {
  if (left->isUndefined() || right->isUndefined())
    return nullptr;
  Polynomial divisor = toPolynomial(right);
  if (divisor.terms.empty()) {
    Polynomial quotient = toPolynomial(left);
    auto divide = [&](int64_t &value) {
      std::optional<int64_t> even = divideEvenly(value, divisor.constant);
      value = even.value_or(0);
      return even.has_value();
    };
    if (!divide(quotient.constant) ||
        !llvm::all_of(quotient.terms,
                      [&](Term &term) { return divide(term.coefficient); }))
      return nullptr;
    return makeSum(quotient);
  }
  const Term lead = leadingTerm(divisor);
  Symbolic quotient = getConstant(0), rest = left;
  // Each step permanently removes one term, so there are at most as many steps as terms
  // of the quotient. The limit ends a division for which this fails.
  for (unsigned step = 0; step < 64; ++step) {
    if (rest->isUndefined())
      return nullptr;
    Polynomial remainder = toPolynomial(rest);
    if (remainder.terms.empty())
      return remainder.constant ? nullptr : quotient;
    const Term &term = leadingTerm(remainder);
    auto factors = divideMonomials(term.monomial, lead.monomial);
    std::optional<int64_t> coefficient =
        divideEvenly(term.coefficient, lead.coefficient);
    if (!factors || !coefficient)
      return nullptr;
    Symbolic part = getConstant(*coefficient);
    for (Symbolic factor : *factors)
      part = mul(part, factor);
    quotient = add(quotient, part);
    rest = sub(rest, mul(part, right));
  }
  return nullptr;
}

Symbolic SymbolicContext::floorDivByConstant(Symbolic left, int64_t divisor) {
  if (left->isUndefined() || divisor == 0 || divisor == INT64_MIN)
    return undefined;
  if (divisor < 0)
    return floorDivByConstant(scale(left, -1), -divisor);
  if (divisor == 1)
    return left;
  Polynomial dividend = toPolynomial(left);
  // (g·x + k) / (g·d) = (x + k / g) / d.
  if (int64_t shared = std::gcd(dividend.getContent(), divisor);
      shared > 1 && !dividend.terms.empty()) {
    for (Term &term : dividend.terms)
      term.coefficient /= shared;
    dividend.constant = llvm::divideFloorSigned(dividend.constant, shared);
    return floorDivByConstant(makeSum(dividend), divisor / shared);
  }
  // (d·q + r) / d = q + r / d, term by term.
  Polynomial quotient, rest;
  auto split = [&](int64_t value) {
    return std::pair(llvm::divideFloorSigned(value, divisor),
                     llvm::mod(value, divisor));
  };
  std::tie(quotient.constant, rest.constant) = split(dividend.constant);
  for (const Term &term : dividend.terms) {
    auto [q, r] = split(term.coefficient);
    if (q)
      quotient.terms.push_back({term.monomial, q});
    if (r)
      rest.terms.push_back({term.monomial, r});
  }
  Symbolic whole = makeSum(quotient), part = makeSum(rest);
  if (part->isUndefined() || whole->isUndefined())
    return undefined;
  if (std::gcd(rest.getContent(), divisor) > 1 && !rest.terms.empty())
    return add(whole, floorDivByConstant(part, divisor));
  Bounds bounds = part->getBounds();
  int64_t low = llvm::divideFloorSigned(bounds.least, divisor);
  if (low == llvm::divideFloorSigned(bounds.most, divisor))
    return add(whole, getConstant(low));
  // (x / e + k) / d = (x + k·e) / (e·d).
  if (rest.terms.size() == 1 && rest.terms[0].coefficient == 1 &&
      rest.terms[0].monomial->getKind() == SymbolicKind::FloorDiv) {
    llvm::ArrayRef<Symbolic> inner = rest.terms[0].monomial->getOperands();
    if (inner[1]->isConstant()) {
      auto product = llvm::checkedMul(inner[1]->getConstant(), divisor);
      Symbolic sum = add(inner[0], scale(inner[1], rest.constant));
      if (product && !sum->isUndefined())
        return add(whole, floorDivByConstant(sum, *product));
    }
  }
  return add(whole,
             makeNode(SymbolicKind::FloorDiv, {part, getConstant(divisor)}));
}

Symbolic SymbolicContext::floorDiv(Symbolic left, Symbolic right) {
  if (left->isUndefined() || right->isUndefined())
    return undefined;
  if (right->isConstant())
    return floorDivByConstant(left, right->getConstant());
  if (Symbolic quotient = divideExactly(left, right))
    return quotient;
  Polynomial dividend = toPolynomial(left), divisor = toPolynomial(right);
  if (Symbolic factor = findCommonFactor(dividend, divisor))
    return floorDiv(divideByFactor(left, factor),
                    divideByFactor(right, factor));
  uint64_t shared = std::gcd(dividend.getContent(), divisor.getContent());
  shared = std::gcd(shared, llvm::AbsoluteValue(dividend.constant));
  shared = std::gcd(shared, llvm::AbsoluteValue(divisor.constant));
  if (!dividend.terms.empty() && shared > 1)
    return floorDiv(divideExactly(left, getConstant(shared)),
                    divideExactly(right, getConstant(shared)));
  return makeNode(SymbolicKind::FloorDiv, {left, right});
}

Symbolic SymbolicContext::ceilDiv(Symbolic left, Symbolic right) {
  if (right->isConstant() && right->getConstant() > 0)
    return floorDiv(add(left, getConstant(right->getConstant() - 1)), right);
  return scale(floorDiv(scale(left, -1), right), -1);
}

Symbolic SymbolicContext::mod(Symbolic left, Symbolic right) {
  return sub(left, mul(right, floorDiv(left, right)));
}
