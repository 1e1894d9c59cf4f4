// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which nodes of a graph went, which came, and by which rule.
#ifndef INVAR_LIB_SIMPLIFY_CHANGELOG_H
#define INVAR_LIB_SIMPLIFY_CHANGELOG_H

#include "invar/Simplify/Simplify.h"

namespace invar {

class ChangeLog {
public:
  /// What is in the graph now was there before.
  explicit ChangeLog(mlir::Region &graph);

  void willErase(mlir::Operation *op, llvm::StringRef cause);
  /// Notes what stands between two operators, either of them null for the end of `block`,
  /// and was not there before.
  void noteMade(mlir::Block &block, mlir::Operation *before,
                mlir::Operation *after, llvm::StringRef cause);
  /// All changes: first what went, then what is new, in the order of the program.
  std::vector<NodeChange> take();

private:
  mlir::Region &graph;
  llvm::DenseSet<mlir::Operation *> old;
  llvm::DenseMap<mlir::Operation *, llvm::StringRef> makers;
  std::vector<NodeChange> changes;
};

} // namespace invar

#endif // INVAR_LIB_SIMPLIFY_CHANGELOG_H
