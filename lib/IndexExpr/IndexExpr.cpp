// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/IndexExpr/IndexExpr.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace invar;

IndexExpr::IndexExpr(Symbolic symbolic, IndexExprScope &scope) {
  if (symbolic->isConstant()) {
    isNumber = true;
    number = symbolic->getConstant();
  } else if (!symbolic->isUndefined()) {
    this->symbolic = symbolic;
    this->scope = &scope;
  }
}

//===-- Queries ---------------------------------------------------------------===//

/// Whether it is affine in MLIR's sense, over atoms only.
static bool isAffineForm(Symbolic expr) {
  switch (expr->getKind()) {
  case SymbolicKind::Constant:
  case SymbolicKind::Atom:
    return true;
  case SymbolicKind::Sum:
    return llvm::all_of(expr->getOperands(), isAffineForm);
  case SymbolicKind::FloorDiv:
    return expr->getOperands()[1]->isConstant() &&
           isAffineForm(expr->getOperands()[0]);
  default:
    return false;
  }
}

bool IndexExpr::isAffine() const {
  return isNumber ||
         (symbolic && !symbolic->hasUnknown() && isAffineForm(symbolic));
}

IndexExprKind IndexExpr::getKind() const {
  if (isNumber)
    return IndexExprKind::Literal;
  if (!symbolic)
    return IndexExprKind::Undefined;
  if (symbolic->isAtom()) {
    if (symbolic->hasUnknown())
      return IndexExprKind::Questionmark;
    return scope->roles.lookup(symbolic).isDim ? IndexExprKind::Dim
                                               : IndexExprKind::Symbol;
  }
  if (symbolic->isTruth())
    return IndexExprKind::Predicate;
  return isAffine() ? IndexExprKind::Affine : IndexExprKind::NonAffine;
}

Bounds IndexExpr::getBounds() const {
  if (isNumber)
    return {number, number};
  return symbolic ? symbolic->getBounds() : Bounds();
}

Symbolic IndexExpr::getSymbolic(SymbolicContext &context) const {
  if (isNumber)
    return context.getConstant(number);
  return symbolic ? symbolic : context.getUndefined();
}

int64_t IndexExpr::getShape() const {
  return isNumber ? number : ShapedType::kDynamic;
}

bool IndexExpr::isKnownEqual(IndexExpr other) const {
  return (*this - other).isLiteral(0);
}

bool IndexExpr::isKnownDifferent(IndexExpr other) const {
  if (isNumber && other.isNumber)
    return number != other.number;
  IndexExpr difference = *this - other;
  return difference.isDefined() && !difference.getBounds().contains(0);
}

//===-- Operations ------------------------------------------------------------===//

/// The scope of the operands that have one; null if an operand is undefined.
static IndexExprScope *getCommonScope(llvm::ArrayRef<IndexExpr> operands) {
  IndexExprScope *scope = nullptr;
  for (IndexExpr operand : operands) {
    if (operand.isUndefined())
      return nullptr;
    assert((operand.isLiteral() || !scope || scope == operand.getScope()) &&
           "expected expressions of one scope; import() the others");
    if (!operand.isLiteral())
      scope = operand.getScope();
  }
  return scope;
}

using Number = std::optional<int64_t>;

IndexExpr IndexExpr::binary(IndexExpr left, IndexExpr right,
                            Number (*numbers)(int64_t, int64_t),
                            SymbolicOperation operation) {
  if (left.isLiteral() && right.isLiteral()) {
    Number result = numbers(left.number, right.number);
    return result ? IndexExpr(*result) : makeImpossible();
  }
  if (left.isImpossible() || right.isImpossible())
    return makeImpossible();
  IndexExprScope *scope = getCommonScope({left, right});
  if (!scope)
    return IndexExpr();
  SymbolicContext &context = scope->context;
  Symbolic a = left.getSymbolic(context), b = right.getSymbolic(context);
  Symbolic result = (context.*operation)(a, b);
  if (result->isUndefined() && scope->canEmit())
    result = (context.*operation)(scope->shrink(a), scope->shrink(b));
  return {result, *scope};
}

