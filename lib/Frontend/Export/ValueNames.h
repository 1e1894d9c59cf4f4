// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assigns to each value of a module its name in the file. Outputs and inputs always keep
// their names; other values keep theirs unless it is already in use. A value without a
// name gets one when it is needed.
//
// Invariant: two values that are visible at the same place have different names.
#ifndef INVAR_LIB_FRONTEND_EXPORT_VALUENAMES_H
#define INVAR_LIB_FRONTEND_EXPORT_VALUENAMES_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

namespace invar {

/// Names of a graph's inputs and outputs, from the place where they are kept: attributes
/// of @main, or onnx.graph of a terminator.
llvm::SmallVector<llvm::StringRef> getInputNames(mlir::Block &graph);
llvm::SmallVector<llvm::StringRef> getOutputNames(mlir::Block &graph);

class ValueNames {
public:
  explicit ValueNames(mlir::ModuleOp module);

  /// The name that a value has, empty if it has none yet.
  llvm::StringRef lookup(mlir::Value value) const {
    return names.lookup(value);
  }

  /// The same, but makes up a name after the value's operator if there is none.
  llvm::StringRef get(mlir::Value value);

  /// Whether something has this name.
  bool contains(llvm::StringRef name) const { return taken.contains(name); }

  /// Makes up an unused name from `stem`.
  llvm::StringRef makeUp(llvm::StringRef stem);

private:
  void nameGraph(mlir::Block &graph);
  bool assign(mlir::Value value, llvm::StringRef name,
              llvm::DenseMap<llvm::StringRef, mlir::Value> &own);

  llvm::DenseMap<mlir::Value, llvm::StringRef> names;
  /// Every name that occurs anywhere; owns made-up names.
  llvm::StringSet<> taken;
  llvm::StringMap<unsigned> counters;
};

} // namespace invar

#endif // INVAR_LIB_FRONTEND_EXPORT_VALUENAMES_H
