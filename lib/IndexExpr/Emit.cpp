// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits index expressions: affine ones as one affine.apply, the rest as arithmetic.
#include "invar/IndexExpr/IndexExpr.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace invar;

namespace invar {
class Emitter {
public:
  explicit Emitter(IndexExprScope &scope)
      : scope(scope), builder(scope.getBuilder()), loc(scope.getLoc()) {}

  /// Returns the expression as an index.
  Value emit(Symbolic expr) {
    if (Value value = scope.lookup(expr))
      return value;
    return scope.values[expr] = emitNew(expr);
  }

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value emitNew(Symbolic expr);
  Value emitSum(Symbolic expr);
  /// A truth value as i1.
  Value emitTruth(Symbolic expr);

  IndexExprScope &scope;
  OpBuilder &builder;
  Location loc;
};
} // namespace invar

Value Emitter::emitSum(Symbolic expr) {
  Value sum;
  for (auto [operand, coefficient] :
       llvm::zip(expr->getOperands(), expr->getCoefficients())) {
    Value term = emit(operand);
    if (coefficient != 1)
      term = arith::MulIOp::create(builder, loc, term, constant(coefficient));
    sum =
        sum ? arith::AddIOp::create(builder, loc, sum, term).getResult() : term;
  }
  if (expr->getConstant())
    sum =
        arith::AddIOp::create(builder, loc, sum, constant(expr->getConstant()));
  return sum;
}

Value Emitter::emitTruth(Symbolic expr) {
  auto compare = [&](arith::CmpIPredicate predicate, Symbolic operand) {
    return arith::CmpIOp::create(builder, loc, predicate, emit(operand),
                                 constant(0));
  };
  switch (expr->getKind()) {
  case SymbolicKind::IsZero:
    return compare(arith::CmpIPredicate::eq, expr->getOperands()[0]);
  case SymbolicKind::IsAtLeastZero:
    return compare(arith::CmpIPredicate::sge, expr->getOperands()[0]);
  default:
    return compare(arith::CmpIPredicate::ne, expr);
  }
}

Value Emitter::emitNew(Symbolic expr) {
  IndexExpr view(expr, scope);
  if (view.isAffine() && !expr->isConstant()) {
    AffineMap map;
    SmallVector<Value> operands;
    view.getAffineMapAndOperands(scope, map, operands);
    return affine::AffineApplyOp::create(builder, loc, map, operands);
  }
  ArrayRef<Symbolic> operands = expr->getOperands();
  switch (expr->getKind()) {
  case SymbolicKind::Constant:
    return constant(expr->getConstant());
  case SymbolicKind::Sum:
    return emitSum(expr);
  case SymbolicKind::Product: {
    Value product = emit(operands[0]);
    for (Symbolic factor : operands.drop_front())
      product = arith::MulIOp::create(builder, loc, product, emit(factor));
    return product;
  }
  case SymbolicKind::FloorDiv:
    return arith::FloorDivSIOp::create(builder, loc, emit(operands[0]),
                                       emit(operands[1]));
  case SymbolicKind::Ramp:
    return arith::MaxSIOp::create(builder, loc, emit(operands[0]), constant(0));
  case SymbolicKind::IsZero:
  case SymbolicKind::IsAtLeastZero:
    return arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                        emitTruth(expr));
  case SymbolicKind::Select:
    return arith::SelectOp::create(builder, loc, emitTruth(operands[0]),
                                   emit(operands[1]), emit(operands[2]));
  case SymbolicKind::Undefined:
  case SymbolicKind::Atom:
    break;
  }
  llvm_unreachable("what is unknown cannot be emitted");
}

Value IndexExpr::getValue(IndexExprScope &scope) const {
  if (hasQuestionmark())
    return nullptr;
  assert(scope.canEmit() && "expected a scope that emits code");
  assert((isNumber || this->scope == &scope) &&
         "expected an expression of this scope; import() it");
  return Emitter(scope).emit(getSymbolic(scope.getContext()));
}

OpFoldResult IndexExpr::getOpFoldResult(IndexExprScope &scope) const {
  if (isNumber)
    return scope.getBuilder().getIndexAttr(number);
  return getValue(scope);
}

static AffineExpr toAffine(Symbolic expr, MLIRContext *context,
                           llvm::function_ref<AffineExpr(Symbolic)> input) {
  switch (expr->getKind()) {
  case SymbolicKind::Constant:
    return getAffineConstantExpr(expr->getConstant(), context);
  case SymbolicKind::Atom:
    return input(expr);
  case SymbolicKind::Sum: {
    AffineExpr sum = getAffineConstantExpr(0, context);
    for (auto [operand, coefficient] :
         llvm::zip(expr->getOperands(), expr->getCoefficients()))
      sum = sum + toAffine(operand, context, input) * coefficient;
    return sum + expr->getConstant();
  }
  case SymbolicKind::FloorDiv:
    return toAffine(expr->getOperands()[0], context, input)
        .floorDiv(expr->getOperands()[1]->getConstant());
  default:
    llvm_unreachable("expected an affine expression");
  }
}

AffineExpr IndexExpr::getAffineExpr(MLIRContext *context) const {
  assert(isAffine() && "expected an affine expression");
  if (isNumber)
    return getAffineConstantExpr(number, context);
  return toAffine(symbolic, context, [&](Symbolic atom) {
    IndexExprScope::Role role = scope->roles.at(atom);
    return role.isDim ? getAffineDimExpr(role.position, context)
                      : getAffineSymbolExpr(role.position, context);
  });
}

void IndexExpr::getAffineMapAndOperands(
    IndexExprScope &scope, AffineMap &map,
    llvm::SmallVectorImpl<Value> &operands) const {
  // Only the inputs that the expression uses: other inputs of the scope may have no
  // value.
  SmallVector<Symbolic> dims, symbols;
  MLIRContext *context = scope.getBuilder().getContext();
  AffineExpr expr = toAffine(
      getSymbolic(scope.context), context, [&](Symbolic atom) -> AffineExpr {
        bool isDim = scope.roles.at(atom).isDim;
        SmallVector<Symbolic> &used = isDim ? dims : symbols;
        auto *found = llvm::find(used, atom);
        unsigned position = found - used.begin();
        if (found == used.end())
          used.push_back(atom);
        return isDim ? getAffineDimExpr(position, context)
                     : getAffineSymbolExpr(position, context);
      });
  map = AffineMap::get(dims.size(), symbols.size(), expr);
  for (Symbolic atom : llvm::concat<Symbolic>(dims, symbols))
    operands.push_back(scope.lookup(atom));
}
