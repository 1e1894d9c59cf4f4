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

/// A function on its way: what of it is constant, and what of it is to be looked at.
class Postponement : public mlir::RewriterBase::Listener {
public:
  Postponement(mlir::Operation *root, const ConstnessAnalysis &analysis);

  bool isConstant(mlir::Value value) const { return constants.contains(value); }
  bool areConstant(mlir::ValueRange values) const {
    return llvm::all_of(values, [&](mlir::Value v) { return isConstant(v); });
  }

  mlir::OpBuilder &at(mlir::Operation *op) {
    rewriter.setInsertionPoint(op);
    return rewriter;
  }
  /// `made` instead of the only result of `op`, which vanishes with all that only it read.
  void replace(mlir::Operation *op, mlir::Value made);

  /// The operations to look at: `op`, and those that come into being meanwhile, in order.
  void lookAt(mlir::Operation *op) { toVisit.push_back(op); }
  /// Null where there is none left.
  mlir::Operation *takeNext();

  void notifyOperationInserted(mlir::Operation *op,
                               mlir::OpBuilder::InsertPoint from) override;
  void notifyOperationErased(mlir::Operation *op) override;

private:
  mlir::IRRewriter rewriter;
  llvm::DenseSet<mlir::Value> constants;
  llvm::SmallVector<mlir::Operation *> toVisit;  ///< the next one last
  llvm::SmallVector<mlir::Operation *> inserted; ///< since that one
};

/// Lets what the operands repeat be repeated behind an operation.
Refusal postponeRepeat(const Elementwise &op, Postponement &state);
/// The same for one that moves the elements of what is repeated.
Refusal postponeRepeat(mlir::Operation *op, Postponement &state);
/// Lets what stands around the operands stand around the result.
Refusal postponePad(const Elementwise &op, Postponement &state);
/// Lets an operation that moves elements move them before they are extended.
Refusal postponeExtension(mlir::Operation *op, Postponement &state);

} // namespace invar

#endif // INVAR_LIB_CONSTFOLD_POSTPONE_H
