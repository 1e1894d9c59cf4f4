// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic on shapes that is written once for three uses: with literals it computes
// numbers, with names it stays symbolic, and with values of a program it becomes code.
//
// Example: the size of a convolution's output along an axis.
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
// Every IndexExpr that is not a literal is a canonical expression (Symbolic.h) in a
// scope. The scope determines which atoms are dimensions and which are symbols, in the
// sense of affine maps, and where code is emitted. An expression has one of these
// kinds:
//
//   Literal       a number
//   Dim, Symbol   an input, according to its role in the scope
//   Affine        made of those by +, × literal, floordiv and mod by a positive literal
//   Predicate     a truth value
//   NonAffine     anything else
//   Questionmark  an unknown number, which has only a name or an identity
//   Undefined     no value: nothing was given, or an expression exceeded its size limit
//
// An expression that has no value for any inputs (a number beyond 64 bits, or a
// division by zero) is Undefined and also isImpossible(), and so is everything computed
// from it. Nothing wraps around. An impossible size is an error of the operator
// (ShapeHelper.h).
//
// Rules of scopes: an expression is valid only in its scope; literals are valid
// everywhere. Another scope must import an expression. An input is either a Dim or a
// Symbol in a scope: its first role stays. An inner scope imports inputs as Symbols,
// because the index of an outer loop does not change in the inner loop.
//
// Code is emitted at the builder's insertion point, once per expression and scope.
// While the scope lives, do not move the insertion point to a place that earlier values
// do not dominate.
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
  /// A literal, valid in all scopes. The implicit conversion lets operations accept
  /// numbers.
  IndexExpr(int64_t literal) : isNumber(true), number(literal) {}
  IndexExpr(Symbolic symbolic, IndexExprScope &scope);
  /// Undefined for all inputs.
  static IndexExpr makeImpossible() {
    IndexExpr expr;
    expr.number = certain;
    return expr;
  }

  //===-- Queries -----------------------------------------------------------------===//

  IndexExprKind getKind() const;
  bool isUndefined() const { return !isNumber && !symbolic; }
  bool isDefined() const { return !isUndefined(); }
  /// Whether it has no value for any inputs.
  bool isImpossible() const { return isUndefined() && number == certain; }
  bool isLiteral() const { return isNumber; }
  bool isLiteral(int64_t value) const { return isNumber && number == value; }
  bool isQuestionmark() const {
    return getKind() == IndexExprKind::Questionmark;
  }
  bool isDim() const { return getKind() == IndexExprKind::Dim; }
  bool isSymbol() const { return getKind() == IndexExprKind::Symbol; }
  bool isPredicate() const { return symbolic && symbolic->isTruth(); }
  /// Literals, inputs, and affine expressions of them.
  bool isAffine() const;
  bool hasAffineExpr() const { return isAffine(); }
  /// Whether a part of it is unknown or it has no value. Then it cannot be emitted.
  bool hasQuestionmark() const {
    return isUndefined() || (symbolic && symbolic->hasUnknown());
  }
  /// Whether this is known for all inputs.
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
  /// The size of the expression: 0 for a literal, otherwise its number of nodes.
  unsigned getLength() const {
    return isNumber ? 0 : symbolic ? symbolic->getSize() : UINT_MAX;
  }
  Bounds getBounds() const;
  /// Over the dims and symbols of its scope. Requires isAffine().
  mlir::AffineExpr getAffineExpr(mlir::MLIRContext *context) const;
  /// The map of getAffineExpr() and its operands. `scope` is a parameter because a
  /// literal has no scope.
  void
  getAffineMapAndOperands(IndexExprScope &scope, mlir::AffineMap &map,
                          llvm::SmallVectorImpl<mlir::Value> &operands) const;
  /// Emits the expression as an `index`, or returns the value that was emitted before.
  /// Null if hasQuestionmark().
  mlir::Value getValue(IndexExprScope &scope) const;
  /// A literal as an attribute, otherwise the value.
  mlir::OpFoldResult getOpFoldResult(IndexExprScope &scope) const;
  /// The size for a type: the literal, or ShapedType::kDynamic.
  int64_t getShape() const;

  //===-- Operations --------------------------------------------------------------===//
  IndexExpr operator+(IndexExpr other) const;
  IndexExpr operator-(IndexExpr other) const;
  IndexExpr operator*(IndexExpr other) const;
  /// Rounded down; rounded up; the remainder of floorDiv, which has the divisor's sign.
  IndexExpr floorDiv(IndexExpr divisor) const;
  IndexExpr ceilDiv(IndexExpr divisor) const;
  IndexExpr operator%(IndexExpr divisor) const;

  IndexExpr operator==(IndexExpr other) const;
  IndexExpr operator!=(IndexExpr other) const;
  IndexExpr operator<=(IndexExpr other) const;
  IndexExpr operator<(IndexExpr other) const;
  IndexExpr operator>=(IndexExpr other) const { return other <= *this; }
  IndexExpr operator>(IndexExpr other) const { return other < *this; }
  /// For truth values: and, or, not.
  IndexExpr operator&(IndexExpr other) const;
  IndexExpr operator|(IndexExpr other) const;
  IndexExpr operator!() const;

  static IndexExpr min(IndexExpr left, IndexExpr right);
  static IndexExpr max(IndexExpr left, IndexExpr right);
  static IndexExpr select(IndexExpr condition, IndexExpr ifTrue,
                          IndexExpr ifFalse);
  /// Limits the value to [least, most]; `most` wins if least > most.
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

  /// Null for literals and for undefined expressions.
  Symbolic symbolic = nullptr;
  IndexExprScope *scope = nullptr;
  bool isNumber = false;
  /// The value of a literal. For an undefined expression: `certain` if it is
  /// impossible.
  int64_t number = 0;
  static constexpr int64_t certain = 1;
};

