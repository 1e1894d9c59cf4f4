// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/ConstFold/Constness.h"
#include "invar/ConstFold/Passes.h"

#include "Postpone.h"
#include "Repeat.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace invar;

namespace invar {
#define GEN_PASS_DEF_POSTPONEEXPANSIONPASS
#include "invar/ConstFold/Passes.h.inc"
} // namespace invar

/// Whether an operation reads constants that are larger than they have to be.
static bool readsExpansion(Operation *op, const ConstantValues &constants) {
  auto isExpansion = [&](Value value) {
    if (!constants.contains(value))
      return false;
    std::optional<Repeat> repeat = Repeat::match(value);
    return (repeat && !repeat->splat) || value.getDefiningOp<tensor::PadOp>();
  };
  return constants.containsAll(op->getOperands()) &&
         llvm::any_of(op->getOperands(), isExpansion);
}

namespace {
struct PostponeExpansionPass
    : invar::impl::PostponeExpansionPassBase<PostponeExpansionPass> {
  using PostponeExpansionPassBase::PostponeExpansionPassBase;

  /// Operations are visited behind those that make what they read, so that an expansion
  /// goes all its way at once.
  void runOnOperation() override {
    ConstnessAnalysis analysis(getOperation());
    Postponement state(getOperation(), analysis);
    getOperation()->walk<WalkOrder::PreOrder>([&](Block *block) {
      if (isa<linalg::LinalgOp>(block->getParentOp()))
        return;
      for (Operation *op = block->empty() ? nullptr : &block->front(); op;) {
        Operation *next = op->getNextNode();
        visit(op, state);
        op = next;
      }
    });
  }

private:
  /// Moves all that expands in front of an operation behind it. What then is in front may
  /// expand, too.
  void visit(Operation *op, Postponement &state) {
    while (op) {
      Move moved = tryAll(op, state);
      if (moved.refusal != Refusal::None) {
        if (explain && moved.refusal != Refusal::Nothing)
          op->emitRemark("expansion stays in front: ")
              << toString(moved.refusal);
        return;
      }
      op = moved.inner;
    }
  }

  /// The first move that is possible, or the first reason why none is.
  Move tryAll(Operation *op, Postponement &state) {
    std::optional<Elementwise> elementwise;
    Move result(Elementwise::match(op, elementwise));
    if (elementwise || !readsExpansion(op, state.getConstants()))
      result = Refusal::Nothing;
    auto hasMoved = [&](Move move, Statistic &count) {
      bool moved = move.refusal == Refusal::None;
      if (moved || result.refusal == Refusal::Nothing)
        result = move;
      count += moved;
      return moved;
    };
    if (elementwise
            ? hasMoved(postponeRepeat(*elementwise, state), numRepeats) ||
                  hasMoved(postponePad(*elementwise, state), numPads)
            : hasMoved(postponeRepeat(op, state), numRepeats))
      return result;
    hasMoved(postponeExtension(op, state), numExtensions);
    return result;
  }
};
} // namespace
