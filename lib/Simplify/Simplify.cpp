// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Simplify/Simplify.h"

#include "Inline.h"
#include "Sweep.h"
#include "invar/Dialect/ONNX/CreateOperation.h"
#include "invar/Elements/IR/Pool.h"
#include "invar/Stop/Scope.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

llvm::ArrayRef<StringRef> invar::getPartNames() {
  static constexpr StringRef names[] = {"constprop", "canonicalize",
                                        "decompose", "recompose", "simplify"};
  return names;
}

void invar::restrictTo(StringRef part, SimplifyOptions &options) {
  RuleOptions &rules = options.rules;
  bool isAll = part == "simplify";
  rules.exact &= isAll || part == "constprop" || part == "canonicalize";
  rules.fuse &= isAll || part == "constprop";
  rules.wide &= isAll || part == "constprop";
  rules.recompose &= isAll || part == "recompose";
  rules.decompose = (isAll && rules.decompose) || part == "decompose";
  options.storeConstants &= isAll || part == "constprop";
}

SimplifyOptions SimplifyOptions::forLowering() {
  SimplifyOptions options;
  options.rules.lowers = true;
  // Quantized weights may become floats. Transposed weights stay views, which the layout
  // passes resolve. A sparse constant is stored with its zeros.
  options.growth = {.part = 4,
                    .keepsQuantized = false,
                    .keepsTied = true,
                    .keepsSparse = false};
  options.opset = newestOpset;
  return options;
}

/// The version of ai.onnx in a list of imports; the newest if there is none.
static int64_t getOpset(DictionaryAttr imports) {
  return getVersion(imports, "").value_or(newestOpset);
}

/// Simplifies a graph by `run`, then stores its constants.
template <typename Run>
static LogicalResult
simplifyGraph(Region &graph, bool isBody, int64_t opset,
              const AdapterTable &adapters, Functions &functions,
              const SimplifyOptions &options, SimplifyResult &result, Run run) {
  TypeInference inference(graph.getContext(), functions, options.fold);
  inference.setTarget(opset);
  std::optional<ChangeLog> log;
  if (options.record)
    log.emplace(graph);
  Sweep sweep(inference, options, opset, adapters, result,
              log ? &*log : nullptr);
  if (failed(run(sweep)) || StopScope::isDue())
    return failure();
  if (options.fold && options.storeConstants) {
    auto store = [&] {
      return storeConstants(
          graph, inference, options.growth, isBody,
          [&](Operation *op) { sweep.release(op, "fold"); },
          [&](Value constant) { sweep.noteStored(constant); });
    };
    auto isLeft = [](const FoldDecision &decision) {
      return decision.outcome > FoldDecision::Absorbed;
    };
    std::vector<FoldDecision> decisions = store();
    while (sweep.resume()) {
      // Operators that are left are decided again.
      llvm::erase_if(decisions, isLeft);
      llvm::append_range(decisions, store());
    }
    llvm::append_range(result.decisions, decisions);
  }
  result.visits += inference.getNumVisits();
  if (log)
    llvm::append_range(result.changes, log->take());
  return success();
}

FailureOr<SimplifyResult> invar::simplify(ModuleOp module,
                                          const ShapeFacts &facts,
                                          const SimplifyOptions &options) {
  SimplifyResult result;
  int64_t opset = options.opset ? options.opset : getOpset(getImports(module));
  AdapterTable adapters;
  inlineCalls(module, options, result);
  std::optional<Functions> functions(std::in_place);
  LogicalResult done = forEachGraph(
      module, facts, [&](func::FuncOp graph, const ShapeFacts &itsFacts) {
        LogicalResult simplified =
            simplifyGraph(graph.getBody(), /*isBody=*/false, opset, adapters,
                          *functions, options, result, [&](Sweep &sweep) {
                            return sweep.run(graph, itsFacts);
                          });
        graph.setFunctionType(FunctionType::get(
            module.getContext(), graph.getBody().getArgumentTypes(),
            graph.getBody().front().getTerminator()->getOperandTypes()));
        return simplified;
      });
  if (failed(done))
    return failure();
  functions.reset();
  dropUnusedFunctions(module, options, result);
  functions.emplace();
  for (FunctionOp function : module.getOps<FunctionOp>())
    if (failed(
            simplifyGraph(function.getBody(), /*isBody=*/true,
                          options.opset ? options.opset
                                        : getOpset(function.getOpsetImports()),
                          adapters, *functions, options, result,
                          [&](Sweep &sweep) { return sweep.run(function); })))
      return failure();
  // Release constants that were only used to compute others.
  elements::Pool::get(module.getContext()).collect(module);
  return result;
}
