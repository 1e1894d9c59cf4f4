// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic on shapes, said once: with literals it computes, with names it stays
// symbolic, with values of a program it becomes the code that will compute.
//
// Worked example: the size of a convolution's output along an axis.
//
//   IndexExpr outputSize(IndexExpr in, IndexExpr kernel, IndexExpr stride) {
//     return (in - kernel).floorDiv(stride) + 1;
//   }
//
//   IndexExprScope scope(context);                       // analysis
//   outputSize(224, 3, 2)                                // 111
//   outputSize(scope.getDim("h"), 3, 2)                  // (h + 1) floordiv 2 - 1
//
//   IndexExprScope code(context, opBuilder, loc);        // emission
//   IndexExpr h = code.getDim(value);                    // the value of a tensor.dim
//   outputSize(h, 3, 2).getValue(code)                   // affine.apply of the same
//
// Every IndexExpr that is not a literal is a canonical expression (Symbolic.h) seen from a scope. The scope says
// which atoms are dimensions and which symbols, in the sense of affine maps, and where
// code goes. So an expression has one of these kinds:
//
//   Literal       a number
//   Dim, Symbol   an input, by the role that it has in the scope
//   Affine        made of those by +, × literal, floordiv and mod by a positive literal
//   Predicate     a truth
//   NonAffine     anything else
//   Questionmark  something unknown, of which only the name or identity is known
//   Undefined     no value: nothing was given, or an expression grew beyond all bounds
//
// What certainly has no value, a number beyond 64 bits or divided by zero whatever the
// inputs are, is Undefined and also isImpossible(), and so is all made of it. Nothing wraps
// around; a size that is impossible is an error of the operator (ShapeHelper.h).
//
// Rules of scopes: an expression is valid in its own scope and literals are everywhere;
// another scope imports it. An input is a Dim or a Symbol in one scope, not both: the
// first role it is given stays. What an inner scope imports is a Symbol there, since an
// outer loop's index does not change in the inner loop.
//
// Code is emitted at the builder's insertion point, once per expression and scope: don't
// move it to where earlier values do not dominate while the scope lives.
#ifndef INVAR_INDEXEXPR_INDEXEXPR_H
#define INVAR_INDEXEXPR_INDEXEXPR_H

#include "invar/IndexExpr/Symbolic.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Value.h"
#include <climits>

namespace invar {

class IndexExpr;
class IndexExprScope;
using DimsExpr = llvm::SmallVector<IndexExpr, 4>;

enum class IndexExprKind : uint8_t {
  Undefined,
  Literal,
  Dim,
  Symbol,
  Affine,
  Predicate,
  NonAffine,
  Questionmark
};

class IndexExpr {
public:
  /// Undefined.
  IndexExpr() = default;
  /// A literal, valid in all scopes; so each operation takes numbers as well.
  IndexExpr(int64_t literal) : isNumber(true), number(literal) {}
  IndexExpr(Symbolic symbolic, IndexExprScope &scope);
  /// Undefined, whatever the inputs are.
  static IndexExpr makeImpossible() {
    IndexExpr expr;
    expr.number = certain;
    return expr;
  }

  //===-- Queries -----------------------------------------------------------------===//

  IndexExprKind getKind() const;
  bool isUndefined() const { return !isNumber && !symbolic; }
  bool isDefined() const { return !isUndefined(); }
  /// No inputs give it a value.
  bool isImpossible() const { return isUndefined() && number == certain; }
  bool isLiteral() const { return isNumber; }
  bool isLiteral(int64_t value) const { return isNumber && number == value; }
  bool isQuestionmark() const {
    return getKind() == IndexExprKind::Questionmark;
  }
  bool isDim() const { return getKind() == IndexExprKind::Dim; }
  bool isSymbol() const { return getKind() == IndexExprKind::Symbol; }
  bool isPredicate() const { return symbolic && symbolic->isTruth(); }
  /// Literals, inputs and what is made of them affinely.
  bool isAffine() const;
  bool hasAffineExpr() const { return isAffine(); }
  /// Something in it is unknown, or it has no value: it cannot be emitted.
  bool hasQuestionmark() const {
    return isUndefined() || (symbolic && symbolic->hasUnknown());
  }
  /// Known to be so, whatever the inputs are.
  bool isAtLeast(int64_t least) const {
    return isDefined() && getBounds().least >= least;
  }
  bool isKnownEqual(IndexExpr other) const;
  bool isKnownDifferent(IndexExpr other) const;

  //===-- Getters -----------------------------------------------------------------===//

  int64_t getLiteral() const {
    assert(isNumber && "expected a literal");
    return number;
  }
  Symbolic getSymbolic(SymbolicContext &context) const;
  IndexExprScope *getScope() const { return scope; }
  /// How much there is to it: 0 for a literal, else its nodes.
  unsigned getLength() const {
    return isNumber ? 0 : symbolic ? symbolic->getSize() : UINT_MAX;
  }
  Bounds getBounds() const;
  /// Over the dims and symbols of its scope. Only where isAffine().
  mlir::AffineExpr getAffineExpr(mlir::MLIRContext *context) const;
  /// The map of getAffineExpr() and what to apply it to. A literal can be had in any
  /// scope, so what needs one is told it.
  void
  getAffineMapAndOperands(IndexExprScope &scope, mlir::AffineMap &map,
                          llvm::SmallVectorImpl<mlir::Value> &operands) const;
  /// Emits it as an `index`, or finds it emitted. Null if it hasQuestionmark().
  mlir::Value getValue(IndexExprScope &scope) const;
  /// A literal as an attribute, else the value.
  mlir::OpFoldResult getOpFoldResult(IndexExprScope &scope) const;
  /// The size for a type: the literal, or ShapedType::kDynamic.
  int64_t getShape() const;

