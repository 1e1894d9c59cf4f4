// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes, sums, products, and functions of them without division.
#include "invar/IndexExpr/Symbolic.h"

#include "Polynomial.h"

using namespace invar;
using llvm::ArrayRef;
using llvm::SmallVector;

//===-- Nodes -----------------------------------------------------------------===//

static void profile(llvm::FoldingSetNodeID &id, SymbolicKind kind,
                    ArrayRef<Symbolic> operands, int64_t constant,
                    ArrayRef<int64_t> coefficients, llvm::StringRef name) {
  id.AddInteger(unsigned(kind));
  id.AddInteger(constant);
  for (Symbolic operand : operands)
    id.AddPointer(operand);
  for (int64_t coefficient : coefficients)
    id.AddInteger(coefficient);
  id.AddString(name);
}

void SymbolicExpr::Profile(llvm::FoldingSetNodeID &id) const {
  // Each atom has its id in `constant`, which distinguishes atoms without a name.
  profile(id, kind, operands, constant, coefficients, name);
}

SymbolicContext::SymbolicContext() {
  undefined = makeNode(SymbolicKind::Undefined, {});
}

static Bounds boundsOf(SymbolicKind kind, ArrayRef<Symbolic> operands,
                       int64_t constant, ArrayRef<int64_t> coefficients) {
  switch (kind) {
  case SymbolicKind::Constant:
    return {constant, constant};
  case SymbolicKind::Sum: {
    WideBounds sum{constant, constant};
    for (auto [operand, coefficient] : llvm::zip(operands, coefficients))
      sum = sum + WideBounds(operand->getBounds()) *
                      WideBounds{coefficient, coefficient};
    return sum.narrow();
  }
  case SymbolicKind::Product: {
    WideBounds product{1, 1};
    for (Symbolic operand : operands)
      product = WideBounds((product * operand->getBounds()).narrow());
    return product.narrow();
  }
  case SymbolicKind::FloorDiv: {
    Bounds dividend = operands[0]->getBounds();
    Bounds divisor = operands[1]->getBounds();
    // Only for sizes divided by sizes; other signs are rare.
    if (dividend.least < 0 || divisor.least < 0)
      return {};
    return {divisor.most > 0 ? dividend.least / divisor.most : 0,
            dividend.most / std::max<int64_t>(divisor.least, 1)};
  }
  case SymbolicKind::Ramp: {
    Bounds bounds = operands[0]->getBounds();
    return {std::max<int64_t>(bounds.least, 0),
            std::max<int64_t>(bounds.most, 0)};
  }
  case SymbolicKind::IsZero:
  case SymbolicKind::IsAtLeastZero:
    return {0, 1};
  case SymbolicKind::Select: {
    Bounds left = operands[1]->getBounds(), right = operands[2]->getBounds();
    return {std::min(left.least, right.least), std::max(left.most, right.most)};
  }
  case SymbolicKind::Undefined:
  case SymbolicKind::Atom:
    return {};
  }
  llvm_unreachable("all kinds are handled");
}

static bool isTruth(SymbolicKind kind, ArrayRef<Symbolic> operands,
                    int64_t constant, ArrayRef<int64_t> coefficients) {
  switch (kind) {
  case SymbolicKind::IsZero:
  case SymbolicKind::IsAtLeastZero:
    return true;
  case SymbolicKind::Product:
    return llvm::all_of(operands, [](Symbolic op) { return op->isTruth(); });
  case SymbolicKind::Sum:
    return constant == 1 && operands.size() == 1 && coefficients[0] == -1 &&
           operands[0]->isTruth();
  default:
    return false;
  }
}

Symbolic SymbolicContext::makeNode(SymbolicKind kind,
                                   ArrayRef<Symbolic> operands,
                                   int64_t constant,
                                   ArrayRef<int64_t> coefficients) {
  llvm::FoldingSetNodeID key;
  profile(key, kind, operands, constant, coefficients, "");
  void *position = nullptr;
  if (SymbolicExpr *found = nodes.FindNodeOrInsertPos(key, position)) {
    // The bounds of the operands may have been refined since it was created.
    if (std::exchange(found->facts, numBoundFacts) != numBoundFacts) {
      Bounds now = boundsOf(kind, operands, constant, coefficients);
      found->bounds.least = std::max(found->bounds.least, now.least);
      found->bounds.most = std::min(found->bounds.most, now.most);
    }
    return found;
  }
  unsigned size = 1;
  for (Symbolic operand : operands)
    size += operand->getSize();
  if (size > maxSize)
    return undefined;
  auto *node = new (allocator) SymbolicExpr();
  node->kind = kind;
  node->constant = constant;
  node->id = nextId++;
  node->size = size;
  node->operands = operands.copy(allocator);
  node->coefficients = coefficients.copy(allocator);
  node->bounds = boundsOf(kind, operands, constant, coefficients);
  node->facts = numBoundFacts;
  node->truth = ::isTruth(kind, operands, constant, coefficients);
  node->unknown =
      llvm::any_of(operands, [](Symbolic op) { return op->hasUnknown(); });
  nodes.InsertNode(node, position);
  return node;
}

