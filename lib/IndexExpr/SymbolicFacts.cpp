// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts about atoms that become known after expressions were created from them.
#include "Polynomial.h"

using namespace invar;

bool SymbolicContext::setBounds(Symbolic atom, Bounds bounds) {
  assert(atom->isAtom() && "only atoms are given bounds");
  Bounds both{std::max(bounds.least, atom->bounds.least),
              std::min(bounds.most, atom->bounds.most)};
  if (both.least > both.most)
    return false;
  // Nodes are immutable, except that their context may refine their bounds.
  if (both != std::exchange(const_cast<SymbolicExpr *>(atom)->bounds, both))
    ++numBoundFacts;
  return both.least != both.most || unify(atom, getConstant(both.least));
}

void SymbolicContext::assumeSize(Symbolic expr) {
  if (expr->isUndefined() || expr->isConstant() || expr->bounds.least >= 0)
    return;
  const_cast<SymbolicExpr *>(expr)->bounds.least = 0;
  ++numBoundFacts;
  // N - 6 is a size: N is at least 6.
  Polynomial sum = toPolynomial(expr);
  if (sum.terms.size() == 1 && sum.terms[0].monomial->isAtom() &&
      sum.terms[0].coefficient == 1 && sum.constant != INT64_MIN)
    setBounds(sum.terms[0].monomial, {-sum.constant, INT64_MAX});
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
  // Define an atom that occurs only on its own by the other terms. Prefer unknowns over
  // names, and newer atoms, because names from the user are older than generated ones.
  Polynomial sum = toPolynomial(zero);
  llvm::SmallVector<Term> candidates;
  for (const Term &term : sum.terms) {
    bool standsAlone = llvm::none_of(sum.terms, [&](const Term &other) {
      return other.monomial != term.monomial &&
             contains(other.monomial, term.monomial);
    });
    if (standsAlone && term.monomial->isAtom() && term.coefficient != INT64_MIN)
      candidates.push_back(term);
  }
  llvm::sort(candidates, [](const Term &left, const Term &right) {
    return std::pair(left.monomial->hasUnknown(), left.monomial->getId()) >
           std::pair(right.monomial->hasUnknown(), right.monomial->getId());
  });
  for (auto [atom, coefficient] : candidates) {
    // coefficient · atom + rest = 0.
    Symbolic rest = sub(zero, scale(atom, coefficient));
    if (rest->isUndefined())
      continue;
    Symbolic value = divideExactly(rest, getConstant(-coefficient));
    if (!value && rest->isConstant())
      return false; // The value would not be an integer.
    if (!value || value->isUndefined())
      continue;
    Bounds bounds = atom->getBounds(), other = value->getBounds();
    if (bounds.least > other.most || bounds.most < other.least)
      return false;
    if (value->isAtom() && !setBounds(value, bounds))
      return false;
    definitions[atom] = value;
    resolved.clear();
    return true;
  }
  return true;
}

/// Applies the function of `expr` to other operands.
static Symbolic rebuild(SymbolicContext &context, Symbolic expr,
                        llvm::ArrayRef<Symbolic> operands) {
  switch (expr->getKind()) {
  case SymbolicKind::Sum: {
    Symbolic sum = context.getConstant(expr->getConstant());
    for (auto [operand, coefficient] :
         llvm::zip(operands, expr->getCoefficients()))
      sum = context.add(sum, context.scale(operand, coefficient));
    return sum;
  }
  case SymbolicKind::Product: {
    Symbolic product = context.getConstant(1);
    for (Symbolic operand : operands)
      product = context.mul(product, operand);
    return product;
  }
  case SymbolicKind::FloorDiv:
    return context.floorDiv(operands[0], operands[1]);
  case SymbolicKind::Ramp:
    return context.max(operands[0], context.getConstant(0));
  case SymbolicKind::IsZero:
    return context.isZero(operands[0]);
  case SymbolicKind::IsAtLeastZero:
    return context.isAtLeastZero(operands[0]);
  case SymbolicKind::Select:
    return context.select(operands[0], operands[1], operands[2]);
  case SymbolicKind::Undefined:
  case SymbolicKind::Constant:
  case SymbolicKind::Atom:
    return expr;
  }
  llvm_unreachable("all kinds are handled");
}

Symbolic SymbolicContext::substitute(Symbolic expr, Symbolic atom,
                                     Symbolic value) {
  if (expr == atom)
    return value;
  llvm::SmallVector<Symbolic> parts;
  for (Symbolic operand : expr->getOperands())
    parts.push_back(substitute(operand, atom, value));
  return llvm::ArrayRef(parts) == expr->getOperands()
             ? expr
             : rebuild(*this, expr, parts);
}

Symbolic SymbolicContext::resolve(Symbolic expr) {
  if (definitions.empty())
    return expr;
  // An expression is resolved after all of its parts. Uses an explicit stack, because
  // definitions form chains that can be as long as a model.
  auto find = [&](Symbolic part) {
    bool isFinal = part->isConstant() || part->isUndefined() ||
                   (part->isAtom() && !definitions.contains(part));
    return isFinal ? part : resolved.lookup(part);
  };
  llvm::SmallVector<Symbolic> pending{expr};
  while (!pending.empty()) {
    Symbolic next = pending.back();
    auto definition = definitions.find(next);
    llvm::ArrayRef<Symbolic> parts = definition == definitions.end()
                                         ? next->getOperands()
                                         : definition->second;
    size_t before = pending.size();
    if (!find(next))
      llvm::copy_if(parts, std::back_inserter(pending),
                    [&](Symbolic part) { return !find(part); });
    if (pending.size() > before)
      continue;
    pending.pop_back();
    if (find(next))
      continue;
    llvm::SmallVector<Symbolic> found(llvm::map_range(parts, find));
    Symbolic result = found.front();
    if (definition == definitions.end())
      result =
          llvm::ArrayRef(found) == parts ? next : rebuild(*this, next, found);
    else if (!result->isUndefined())
      definition->second = result; // Shortens the path for the next lookup.
    resolved[next] = result;
  }
  return find(expr);
}
