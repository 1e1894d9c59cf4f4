// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver of all rules: one way through a graph from the top.
//
// At each operator, whose operands are final, types and constants are inferred, then rules
// are tried until none fits, and an operator that was there before in the same form takes
// its place. What a rule makes stands before what it was made for, so it is visited next.
// What has been visited already, and looks different since (an operand was replaced, or it
// has become an operand's only user), is queued, and visited when the way is done. Each
// visit that changes something lowers a measure, so that the queue runs dry.
#ifndef INVAR_LIB_SIMPLIFY_SWEEP_H
#define INVAR_LIB_SIMPLIFY_SWEEP_H

#include "ChangeLog.h"
#include "EqualOperations.h"
#include "invar/Dialect/ONNX/Ops/Graph.h"
#include "invar/Simplify/Simplify.h"

namespace invar {

class Sweep : Rewriting::Observer {
public:
  /// `log` is null where nobody wants to know.
  Sweep(onnx::TypeInference &inference, const SimplifyOptions &options,
        int64_t opset, const onnx::AdapterTable &adapters,
        SimplifyResult &result, ChangeLog *log);

  /// Infers and rewrites a graph. Fails, having emitted an error, where shapes contradict
  /// each other.
  llvm::LogicalResult run(mlir::func::FuncOp main,
                          const onnx::ShapeFacts &facts);
  /// The same for the body of a function, whose inputs may be anything.
  llvm::LogicalResult run(onnx::FunctionOp function);

  /// Forgets an operator that somebody else is going to erase, and queues what has an
  /// operand for itself then.
  void release(mlir::Operation *op, llvm::StringRef cause);
  /// Queues what uses a constant that has taken the place of what computed it: rules may look
  /// at its elements now.
  void noteStored(mlir::Value constant);
  /// Goes on after constants have taken the place of what computed them: some are equal
  /// now. Returns whether that changed anything.
  bool resume();

private:
  /// Rules by what they are anchored at.
  using RuleTable =
      llvm::DenseMap<mlir::OperationName, llvm::SmallVector<const Rule *>>;

  void willErase(mlir::Operation *op) override { forget(op, current->name); }

  void forget(mlir::Operation *op, llvm::StringRef cause);
  void visitAll();
  void visitQueued();
  /// Alternates phases until neither finds anything.
  void settle();
  llvm::LogicalResult visit(mlir::Block &block, mlir::Operation *op,
                            mlir::Operation *end);
  llvm::LogicalResult visitNew(mlir::Block &block, mlir::Operation *&op);
  void visitGraphs(mlir::Operation *op);
  void inferAgain(mlir::Operation *op);
  /// Applies the first rule that fits. Returns what to go on after, if one does.
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
  /// Tried at every operator.
  llvm::SmallVector<const Rule *> everywhere;
  EqualOperations equals{inference};
  /// The first operator of the graph that has not been inferred.
  mlir::Operation *next = nullptr;
  /// Operators whose operands have changed since they were inferred.
  llvm::DenseSet<mlir::Operation *> stale;
  llvm::DenseSet<mlir::Operation *> visited;
  /// Null where what was queued is gone, and where it stands.
  std::vector<mlir::Operation *> worklist;
  llvm::DenseMap<mlir::Operation *, size_t> queued;
  const Rule *current = nullptr;
  /// How often rules were applied.
  unsigned numApplied = 0;
  /// Of those that inference has found, how many all types say.
  unsigned numEqualities = 0;
};

} // namespace invar

#endif // INVAR_LIB_SIMPLIFY_SWEEP_H
