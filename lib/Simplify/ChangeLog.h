// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records which nodes of a graph were removed or added, and by which rule.
#ifndef INVAR_LIB_SIMPLIFY_CHANGELOG_H
#define INVAR_LIB_SIMPLIFY_CHANGELOG_H

#include "invar/Simplify/Simplify.h"

namespace invar {

class ChangeLog {
public:
  /// Takes all operators that are in the graph now as old.
  explicit ChangeLog(mlir::Region &graph);

  void willErase(mlir::Operation *op, llvm::StringRef cause);
  /// Records new operators between two operators. Either may be null for that end of
  /// `block`.
  void noteMade(mlir::Block &block, mlir::Operation *before,
                mlir::Operation *after, llvm::StringRef cause);
  /// All changes: first removed nodes, then added ones in program order.
  std::vector<NodeChange> take();

private:
  mlir::Region &graph;
  llvm::DenseSet<mlir::Operation *> old;
  llvm::DenseMap<mlir::Operation *, llvm::StringRef> makers;
  std::vector<NodeChange> changes;
};

} // namespace invar

#endif // INVAR_LIB_SIMPLIFY_CHANGELOG_H
