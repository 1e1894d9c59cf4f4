// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer expressions over named unknowns, in one canonical form each.
//
// A dynamic dimension is not "?": it has a name, and what is computed from it is an
// expression over names. Expressions are hash-consed and canonical, so two that are
// found equal are the same pointer:
//
//   SymbolicContext context;
//   Symbolic n = context.getAtom("N");
//   context.add(n, context.getConstant(-1)) …           // N - 1
//   context.floorDiv(context.mul(n, six), three)         // 2*N, the same as n + n
//   context.floorDiv(context.add(h, one), two)           // (h + 1) floordiv 2
//   context.floorDiv(that plus one, two)                 // (h + 3) floordiv 4
//
// The form: a sum of integer multiples of products of factors. A factor is an atom (a
// named dimension, an unknown without a name, a value of the program) or a function that
// is not a polynomial: floordiv, max(x, 0), select, and the truths `x == 0` and `x >= 0`,
// which are 0 or 1. The rest is made of these: max(a, b) is b + max(a - b, 0), min(a, b)
// is a - max(a - b, 0), ceildiv and mod come from floordiv, `not` is 1 - x, `and` is a
// product. Signs are made unique too: max(-x, 0) is max(x, 0) - x.
//
// Each expression knows bounds of its value, from those of its atoms; comparisons and
// min/max are decided by them where they can be. What is learned later, that N equals M
// or is 8, goes into a union-find of definitions: resolve() rewrites by it.
//
// Invariant: nothing overflows and nothing grows without bound, whatever a model says. A
// result beyond 64 bits or beyond `maxSize` nodes is `undefined`, and so is all made of it.
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

/// What is known of a value without knowing it. The limits of int64_t mean "no limit".
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
  /// 0 or 1, the truth of something.
  bool isTruth() const { return truth; }
  /// Has an atom without a name in it.
  bool hasUnknown() const { return unknown; }

  /// A constant's value, or the constant part of a sum.
  int64_t getConstant() const { return constant; }
  llvm::ArrayRef<const SymbolicExpr *> getOperands() const { return operands; }
  /// A sum's factors, one for each operand.
  llvm::ArrayRef<int64_t> getCoefficients() const { return coefficients; }
  Bounds getBounds() const { return bounds; }
  /// The order of creation: what makes the order of operands, and so the form, unique.
  unsigned getId() const { return id; }
  /// How many nodes it has, written out.
  unsigned getSize() const { return size; }
  /// An atom's name, empty if it has none.
  llvm::StringRef getName() const { return name; }

  void Profile(llvm::FoldingSetNodeID &id) const;

private:
  friend class SymbolicContext;
  SymbolicKind kind = SymbolicKind::Undefined;
  bool truth = false;
  bool unknown = false;
  unsigned id = 0;
  unsigned size = 1;
  /// What had been stated of bounds when these were computed.
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
  /// Past this many nodes an expression says nothing to anybody.
  static constexpr unsigned maxSize = 256;

  SymbolicContext();
  SymbolicContext(const SymbolicContext &) = delete;

  //===-- Leaves ------------------------------------------------------------------===//

  Symbolic getUndefined() { return undefined; }
  Symbolic getConstant(int64_t value);
  /// The atom of that name, a size (from 0) unless it has been given other bounds. Without
  /// a name it is a new unknown each time.
  Symbolic getAtom(llvm::StringRef name);
  bool hasAtom(llvm::StringRef name) const { return atoms.contains(name); }
  /// An atom that is like no other: something unknown.
  Symbolic makeUnknown(Bounds bounds = {0, INT64_MAX});
  /// Also like no other, but known where it is used: a value of the program.
  Symbolic makeInput(Bounds bounds);
  /// What the text of an expression means, e.g. "2*N + 1"; a text that is none is a name.
  Symbolic parse(llvm::StringRef text);

  //===-- Operations --------------------------------------------------------------===//

  Symbolic add(Symbolic left, Symbolic right);
  Symbolic sub(Symbolic left, Symbolic right);
  Symbolic mul(Symbolic left, Symbolic right);
  Symbolic scale(Symbolic expr, int64_t factor);
  /// Rounded down, whatever the signs. Undefined for a divisor of zero.
  Symbolic floorDiv(Symbolic left, Symbolic right);
  Symbolic ceilDiv(Symbolic left, Symbolic right);
  /// Has the divisor's sign.
  Symbolic mod(Symbolic left, Symbolic right);
  Symbolic min(Symbolic left, Symbolic right);
  Symbolic max(Symbolic left, Symbolic right);
  Symbolic select(Symbolic condition, Symbolic ifTrue, Symbolic ifFalse);
  /// `expr` with `value` in place of an atom.
  Symbolic substitute(Symbolic expr, Symbolic atom, Symbolic value);

  /// Truths: 0 or 1.
  Symbolic isZero(Symbolic expr);
  Symbolic isAtLeastZero(Symbolic expr);
  Symbolic equal(Symbolic left, Symbolic right);
  /// left <= right.
  Symbolic atMost(Symbolic left, Symbolic right);
  Symbolic logicalNot(Symbolic truth);
  Symbolic logicalAnd(Symbolic left, Symbolic right);
  Symbolic logicalOr(Symbolic left, Symbolic right);

  //===-- Facts -------------------------------------------------------------------===//

  /// States that an atom's value is within bounds; false if it cannot be. Expressions know
  /// it when they are made, or made again, afterwards.
  bool setBounds(Symbolic atom, Bounds bounds);
  /// States that an expression is a size of something that is there: at least 0.
  void assumeSize(Symbolic expr);
  /// States that two expressions are equal; false if they cannot be.
  bool unify(Symbolic left, Symbolic right);
  /// The expression by all that has been stated.
  Symbolic resolve(Symbolic expr);
  /// Grows when a statement changes what resolve() gives.
  unsigned getNumDefinitions() const { return definitions.size(); }

private:
  Symbolic makeNode(SymbolicKind kind, llvm::ArrayRef<Symbolic> operands,
                    int64_t constant = 0,
                    llvm::ArrayRef<int64_t> coefficients = {});
  Symbolic makeAtom(llvm::StringRef name, Bounds bounds);
  Symbolic makeSum(const Polynomial &polynomial);
  Symbolic makeProduct(Symbolic left, Symbolic right);
  Symbolic mulByTerm(Symbolic expr, Symbolic monomial, int64_t coefficient);
  /// left / right as polynomials, null if there is a remainder.
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
  /// How often something was stated of bounds.
  unsigned numBoundFacts = 0;
};

/// As parse() reads it. A name on its own is printed as it is; in an expression one that
/// does not look like a name stands in single quotes.
void print(Symbolic expr, llvm::raw_ostream &stream);
std::string toString(Symbolic expr);

} // namespace invar

#endif // INVAR_INDEXEXPR_SYMBOLIC_H