  //===-- Operations --------------------------------------------------------------===//
  IndexExpr operator+(IndexExpr other) const;
  IndexExpr operator-(IndexExpr other) const;
  IndexExpr operator*(IndexExpr other) const;
  /// Rounded down; up; the remainder of the former, which has the divisor's sign.
  IndexExpr floorDiv(IndexExpr divisor) const;
  IndexExpr ceilDiv(IndexExpr divisor) const;
  IndexExpr operator%(IndexExpr divisor) const;

  IndexExpr operator==(IndexExpr other) const;
  IndexExpr operator!=(IndexExpr other) const;
  IndexExpr operator<=(IndexExpr other) const;
  IndexExpr operator<(IndexExpr other) const;
  IndexExpr operator>=(IndexExpr other) const { return other <= *this; }
  IndexExpr operator>(IndexExpr other) const { return other < *this; }
  /// Of truths: both, either, not.
  IndexExpr operator&(IndexExpr other) const;
  IndexExpr operator|(IndexExpr other) const;
  IndexExpr operator!() const;

  static IndexExpr min(IndexExpr left, IndexExpr right);
  static IndexExpr max(IndexExpr left, IndexExpr right);
  static IndexExpr select(IndexExpr condition, IndexExpr ifTrue,
                          IndexExpr ifFalse);
  /// Within [least, most]; `most` wins if they cross.
  IndexExpr clamp(IndexExpr least, IndexExpr most) const {
    return min(max(*this, least), most);
  }

private:
  friend llvm::raw_ostream &operator<<(llvm::raw_ostream &, IndexExpr);
  friend class IndexExprScope;
  using SymbolicOperation = Symbolic (SymbolicContext::*)(Symbolic, Symbolic);
  static IndexExpr binary(IndexExpr left, IndexExpr right,
                          std::optional<int64_t> (*numbers)(int64_t, int64_t),
                          SymbolicOperation operation);
  static IndexExpr growing(IndexExpr left, IndexExpr right,
                           std::optional<int64_t> (*numbers)(int64_t, int64_t),
                           SymbolicOperation operation);

  /// Null for literals and where there is no value.
  Symbolic symbolic = nullptr;
  IndexExprScope *scope = nullptr;
  bool isNumber = false;
  /// A literal's. What is undefined has no number; whether that is certain stands here.
  int64_t number = 0;
  static constexpr int64_t certain = 1;
};

class IndexExprScope {
public:
  /// For analysis: nothing can be emitted.
  explicit IndexExprScope(SymbolicContext &context) : context(context) {}
  /// For emission, at the insertion point of `builder`.
  IndexExprScope(SymbolicContext &context, mlir::OpBuilder &builder,
                 mlir::Location loc)
      : context(context), builder(&builder), loc(loc) {}
  /// Inside `outer`: what is emitted there can be used here.
  explicit IndexExprScope(IndexExprScope &outer)
      : context(outer.context), outer(&outer), builder(outer.builder),
        loc(outer.loc) {}
  IndexExprScope(const IndexExprScope &) = delete;

  SymbolicContext &getContext() const { return context; }
  bool canEmit() const { return builder; }
  mlir::OpBuilder &getBuilder() const { return *builder; }
  mlir::Location getLoc() const { return *loc; }

  //===-- Inputs ------------------------------------------------------------------===//

  /// Something of which nothing is known but that it is a size, or any number.
  IndexExpr getQuestionmark(Bounds bounds = {0, INT64_MAX});
  IndexExpr getDim(llvm::StringRef name);
  IndexExpr getSymbol(llvm::StringRef name);
  /// A value of type `index`.
  IndexExpr getDim(mlir::Value value, Bounds bounds = {0, INT64_MAX});
  IndexExpr getSymbol(mlir::Value value, Bounds bounds = {});
  /// An expression of another scope: its inputs, unless they are known here, are symbols.
  IndexExpr import(IndexExpr other);
  /// A symbolic expression, its new inputs as dims or symbols.
  IndexExpr getAsDim(Symbolic symbolic);
  IndexExpr getAsSymbol(Symbolic symbolic);

  unsigned getNumDims() const { return dims.size(); }
  unsigned getNumSymbols() const { return symbols.size(); }

private:
  friend class IndexExpr;
  friend class Emitter;
  struct Role {
    bool isDim;
    unsigned position;
  };
  void giveRoles(Symbolic symbolic, bool asDim);
  Symbolic getAtomOf(mlir::Value value, Bounds bounds);
  /// The value that an atom stands for or an expression was emitted as.
  mlir::Value lookup(Symbolic symbolic) const;
  /// Makes room when a result would be too large: what is emitted becomes an input.
  Symbolic shrink(Symbolic symbolic);

  SymbolicContext &context;
  IndexExprScope *outer = nullptr;
  mlir::OpBuilder *builder = nullptr;
  std::optional<mlir::Location> loc;
  llvm::DenseMap<Symbolic, Role> roles;
  llvm::SmallVector<Symbolic> dims, symbols;
  llvm::DenseMap<Symbolic, mlir::Value> values;
  llvm::DenseMap<mlir::Value, Symbolic> atomsOfValues;
};

/// As in `2*seq`.
llvm::raw_ostream &operator<<(llvm::raw_ostream &stream, IndexExpr expr);

} // namespace invar

#endif // INVAR_INDEXEXPR_INDEXEXPR_H
