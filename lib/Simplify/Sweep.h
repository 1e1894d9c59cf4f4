// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver of all rules: one sweep through a graph from the top.
//
// At each operator, whose operands are final, the sweep infers types and constants.
// Then it tries rules until none applies. If an equal operator exists already, that one
// replaces it. Operators that a rule creates are placed before the anchor, and are
// visited next. An operator that was visited before is queued if it changes: if an
// operand was replaced, or if it became the only user of an operand. The queue is
// processed when the sweep is done. Each visit that changes something lowers a measure,
// so the queue becomes empty.
#ifndef INVAR_LIB_SIMPLIFY_SWEEP_H
#define INVAR_LIB_SIMPLIFY_SWEEP_H

#include "ChangeLog.h"
#include "EqualOperations.h"
#include "invar/Dialect/ONNX/Ops/Graph.h"
#include "invar/Simplify/Simplify.h"

namespace invar {

class Sweep : Rewriting::Observer {
public:
  /// `log` may be null.
  Sweep(onnx::TypeInference &inference, const SimplifyOptions &options,
        int64_t opset, const onnx::AdapterTable &adapters,
        SimplifyResult &result, ChangeLog *log);

  /// Infers and rewrites a graph. If shapes contradict each other, emits an error and
  /// fails.
  llvm::LogicalResult run(mlir::func::FuncOp main,
                          const onnx::ShapeFacts &facts);
  /// The same for the body of a function, whose inputs have unknown types.
  llvm::LogicalResult run(onnx::FunctionOp function);

  /// Called before other code erases an operator. Queues operators that become the only
  /// user of an operand.
  void release(mlir::Operation *op, llvm::StringRef cause);
  /// Queues the users of a constant that replaced a computed value: rules may now read
  /// its elements.
  void noteStored(mlir::Value constant);
  /// Continues after storeConstants(), which may have made constants equal. Returns
  /// whether anything changed.
  bool resume();

private:
  /// Rules by their anchors.
  using RuleTable =
      llvm::DenseMap<mlir::OperationName, llvm::SmallVector<const Rule *>>;

  void willErase(mlir::Operation *op) override { forget(op, current->name); }

  void forget(mlir::Operation *op, llvm::StringRef cause);
  void visitAll();
  void visitQueued();
  /// Alternates phases until neither changes anything.
  void settle();
  llvm::LogicalResult visit(mlir::Block &block, mlir::Operation *op,
                            mlir::Operation *end);
  llvm::LogicalResult visitNew(mlir::Block &block, mlir::Operation *&op);
  void visitGraphs(mlir::Operation *op);
  void inferAgain(mlir::Operation *op);
  /// Applies the first rule that fits. If there is one, returns the operator after
  /// which to continue; null at the beginning of the block.
  std::optional<mlir::Operation *> apply(mlir::Operation *op);
  std::optional<mlir::Operation *> apply(const Rule &rule, mlir::Operation *op);
  llvm::LogicalResult applyBuiltIn(const Rule &rule, mlir::Operation *op,
                                   Rewriting &rewriting);
  void note(const Rewriting &rewriting);
  void queue(mlir::Operation *op);
  void startPhase(bool recompose);

  onnx::TypeInference &inference;
  const SimplifyOptions &options;
  int64_t opset;
  const onnx::AdapterTable &adapters;
  SimplifyResult &result;
  ChangeLog *log;
  mlir::Region *graph = nullptr;
  /// Null for the body of a function.
  mlir::func::FuncOp main;
  RuleTable rules;
  /// Rules that are tried at every operator.
  llvm::SmallVector<const Rule *> everywhere;
  EqualOperations equals{inference};
  /// The first operator of the graph that has not been inferred.
  mlir::Operation *next = nullptr;
  /// Operators whose operands have changed since they were inferred.
  llvm::DenseSet<mlir::Operation *> stale;
  llvm::DenseSet<mlir::Operation *> visited;
  /// Null in place of queued operators that are gone; `queued` maps operators to their
  /// index.
  std::vector<mlir::Operation *> worklist;
  llvm::DenseMap<mlir::Operation *, size_t> queued;
  const Rule *current = nullptr;
  /// How often rules were applied.
  unsigned numApplied = 0;
  /// The number of equalities from inference that all types reflect.
  unsigned numEqualities = 0;
};

} // namespace invar

#endif // INVAR_LIB_SIMPLIFY_SWEEP_H