class IndexExprScope {
public:
  /// For analysis: cannot emit code.
  explicit IndexExprScope(SymbolicContext &context) : context(context) {}
  /// For emission, at the insertion point of `builder`.
  IndexExprScope(SymbolicContext &context, mlir::OpBuilder &builder,
                 mlir::Location loc)
      : context(context), builder(&builder), loc(loc) {}
  /// Inside `outer`: values that `outer` emitted can be used here.
  explicit IndexExprScope(IndexExprScope &outer)
      : context(outer.context), outer(&outer), builder(outer.builder),
        loc(outer.loc) {}
  IndexExprScope(const IndexExprScope &) = delete;

  SymbolicContext &getContext() const { return context; }
  bool canEmit() const { return builder; }
  mlir::OpBuilder &getBuilder() const { return *builder; }
  mlir::Location getLoc() const { return *loc; }

  //===-- Inputs ------------------------------------------------------------------===//

  /// An unknown number of which only the bounds are known; by default a size.
  IndexExpr getQuestionmark(Bounds bounds = {0, INT64_MAX});
  IndexExpr getDim(llvm::StringRef name);
  IndexExpr getSymbol(llvm::StringRef name);
  /// A value of type `index`.
  IndexExpr getDim(mlir::Value value, Bounds bounds = {0, INT64_MAX});
  IndexExpr getSymbol(mlir::Value value, Bounds bounds = {});
  /// An expression of another scope. Its inputs become symbols, unless they are known
  /// here.
  IndexExpr import(IndexExpr other);
  /// A symbolic expression, with its new inputs as dims or as symbols.
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
  /// The value of an atom or of an emitted expression.
  mlir::Value lookup(Symbolic symbolic) const;
  /// Used if a result would be too large: emits the expression and returns a new input
  /// for its value.
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

/// Prints for example `2*seq`.
llvm::raw_ostream &operator<<(llvm::raw_ostream &stream, IndexExpr expr);

} // namespace invar

#endif // INVAR_INDEXEXPR_INDEXEXPR_H
