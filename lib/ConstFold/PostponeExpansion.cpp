// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/ConstFold/Passes.h"
#include "invar/Constness/Constness.h"

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

/// Whether all operands are constants, and one of them is repeated or padded.
static bool readsExpansion(Operation *op, const Postponement &state) {
  auto isExpansion = [&](Value value) {
    if (!state.isConstant(value))
      return false;
    std::optional<Repeat> repeat = Repeat::match(value);
    return (repeat && !repeat->splat) || value.getDefiningOp<tensor::PadOp>();
  };
  return state.areConstant(op->getOperands()) &&
         llvm::any_of(op->getOperands(), isExpansion);
}

namespace {
struct PostponeExpansionPass
    : invar::impl::PostponeExpansionPassBase<PostponeExpansionPass> {
  using PostponeExpansionPassBase::PostponeExpansionPassBase;

  /// Visits operations after the producers of their operands, so that an expansion
  /// moves as far as possible at once.
  void runOnOperation() override {
    std::unique_ptr<ConstnessAnalysis> analysis =
        ConstnessAnalysis::run(getOperation());
    if (!analysis)
      return signalPassFailure();
    Postponement state(getOperation(), *analysis);
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
  /// Moves all expansions before an operation after it, then handles the operations
  /// that this creates.
  void visit(Operation *op, Postponement &state) {
    state.lookAt(op);
    while (Operation *next = state.takeNext()) {
      Refusal refusal = tryAll(next, state);
      if (explain && refusal != Refusal::None && refusal != Refusal::Nothing)
        next->emitRemark("expansion stays in front: ") << toString(refusal);
    }
  }

  /// Tries all moves. Returns None if one succeeds, otherwise the first reason for a
  /// refusal.
  Refusal tryAll(Operation *op, Postponement &state) {
    std::optional<Elementwise> elementwise;
    Refusal result = Elementwise::match(op, elementwise);
    if (elementwise || !readsExpansion(op, state))
      result = Refusal::Nothing;
    auto hasMoved = [&](Refusal refusal) {
      bool moved = refusal == Refusal::None;
      if (moved || result == Refusal::Nothing)
        result = refusal;
      return moved;
    };
    if (elementwise ? hasMoved(postponeRepeat(*elementwise, state)) ||
                          hasMoved(postponePad(*elementwise, state))
                    : hasMoved(postponeRepeat(op, state)))
      return result;
    hasMoved(postponeExtension(op, state));
    return result;
  }
};
} // namespace
