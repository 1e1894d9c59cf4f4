// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves expansions of constants after the operations that compute with them, so that
// these run on the small tensors:
//
//   f(repeat(a), repeat(b)) = repeat(f(a, b))          broadcasts, tiles, splats
//   f(pad(a, c), pad(b, d)) = pad(f(a, b), f(c, d))    where f(c, d) is a constant
//   move(extend(a))         = extend(move(a))          transposes, reshapes, slices, packing
//   move(repeat(a))         = repeat(move(a))
//
// The first two hold for every elementwise f, the third for every elementwise `extend`.
// Nothing is computed in another way than before, only less often.
//
// Each move lowers the bytes that constant operations write, not counting those that
// only repeat or pad: f writes fewer elements, and `move` narrower ones. A repeat of a
// repeat becomes a repeat of the source, which writes nothing and leaves one fewer
// repeat. So the process terminates, and running it again changes nothing.
#ifndef INVAR_LIB_CONSTFOLD_POSTPONE_H
#define INVAR_LIB_CONSTFOLD_POSTPONE_H

#include "Elementwise.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseSet.h"

namespace invar {

class ConstnessAnalysis;

/// The cost of computing constants: computed elements and written bytes. Unknown sizes
/// count as larger than all others.
class Cost {
public:
  Cost &addComputed(mlir::RankedTensorType type);
  /// Adds elements that are only moved.
  Cost &addMoved(mlir::RankedTensorType type);

  /// A move pays off if it computes no more elements and writes fewer bytes.
  bool paysAgainst(const Cost &before) const {
    return elements <= before.elements && bytes < before.bytes;
  }

private:
  uint64_t elements = 0, bytes = 0;
};

/// The state of rewriting a function: which values are constant, and which operations
/// to visit.
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
  /// Replaces the only result of `op` by `made`. Erases `op` and all operations that
  /// only it used.
  void replace(mlir::Operation *op, mlir::Value made);

  /// Queues `op`. Operations that are created meanwhile are visited too, in order.
  void lookAt(mlir::Operation *op) { toVisit.push_back(op); }
  /// Null if there is none left.
  mlir::Operation *takeNext();

  void notifyOperationInserted(mlir::Operation *op,
                               mlir::OpBuilder::InsertPoint from) override;
  void notifyOperationErased(mlir::Operation *op) override;

private:
  mlir::IRRewriter rewriter;
  llvm::DenseSet<mlir::Value> constants;
  llvm::SmallVector<mlir::Operation *> toVisit;  ///< the next one is last
  llvm::SmallVector<mlir::Operation *> inserted; ///< since the last takeNext()
};

/// Moves repetitions of the operands after an operation.
Refusal postponeRepeat(const Elementwise &op, Postponement &state);
/// The same for an operation that moves the elements of a repeated tensor.
Refusal postponeRepeat(mlir::Operation *op, Postponement &state);
/// Moves padding of the operands after an operation.
Refusal postponePad(const Elementwise &op, Postponement &state);
/// Lets an operation move elements before they are extended.
Refusal postponeExtension(mlir::Operation *op, Postponement &state);

} // namespace invar

#endif // INVAR_LIB_CONSTFOLD_POSTPONE_H
