// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer expressions over named unknowns, each with one canonical form.
//
// A dynamic dimension is not "?": it has a name, and sizes computed from it are
// expressions over names. Expressions are hash-consed and canonical, so two expressions
// that are found equal are the same pointer:
//
//   SymbolicContext context;
//   Symbolic n = context.getAtom("N");
//   context.add(n, context.getConstant(-1)) …           // N - 1
//   context.floorDiv(context.mul(n, six), three)         // 2*N, the same as n + n
//   context.floorDiv(context.add(h, one), two)           // (h + 1) floordiv 2
//   context.floorDiv(that plus one, two)                 // (h + 3) floordiv 4
//
// The canonical form is a sum of integer multiples of products of factors. A factor is
// an atom (a named dimension, an unknown without a name, a value of the program) or a
// function that is not a polynomial: floordiv, max(x, 0), select, and the truth values
// `x == 0` and `x >= 0`, which are 0 or 1. Everything else is expressed by these:
// max(a, b) is b + max(a - b, 0), min(a, b) is a - max(a - b, 0), ceildiv and mod use
// floordiv, `not` is 1 - x, `and` is a product. Signs are canonical too: max(-x, 0) is
// max(x, 0) - x.
//
// Each expression has bounds of its value, computed from those of its atoms. They
// decide comparisons and min/max if possible. Facts that are learned later, for example
// that N equals M or is 8, are stored in a union-find of definitions; resolve() applies
// them.
//
// Invariant: nothing overflows and nothing grows without bound, for any model. A result
// beyond 64 bits or beyond `maxSize` nodes is `undefined`, and so is everything
// computed from it.
#ifndef INVAR_INDEXEXPR_SYMBOLIC_H
#define INVAR_INDEXEXPR_SYMBOLIC_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Allocator.h"
#include <optional>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace invar {

enum class SymbolicKind : uint8_t {
  Undefined,
  Constant,
  Atom,
  Sum,      ///< constant + Σ coefficient · operand
  Product,  ///< operands, at least two, by identity
  FloorDiv, ///< operand 0 divided by operand 1, rounded down
  Ramp,     ///< max(operand, 0)
  IsZero,   ///< operand == 0
  IsAtLeastZero,
  Select, ///< operand 0 is not zero ? operand 1 : operand 2
};

/// A range that contains a value. The limits of int64_t mean "no limit".
struct Bounds {
  int64_t least = INT64_MIN;
  int64_t most = INT64_MAX;

  bool contains(int64_t value) const { return least <= value && value <= most; }
  bool operator==(const Bounds &) const = default;
};

class SymbolicExpr : public llvm::FoldingSetNode {
public:
  SymbolicKind getKind() const { return kind; }
  bool isConstant() const { return kind == SymbolicKind::Constant; }
  bool isUndefined() const { return kind == SymbolicKind::Undefined; }
  bool isAtom() const { return kind == SymbolicKind::Atom; }
  /// Whether it is a truth value: 0 or 1.
  bool isTruth() const { return truth; }
  /// Whether it contains an atom without a name.
  bool hasUnknown() const { return unknown; }

  /// The value of a constant, or the constant part of a sum.
  int64_t getConstant() const { return constant; }
  llvm::ArrayRef<const SymbolicExpr *> getOperands() const { return operands; }
  /// The coefficients of a sum, one for each operand.
  llvm::ArrayRef<int64_t> getCoefficients() const { return coefficients; }
  Bounds getBounds() const { return bounds; }
  /// The order of creation. It makes the order of operands, and thus the form, unique.
  unsigned getId() const { return id; }
  /// The number of nodes of the expression as a tree.
  unsigned getSize() const { return size; }
  /// The name of an atom; empty if it has none.
  llvm::StringRef getName() const { return name; }

  void Profile(llvm::FoldingSetNodeID &id) const;

private:
  friend class SymbolicContext;
  SymbolicKind kind = SymbolicKind::Undefined;
  bool truth = false;
  bool unknown = false;
  unsigned id = 0;
  unsigned size = 1;
  /// The value of numBoundFacts when `bounds` was computed.
  unsigned facts = 0;
  int64_t constant = 0;
  Bounds bounds;
  llvm::ArrayRef<const SymbolicExpr *> operands;
  llvm::ArrayRef<int64_t> coefficients;
  llvm::StringRef name;
};

using Symbolic = const SymbolicExpr *;

struct Polynomial;

class SymbolicContext {
public:
  /// A larger expression has no practical use.
  static constexpr unsigned maxSize = 256;

  SymbolicContext();
  SymbolicContext(const SymbolicContext &) = delete;

