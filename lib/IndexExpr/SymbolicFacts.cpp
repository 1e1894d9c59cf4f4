// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is learned of atoms after expressions were made of them.
#include "Polynomial.h"

using namespace invar;

bool SymbolicContext::setBounds(Symbolic atom, Bounds bounds) {
  assert(atom->isAtom() && "only atoms are given bounds");
  Bounds both{std::max(bounds.least, atom->bounds.least),
              std::min(bounds.most, atom->bounds.most)};
  if (both.least > both.most)
    return false;
  // Nodes are immutable to others; their context alone may learn about them.
  const_cast<SymbolicExpr *>(atom)->bounds = both;
  return both.least != both.most || unify(atom, getConstant(both.least));
}

static bool contains(Symbolic expr, Symbolic atom) {
  return expr == atom || llvm::any_of(expr->getOperands(), [&](Symbolic op) {
           return contains(op, atom);
         });
}

bool SymbolicContext::unify(Symbolic left, Symbolic right) {
  Symbolic zero = sub(resolve(left), resolve(right));
  if (zero->isUndefined())
    return true;
  if (!zero->getBounds().contains(0))
    return false;
  if (zero->isConstant())
    return true;
  // The youngest atom that stands alone is said by the others: names that a user gave
  // are older than those made up on the way, and unknowns are dropped first of all.
  Polynomial sum = toPolynomial(zero);
  const Term *chosen = nullptr;
  for (const Term &term : sum.terms) {
    if (!term.monomial->isAtom() || term.coefficient == INT64_MIN)
      continue;
    bool standsAlone = llvm::none_of(sum.terms, [&](const Term &other) {
      return other.monomial != term.monomial &&
             contains(other.monomial, term.monomial);
    });
    if (standsAlone && (!chosen || std::pair(term.monomial->hasUnknown(),
                                             term.monomial->getId()) >
                                       std::pair(chosen->monomial->hasUnknown(),
                                                 chosen->monomial->getId())))
      chosen = &term;
  }
  if (!chosen)
    return true;
  // c·atom + rest = 0.
  Symbolic rest = sub(zero, scale(chosen->monomial, chosen->coefficient));
  Symbolic value = rest->isUndefined()
                       ? nullptr
                       : divideExactly(rest, getConstant(-chosen->coefficient));
  if (!value) // It does not divide, so there is no integer: only sure for constants.
    return !rest->isConstant();
  if (value->isUndefined())
    return true;
  Bounds bounds = chosen->monomial->getBounds(), other = value->getBounds();
  if (bounds.least > other.most || bounds.most < other.least)
    return false;
  if (value->isAtom() && !setBounds(value, bounds))
    return false;
  definitions[chosen->monomial] = value;
  resolved.clear();
  return true;
}

Symbolic SymbolicContext::resolve(Symbolic expr) {
  if (definitions.empty() || expr->isConstant() || expr->isUndefined())
    return expr;
  if (auto it = resolved.find(expr); it != resolved.end())
    return it->second;
  llvm::SmallVector<Symbolic> ops;
  for (Symbolic operand : expr->getOperands())
    ops.push_back(resolve(operand));
  Symbolic result = expr;
  if (expr->isAtom()) {
    auto it = definitions.find(expr);
    if (it != definitions.end())
      result = resolve(it->second);
  } else if (llvm::ArrayRef<Symbolic>(ops) != expr->getOperands()) {
    switch (expr->getKind()) {
    case SymbolicKind::Sum:
      result = getConstant(expr->getConstant());
      for (auto [operand, coefficient] :
           llvm::zip(ops, expr->getCoefficients()))
        result = add(result, scale(operand, coefficient));
      break;
    case SymbolicKind::Product:
      result = getConstant(1);
      for (Symbolic operand : ops)
        result = mul(result, operand);
      break;
    case SymbolicKind::FloorDiv:
      result = floorDiv(ops[0], ops[1]);
      break;
    case SymbolicKind::Ramp:
      result = ramp(ops[0]);
      break;
    case SymbolicKind::IsZero:
      result = isZero(ops[0]);
      break;
    case SymbolicKind::IsAtLeastZero:
      result = isAtLeastZero(ops[0]);
      break;
    case SymbolicKind::Select:
      result = select(ops[0], ops[1], ops[2]);
      break;
    case SymbolicKind::Undefined:
    case SymbolicKind::Constant:
    case SymbolicKind::Atom:
      break;
    }
  }
  return resolved[expr] = result;
}
