// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the parts of an imported model came from, so that what nothing has touched is
// exported byte for byte. It stands beside the IR and not in it: passes need not know of
// it, and cannot break it. An operation is untouched if its fingerprint, a hash of all
// that its node would say (operator, attributes, names of operands and results, bodies),
// is still what it was. Types are left out: inference may refine them.
//
//   source.find(op, fingerprints)    the node's bytes if it is untouched, else null
//
// An erased operation whose address is used again is no danger: only an operation that
// says the same has the same fingerprint, and then the bytes are right.
#ifndef INVAR_FRONTEND_IMPORT_SOURCEMAP_H
#define INVAR_FRONTEND_IMPORT_SOURCEMAP_H

#include "invar/Frontend/Wire/WireModel.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include <set>

namespace invar {

/// Computes fingerprints of operations in the order of the program, each once.
class Fingerprints {
public:
  /// `nameOf` gives a value's name in the model, empty where it has none; such a value
  /// counts by how it is computed.
  explicit Fingerprints(std::function<llvm::StringRef(mlir::Value)> nameOf)
      : nameOf(std::move(nameOf)) {}

  uint64_t of(mlir::Operation *op);

private:
  uint64_t ofValue(mlir::Value value);
  uint64_t ofBlock(mlir::Block &block);

  std::function<llvm::StringRef(mlir::Value)> nameOf;
  llvm::DenseMap<mlir::Operation *, uint64_t> known;
};

class SourceMap {
public:
  explicit SourceMap(std::unique_ptr<WireModel> model) : model(std::move(model)) {}

  const WireModel &getModel() const { return *model; }

  /// Remembers that `op` came from `message` (tag included) of the model.
  void addOperation(mlir::Operation *op, llvm::StringRef message, uint64_t fingerprint) {
    operations[op] = {message, fingerprint};
  }
  /// Remembers that `tensor` names a file for its data. What it is a part of is no longer
  /// copied: the file need not be beside the copy.
  void addExternalTensor(const TensorView &tensor) {
    externalTensors.insert(tensor.payload.data());
  }
  /// Remembers that the graph in `region` came from `view`.
  void addGraph(mlir::Region *region, const GraphView *view) { graphs[region] = view; }

  /// The bytes of an operation's message that still say what it says; empty if there
  /// are none.
  llvm::StringRef find(mlir::Operation *op, Fingerprints &fingerprints) const;

  const GraphView *findGraph(mlir::Region *region) const { return graphs.lookup(region); }

  /// Whether `op` came from the model, touched or not.
  bool contains(mlir::Operation *op) const { return operations.contains(op); }

  /// Forgets all bytes of operations, so that each is encoded anew.
  void forgetOperations() { operations.clear(); }

private:
  struct Origin {
    llvm::StringRef message;
    uint64_t fingerprint = 0;
  };
  std::unique_ptr<WireModel> model;
  llvm::DenseMap<mlir::Operation *, Origin> operations;
  llvm::DenseMap<mlir::Region *, const GraphView *> graphs;
  /// By their place in the model.
  std::set<const char *> externalTensors;
};

} // namespace invar

#endif // INVAR_FRONTEND_IMPORT_SOURCEMAP_H
