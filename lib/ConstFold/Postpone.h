// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What makes constants bigger, moved behind what computes with them, so that this is done on
// the small side, once:
//
//   f(repeat(a), repeat(b)) = repeat(f(a, b))          broadcasts, tiles, splats
//   f(pad(a, c), pad(b, d)) = pad(f(a, b), f(c, d))    where f(c, d) is a constant
//   move(extend(a))         = extend(move(a))          transposes, reshapes, slices, packing
//   move(repeat(a))         = repeat(move(a))
//
// The first two hold for every f that computes element by element, the third for every
// `extend` that does. Nothing is computed in another way than before, only less often.
//
// Each move lowers the bytes that constant operations write, where those are left out that
// only repeat or pad: f writes fewer elements, and `move` narrower ones. A repeat of a repeat
// becomes one of what is repeated, which writes nothing and leaves fewer of them. So moving
// comes to an end; what is at its end is found so again.
#ifndef INVAR_LIB_CONSTFOLD_POSTPONE_H
#define INVAR_LIB_CONSTFOLD_POSTPONE_H

#include "Elementwise.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseSet.h"

namespace invar {

class ConstnessAnalysis;

/// Which values are constant, while operations come and go.
class ConstantValues : public mlir::RewriterBase::Listener {
public:
  /// All values in `root` that are constant now.
  ConstantValues(mlir::Operation *root, const ConstnessAnalysis &analysis);

  bool contains(mlir::Value value) const { return values.contains(value); }
  bool containsAll(mlir::ValueRange all) const {
    return llvm::all_of(all, [&](mlir::Value v) { return contains(v); });
  }
  void add(mlir::Value value) { values.insert(value); }
  void notifyOperationErased(mlir::Operation *op) override;

private:
  llvm::DenseSet<mlir::Value> values;
};

/// What it costs to make constants: the elements that are computed, and the bytes that are
/// written. Sizes that are not known count as larger than all others.
class Cost {
public:
  Cost &addComputed(mlir::RankedTensorType type);
  /// Elements that only go to another place.
  Cost &addMoved(mlir::RankedTensorType type);

  /// A move pays if no more is computed, and less is written.
  bool paysAgainst(const Cost &before) const {
    return elements <= before.elements && bytes < before.bytes;
  }

private:
  uint64_t elements = 0, bytes = 0;
};

/// A function on its way.
class Postponement {
public:
  Postponement(mlir::Operation *root, const ConstnessAnalysis &analysis);

  mlir::OpBuilder &at(mlir::Operation *op) {
    rewriter.setInsertionPoint(op);
    return rewriter;
  }
  ConstantValues &getConstants() { return constants; }

  /// `made` instead of the only result of `op`, which vanishes with all that only it read.
  void replace(mlir::Operation *op, mlir::Value made);

private:
  ConstantValues constants;
  mlir::IRRewriter rewriter;
};

/// What came of a try: `inner` is the operation that now is on the small side, behind which
/// others may expand; null where there is none.
struct Move {
  Refusal refusal;
  mlir::Operation *inner = nullptr;

  Move(Refusal refusal) : refusal(refusal) {}
  static Move to(mlir::Value small) {
    Move moved(Refusal::None);
    moved.inner = small.getDefiningOp();
    return moved;
  }
};

/// Lets what the operands repeat be repeated behind an operation.
Move postponeRepeat(const Elementwise &op, Postponement &state);
/// The same for one that moves the elements of what is repeated.
Move postponeRepeat(mlir::Operation *op, Postponement &state);
/// Lets what stands around the operands stand around the result.
Move postponePad(const Elementwise &op, Postponement &state);
/// Lets an operation that moves elements move them before they are extended.
Move postponeExtension(mlir::Operation *op, Postponement &state);

} // namespace invar

#endif // INVAR_LIB_CONSTFOLD_POSTPONE_H