/// For operations that grow with their operands if these are at least 0: if the result
/// overflows for the least values of the operands, it overflows for all.
IndexExpr IndexExpr::growing(IndexExpr left, IndexExpr right,
                             Number (*numbers)(int64_t, int64_t),
                             SymbolicOperation operation) {
  IndexExpr result = binary(left, right, numbers, operation);
  if (result.isDefined() || !left.isAtLeast(0) || !right.isAtLeast(0) ||
      numbers(left.getBounds().least, right.getBounds().least))
    return result;
  return makeImpossible();
}

static Number floorDivNumbers(int64_t a, int64_t b) {
  if (b == 0 || (a == INT64_MIN && b == -1))
    return std::nullopt;
  return llvm::divideFloorSigned(a, b);
}

static Number ceilDivNumbers(int64_t a, int64_t b) {
  if (b == 0 || (a == INT64_MIN && b == -1))
    return std::nullopt;
  return llvm::divideCeilSigned(a, b);
}

static Number modNumbers(int64_t a, int64_t b) {
  if (b == 0)
    return std::nullopt;
  int64_t rest = b == -1 ? 0 : a % b;
  return rest && (rest < 0) != (b < 0) ? rest + b : rest;
}

IndexExpr IndexExpr::operator+(IndexExpr other) const {
  return growing(*this, other, llvm::checkedAdd<int64_t>,
                 &SymbolicContext::add);
}
IndexExpr IndexExpr::operator-(IndexExpr other) const {
  return binary(*this, other, llvm::checkedSub<int64_t>, &SymbolicContext::sub);
}
IndexExpr IndexExpr::operator*(IndexExpr other) const {
  return growing(*this, other, llvm::checkedMul<int64_t>,
                 &SymbolicContext::mul);
}
IndexExpr IndexExpr::floorDiv(IndexExpr divisor) const {
  return binary(*this, divisor, floorDivNumbers, &SymbolicContext::floorDiv);
}
IndexExpr IndexExpr::ceilDiv(IndexExpr divisor) const {
  return binary(*this, divisor, ceilDivNumbers, &SymbolicContext::ceilDiv);
}
IndexExpr IndexExpr::operator%(IndexExpr divisor) const {
  return binary(*this, divisor, modNumbers, &SymbolicContext::mod);
}
IndexExpr IndexExpr::operator==(IndexExpr other) const {
  return binary(
      *this, other, [](int64_t a, int64_t b) { return Number(a == b); },
      &SymbolicContext::equal);
}
IndexExpr IndexExpr::operator!=(IndexExpr other) const {
  return !(*this == other);
}
IndexExpr IndexExpr::operator<=(IndexExpr other) const {
  return binary(
      *this, other, [](int64_t a, int64_t b) { return Number(a <= b); },
      &SymbolicContext::atMost);
}
IndexExpr IndexExpr::operator<(IndexExpr other) const {
  return !(other <= *this);
}
IndexExpr IndexExpr::operator&(IndexExpr other) const {
  return binary(
      *this, other, [](int64_t a, int64_t b) { return Number(a && b); },
      &SymbolicContext::logicalAnd);
}
IndexExpr IndexExpr::operator|(IndexExpr other) const {
  return binary(
      *this, other, [](int64_t a, int64_t b) { return Number(a || b); },
      &SymbolicContext::logicalOr);
}
IndexExpr IndexExpr::operator!() const { return IndexExpr(1) - *this; }

IndexExpr IndexExpr::min(IndexExpr left, IndexExpr right) {
  return binary(
      left, right, [](int64_t a, int64_t b) { return Number(std::min(a, b)); },
      &SymbolicContext::min);
}
IndexExpr IndexExpr::max(IndexExpr left, IndexExpr right) {
  return binary(
      left, right, [](int64_t a, int64_t b) { return Number(std::max(a, b)); },
      &SymbolicContext::max);
}