//===-- Leaves ----------------------------------------------------------------===//

Symbolic SymbolicContext::getConstant(int64_t value) {
  return makeNode(SymbolicKind::Constant, {}, value);
}

Symbolic SymbolicContext::makeAtom(llvm::StringRef name, Bounds bounds) {
  auto *node = new (allocator) SymbolicExpr();
  node->kind = SymbolicKind::Atom;
  node->id = nextId++;
  node->constant = node->id;
  node->name = name;
  node->bounds = bounds;
  node->unknown = name.empty();
  nodes.InsertNode(node);
  return node;
}

Symbolic SymbolicContext::getAtom(llvm::StringRef name) {
  // An empty name must not become one atom that all share.
  if (name.empty())
    return makeUnknown();
  auto [entry, isNew] = atoms.try_emplace(name, nullptr);
  if (isNew)
    entry->second = makeAtom(entry->getKey(), {0, INT64_MAX});
  return entry->second;
}

Symbolic SymbolicContext::makeUnknown(Bounds bounds) {
  return makeAtom("", bounds);
}

Symbolic SymbolicContext::makeInput(Bounds bounds) {
  // The name is only for printing: no dimension of a model has it.
  std::string name = "%" + std::to_string(nextId);
  return makeAtom(llvm::StringRef(name).copy(allocator), bounds);
}

//===-- Sums and products -----------------------------------------------------===//

Symbolic SymbolicContext::makeSum(const Polynomial &polynomial) {
  if (polynomial.terms.empty())
    return getConstant(polynomial.constant);
  if (polynomial.terms.size() == 1 && polynomial.constant == 0 &&
      polynomial.terms[0].coefficient == 1)
    return polynomial.terms[0].monomial;
  if (polynomial.terms.size() > maxSize)
    return undefined;
  SmallVector<Symbolic> operands;
  SmallVector<int64_t> coefficients;
  for (const Term &term : polynomial.terms) {
    operands.push_back(term.monomial);
    coefficients.push_back(term.coefficient);
  }
  return makeNode(SymbolicKind::Sum, operands, polynomial.constant,
                  coefficients);
}

Symbolic SymbolicContext::makeProduct(Symbolic left, Symbolic right) {
  SmallVector<Symbolic> factors;
  ArrayRef<Symbolic> a = factorsOf(left), b = factorsOf(right);
  std::merge(a.begin(), a.end(), b.begin(), b.end(),
             std::back_inserter(factors), byId);
  // A truth value times itself is itself.
  factors.erase(std::unique(factors.begin(), factors.end(),
                            [](Symbolic x, Symbolic y) {
                              return x == y && x->isTruth();
                            }),
                factors.end());
  if (factors.size() == 1)
    return factors[0];
  return makeNode(SymbolicKind::Product, factors);
}

Symbolic SymbolicContext::add(Symbolic left, Symbolic right) {
  if (left->isUndefined() || right->isUndefined())
    return undefined;
  std::optional<Polynomial> sum = toPolynomial(left) + toPolynomial(right);
  return sum ? makeSum(*sum) : undefined;
}

Symbolic SymbolicContext::scale(Symbolic expr, int64_t factor) {
  if (expr->isUndefined())
    return undefined;
  std::optional<Polynomial> scaled = toPolynomial(expr) * factor;
  return scaled ? makeSum(*scaled) : undefined;
}

Symbolic SymbolicContext::sub(Symbolic left, Symbolic right) {
  return add(left, scale(right, -1));
}

Symbolic SymbolicContext::mulByTerm(Symbolic expr, Symbolic monomial,
                                    int64_t coefficient) {
  Polynomial sum = toPolynomial(expr), product;
  for (const Term &term : sum.terms)
    product.terms.push_back(
        {makeProduct(term.monomial, monomial), term.coefficient});
  if (sum.constant)
    product.terms.push_back({monomial, sum.constant});
  if (llvm::any_of(product.terms,
                   [](const Term &t) { return t.monomial->isUndefined(); }) ||
      !product.normalize())
    return undefined;
  return scale(makeSum(product), coefficient);
}

Symbolic SymbolicContext::mul(Symbolic left, Symbolic right) {
  if (left->isUndefined() || right->isUndefined())
    return undefined;
  Polynomial factor = toPolynomial(right);
  Symbolic sum = scale(left, factor.constant);
  // Each step is bounded by maxSize, so the whole loop is.
  for (const Term &term : factor.terms)
    sum = add(sum, mulByTerm(left, term.monomial, term.coefficient));
  return sum;
}

//===-- Extrema, truths, choices ----------------------------------------------===//

