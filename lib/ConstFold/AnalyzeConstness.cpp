// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/ConstFold/Passes.h"
#include "invar/Constness/Constness.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace invar;

namespace invar {
#define GEN_PASS_DEF_ANALYZECONSTNESSPASS
#include "invar/ConstFold/Passes.h.inc"
} // namespace invar

namespace {
struct AnalyzeConstnessPass
    : invar::impl::AnalyzeConstnessPassBase<AnalyzeConstnessPass> {
  using AnalyzeConstnessPassBase::AnalyzeConstnessPassBase;

  void runOnOperation() override {
    std::unique_ptr<ConstnessAnalysis> analysis =
        ConstnessAnalysis::run(getOperation());
    if (!analysis)
      return signalPassFailure();
    if (print) {
      printValues(*analysis);
      markAllAnalysesPreserved();
      return;
    }
    getOperation().walk([&](Operation *op) {
      if (op->getNumResults() == 0)
        return;
      Constness least = Constness::Unknown;
      for (Value result : op->getResults())
        least = std::max(least, analysis->get(result));
      op->setAttr("constness",
                  StringAttr::get(op->getContext(), toString(least)));
    });
  }

private:
  void printValues(const ConstnessAnalysis &analysis) {
    AsmState state(getOperation());
    auto show = [&](Value value, StringRef what) {
      value.printAsOperand(llvm::outs() << "  ", state);
      llvm::outs() << ": " << toString(analysis.get(value)) << " (" << what
                   << ")\n";
    };
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto symbol = dyn_cast<SymbolOpInterface>(op))
        llvm::outs() << "@" << symbol.getName() << "\n";
      for (Value result : op->getResults())
        show(result, op->getName().getStringRef());
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (Value argument : block.getArguments())
            show(argument, "argument");
    });
  }
};
} // namespace