  //===-- Leaves ------------------------------------------------------------------===//

  Symbolic getUndefined() { return undefined; }
  Symbolic getConstant(int64_t value);
  /// The atom with this name. It is a size (at least 0) unless it has other bounds.
  /// With an empty name, it is a new unknown each time.
  Symbolic getAtom(llvm::StringRef name);
  bool hasAtom(llvm::StringRef name) const { return atoms.contains(name); }
  /// A new unknown, different from all other atoms.
  Symbolic makeUnknown(Bounds bounds = {0, INT64_MAX});
  /// A new atom too, but its value is known at run time: a value of the program.
  Symbolic makeInput(Bounds bounds);
  /// Parses an expression, e.g. "2*N + 1". A text that is not an expression is a name.
  Symbolic parse(llvm::StringRef text);

  //===-- Operations --------------------------------------------------------------===//

  Symbolic add(Symbolic left, Symbolic right);
  Symbolic sub(Symbolic left, Symbolic right);
  Symbolic mul(Symbolic left, Symbolic right);
  Symbolic scale(Symbolic expr, int64_t factor);
  /// Rounded down for all signs. Undefined if the divisor is zero.
  Symbolic floorDiv(Symbolic left, Symbolic right);
  Symbolic ceilDiv(Symbolic left, Symbolic right);
  /// The result has the divisor's sign.
  Symbolic mod(Symbolic left, Symbolic right);
  Symbolic min(Symbolic left, Symbolic right);
  Symbolic max(Symbolic left, Symbolic right);
  Symbolic select(Symbolic condition, Symbolic ifTrue, Symbolic ifFalse);
  /// Replaces `atom` by `value` in `expr`.
  Symbolic substitute(Symbolic expr, Symbolic atom, Symbolic value);

  /// Truth values: 0 or 1.
  Symbolic isZero(Symbolic expr);
  Symbolic isAtLeastZero(Symbolic expr);
  Symbolic equal(Symbolic left, Symbolic right);
  /// left <= right.
  Symbolic atMost(Symbolic left, Symbolic right);
  Symbolic logicalNot(Symbolic truth);
  Symbolic logicalAnd(Symbolic left, Symbolic right);
  Symbolic logicalOr(Symbolic left, Symbolic right);

  //===-- Facts -------------------------------------------------------------------===//

  /// States that an atom's value is within bounds. Returns false if it cannot be. This
  /// affects expressions that are created, or created again, afterwards.
  bool setBounds(Symbolic atom, Bounds bounds);
  /// States that an expression is the size of an existing tensor: at least 0.
  void assumeSize(Symbolic expr);
  /// States that two expressions are equal. Returns false if they cannot be.
  bool unify(Symbolic left, Symbolic right);
  /// The expression after applying all stated facts.
  Symbolic resolve(Symbolic expr);
  /// Increases when a statement changes the results of resolve().
  unsigned getNumDefinitions() const { return definitions.size(); }

private:
  Symbolic makeNode(SymbolicKind kind, llvm::ArrayRef<Symbolic> operands,
                    int64_t constant = 0,
                    llvm::ArrayRef<int64_t> coefficients = {});
  Symbolic makeAtom(llvm::StringRef name, Bounds bounds);
  Symbolic makeSum(const Polynomial &polynomial);
  Symbolic makeProduct(Symbolic left, Symbolic right);
  Symbolic mulByTerm(Symbolic expr, Symbolic monomial, int64_t coefficient);
  /// left / right as polynomials; null if there is a remainder.
  Symbolic divideExactly(Symbolic left, Symbolic right);
  Symbolic divideByFactor(Symbolic expr, Symbolic factor);
  Symbolic floorDivByConstant(Symbolic left, int64_t divisor);
  /// max(expr, 0).
  Symbolic ramp(Symbolic expr);

  llvm::BumpPtrAllocator allocator;
  llvm::FoldingSet<SymbolicExpr> nodes;
  llvm::StringMap<Symbolic> atoms;
  llvm::DenseMap<Symbolic, Symbolic> definitions;
  llvm::DenseMap<Symbolic, Symbolic> resolved;
  Symbolic undefined = nullptr;
  unsigned nextId = 0;
  /// How often bounds were stated.
  unsigned numBoundFacts = 0;
};

/// Prints in the syntax of parse(). A single name is printed unchanged. In an
/// expression, a name that does not look like an identifier is in single quotes.
void print(Symbolic expr, llvm::raw_ostream &stream);
std::string toString(Symbolic expr);

} // namespace invar

#endif // INVAR_INDEXEXPR_SYMBOLIC_H