Symbolic SymbolicContext::ramp(Symbolic expr) {
  if (expr->isUndefined())
    return undefined;
  Bounds bounds = expr->getBounds();
  if (bounds.least >= 0)
    return expr;
  if (bounds.most <= 0)
    return getConstant(0);
  // Only one of x and -x has a Ramp node, so that equal expressions are the same node.
  if (leadsNegative(expr))
    return add(expr, makeNode(SymbolicKind::Ramp, scale(expr, -1)));
  return makeNode(SymbolicKind::Ramp, expr);
}

Symbolic SymbolicContext::max(Symbolic left, Symbolic right) {
  return add(right, ramp(sub(left, right)));
}

Symbolic SymbolicContext::min(Symbolic left, Symbolic right) {
  return sub(left, ramp(sub(left, right)));
}

Symbolic SymbolicContext::isZero(Symbolic expr) {
  if (expr->isUndefined())
    return undefined;
  Bounds bounds = expr->getBounds();
  if (!bounds.contains(0))
    return getConstant(0);
  if (bounds == Bounds{0, 0})
    return getConstant(1);
  Polynomial sum = toPolynomial(expr);
  int64_t divisor = sum.getContent();
  if (sum.constant % divisor)
    return getConstant(0);
  expr = floorDivByConstant(expr, leadsNegative(expr) ? -divisor : divisor);
  return expr->isUndefined() ? undefined : makeNode(SymbolicKind::IsZero, expr);
}

Symbolic SymbolicContext::isAtLeastZero(Symbolic expr) {
  if (expr->isUndefined())
    return undefined;
  Bounds bounds = expr->getBounds();
  if (bounds.least >= 0)
    return getConstant(1);
  if (bounds.most < 0)
    return getConstant(0);
  // If expr is at least -1, it is negative only if expr + 1 is 0.
  if (bounds.least == -1)
    return logicalNot(isZero(add(expr, getConstant(1))));
  if (leadsNegative(expr))
    return logicalNot(isAtLeastZero(sub(getConstant(-1), expr)));
  Symbolic reduced = floorDivByConstant(expr, toPolynomial(expr).getContent());
  return reduced == expr ? makeNode(SymbolicKind::IsAtLeastZero, expr)
                         : isAtLeastZero(reduced);
}

Symbolic SymbolicContext::equal(Symbolic left, Symbolic right) {
  return isZero(sub(left, right));
}

Symbolic SymbolicContext::atMost(Symbolic left, Symbolic right) {
  return isAtLeastZero(sub(right, left));
}

Symbolic SymbolicContext::logicalNot(Symbolic truth) {
  return sub(getConstant(1), truth);
}

Symbolic SymbolicContext::logicalAnd(Symbolic left, Symbolic right) {
  return mul(left, right);
}

Symbolic SymbolicContext::logicalOr(Symbolic left, Symbolic right) {
  return logicalNot(logicalAnd(logicalNot(left), logicalNot(right)));
}

Symbolic SymbolicContext::select(Symbolic condition, Symbolic ifTrue,
                                 Symbolic ifFalse) {
  if (condition->isUndefined())
    return undefined;
  if (condition->isConstant())
    return condition->getConstant() ? ifTrue : ifFalse;
  if (ifTrue == ifFalse)
    return ifTrue;
  if (ifTrue->isUndefined() || ifFalse->isUndefined())
    return undefined;
  // `not c` swaps the choices.
  if (condition->isTruth() && condition->getKind() == SymbolicKind::Sum)
    return select(condition->getOperands()[0], ifFalse, ifTrue);
  // If d == 0, expressions that differ by a multiple of d are equal.
  if (condition->getKind() == SymbolicKind::IsZero &&
      divideExactly(sub(ifTrue, ifFalse), condition->getOperands()[0]))
    return ifFalse;
  // If n == c, expressions that are equal with c in place of n are equal.
  if (condition->getKind() == SymbolicKind::IsZero) {
    Polynomial zero = toPolynomial(condition->getOperands()[0]);
    if (zero.terms.size() == 1 && zero.terms[0].monomial->isAtom() &&
        zero.terms[0].coefficient == 1) {
      Symbolic atom = zero.terms[0].monomial;
      Symbolic value = scale(getConstant(zero.constant), -1);
      Symbolic then = substitute(ifTrue, atom, value);
      Symbolic otherwise = substitute(ifFalse, atom, value);
      if (!then->isUndefined() && then == otherwise)
        return ifFalse;
      // n is at least c. If ifFalse is at most 0 for n == c and at least 0 for all
      // other n, the result is max(ifFalse, 0).
      if (then == getConstant(0) && otherwise->getBounds().most <= 0 &&
          atom->getBounds().least == value->getConstant() &&
          substitute(ifFalse, atom, add(atom, getConstant(1)))
                  ->getBounds()
                  .least >= 0)
        return ramp(ifFalse);
      if (!then->isUndefined())
        ifTrue = then;
    }
  }
  if (condition->isTruth() && ifTrue == getConstant(1) &&
      ifFalse == getConstant(0))
    return condition;
  return makeNode(SymbolicKind::Select, {condition, ifTrue, ifFalse});
}