IndexExpr IndexExpr::select(IndexExpr condition, IndexExpr ifTrue,
                            IndexExpr ifFalse) {
  if (condition.isLiteral())
    return condition.number ? ifTrue : ifFalse;
  if (condition.isImpossible() ||
      (ifTrue.isImpossible() && ifFalse.isImpossible()))
    return makeImpossible();
  IndexExprScope *scope = getCommonScope({condition, ifTrue, ifFalse});
  if (!scope)
    return IndexExpr();
  SymbolicContext &context = scope->context;
  Symbolic c = condition.getSymbolic(context), a = ifTrue.getSymbolic(context),
           b = ifFalse.getSymbolic(context);
  Symbolic result = context.select(c, a, b);
  if (result->isUndefined() && scope->canEmit())
    result =
        context.select(scope->shrink(c), scope->shrink(a), scope->shrink(b));
  return {result, *scope};
}

llvm::raw_ostream &invar::operator<<(llvm::raw_ostream &stream,
                                     IndexExpr expr) {
  if (expr.isLiteral())
    return stream << expr.getLiteral();
  if (expr.isUndefined())
    return stream << "undefined";
  print(expr.symbolic, stream);
  return stream;
}

//===-- Scopes ----------------------------------------------------------------===//

void IndexExprScope::giveRoles(Symbolic symbolic, bool asDim) {
  if (symbolic->isAtom()) {
    llvm::SmallVector<Symbolic> &list = asDim ? dims : symbols;
    if (roles.try_emplace(symbolic, Role{asDim, unsigned(list.size())}).second)
      list.push_back(symbolic);
    return;
  }
  for (Symbolic operand : symbolic->getOperands())
    giveRoles(operand, asDim);
}

IndexExpr IndexExprScope::getAsDim(Symbolic symbolic) {
  giveRoles(symbolic, /*asDim=*/true);
  return {symbolic, *this};
}

IndexExpr IndexExprScope::getAsSymbol(Symbolic symbolic) {
  giveRoles(symbolic, /*asDim=*/false);
  return {symbolic, *this};
}

IndexExpr IndexExprScope::getQuestionmark(Bounds bounds) {
  return getAsSymbol(context.makeUnknown(bounds));
}

IndexExpr IndexExprScope::getDim(StringRef name) {
  return getAsDim(context.getAtom(name));
}

IndexExpr IndexExprScope::getSymbol(StringRef name) {
  return getAsSymbol(context.getAtom(name));
}

Symbolic IndexExprScope::getAtomOf(Value value, Bounds bounds) {
  assert(value.getType().isIndex() && "expected a value of type index");
  for (IndexExprScope *scope = this; scope; scope = scope->outer)
    if (Symbolic atom = scope->atomsOfValues.lookup(value))
      return atom;
  Symbolic atom = context.makeInput(bounds);
  values[atom] = value;
  return atomsOfValues[value] = atom;
}

IndexExpr IndexExprScope::getDim(Value value, Bounds bounds) {
  return getAsDim(getAtomOf(value, bounds));
}

IndexExpr IndexExprScope::getSymbol(Value value, Bounds bounds) {
  return getAsSymbol(getAtomOf(value, bounds));
}

IndexExpr IndexExprScope::import(IndexExpr other) {
  if (other.isLiteral() || other.isUndefined() || other.scope == this)
    return other;
  return getAsSymbol(other.symbolic);
}

Value IndexExprScope::lookup(Symbolic symbolic) const {
  for (const IndexExprScope *scope = this; scope; scope = scope->outer)
    if (Value value = scope->values.lookup(symbolic))
      return value;
  return nullptr;
}

Symbolic IndexExprScope::shrink(Symbolic symbolic) {
  if (symbolic->isConstant() || symbolic->isAtom() || symbolic->hasUnknown())
    return symbolic;
  Symbolic atom = getAtomOf(IndexExpr(symbolic, *this).getValue(*this),
                            symbolic->getBounds());
  giveRoles(atom, /*asDim=*/false);
  return atom;
}
