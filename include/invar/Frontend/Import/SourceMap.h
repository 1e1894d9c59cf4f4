// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records where the parts of an imported model came from, so that unchanged parts are
// exported byte for byte. It is separate from the IR: passes need not maintain it, and
// cannot break it. An operation is unchanged if its fingerprint is unchanged. The
// fingerprint is a hash of everything that its node would contain (operator, attributes,
// names of operands and results, bodies), without types: inference may refine them.
//
//   source.find(op, fingerprints)    the node's bytes if it is unchanged, otherwise empty
//
// It is safe if the address of an erased operation is reused: only an operation with the
// same content has the same fingerprint, and then the bytes are right.
#ifndef INVAR_FRONTEND_IMPORT_SOURCEMAP_H
#define INVAR_FRONTEND_IMPORT_SOURCEMAP_H

#include "invar/Frontend/Wire/WireModel.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace invar {

/// Computes fingerprints of operations in the order of the program, each once.
class Fingerprints {
public:
  /// `nameOf` returns a value's name in the model, or an empty string. A value without a
  /// name is hashed by how it is computed.
  explicit Fingerprints(std::function<llvm::StringRef(mlir::Value)> nameOf)
      : nameOf(std::move(nameOf)) {}

  uint64_t of(mlir::Operation *op);

private:
  uint64_t compute(mlir::Operation *op);
  uint64_t ofValue(mlir::Value value);
  uint64_t ofBlock(mlir::Block &block);

  std::function<llvm::StringRef(mlir::Value)> nameOf;
  llvm::DenseMap<mlir::Operation *, uint64_t> known;
};

class SourceMap {
public:
  explicit SourceMap(std::unique_ptr<WireModel> model)
      : model(std::move(model)) {}

  const WireModel &getModel() const { return *model; }

  /// Records that `op` came from `message` (tag included) of the model, and whether the
  /// message refers to files beside the model. `hidden` are the inputs that the message
  /// names and `op` does not use.
  void addOperation(mlir::Operation *op, llvm::StringRef message,
                    uint64_t fingerprint, bool refersToFiles,
                    llvm::ArrayRef<llvm::StringRef> hidden = {}) {
    operations[op] = {message, fingerprint, refersToFiles, formOf(op)};
    if (!hidden.empty())
      hiddenInputs[op].assign(hidden.begin(), hidden.end());
  }
  /// Records that the default value of an input named `name` came from `message`. A lazy
  /// constant is never equal to another, so it identifies its bytes.
  void addDefault(mlir::Attribute value, llvm::StringRef name,
                  llvm::StringRef message) {
    defaults[value] = {name, message};
  }
  /// Records that the graph in `region` came from `view`. Its terminator identifies it,
  /// even if the graph moves into another operation.
  void addGraph(mlir::Region *region, const GraphView *view) {
    mlir::Operation *end = region->front().getTerminator();
    graphs[end] = {view, end->getLoc().getAsOpaquePointer()};
  }

  /// The bytes of an operation's message if they are still right, wherever they are
  /// copied to; otherwise empty.
  llvm::StringRef find(mlir::Operation *op, Fingerprints &fingerprints) const;

  /// The inputs that the bytes of an operation name although it does not use them,
  /// because older opsets had them. These inputs must exist if the bytes are copied.
  llvm::ArrayRef<llvm::StringRef> getHiddenInputs(mlir::Operation *op) const {
    auto found = hiddenInputs.find(op);
    return found == hiddenInputs.end() ? llvm::ArrayRef<llvm::StringRef>()
                                       : found->second;
  }

  /// The same as find(), for the default value of an input.
  llvm::StringRef findDefault(mlir::Attribute value,
                              llvm::StringRef name) const;

  const GraphView *findGraph(mlir::Region *region) const {
    if (region->empty() || region->front().empty())
      return nullptr;
    mlir::Operation *end = &region->front().back();
    auto [view, loc] = graphs.lookup(end);
    return loc == end->getLoc().getAsOpaquePointer() ? view : nullptr;
  }

  /// Whether `op` came from the model, changed or not.
  bool contains(mlir::Operation *op) const { return operations.contains(op); }

  /// Whether `op` came from the model, and at most the names of its operands and results
  /// have changed.
  bool isAsRead(mlir::Operation *op) const {
    auto found = operations.find(op);
    return found != operations.end() && found->second.form == formOf(op);
  }
  /// Records that the node of `op` already had the form of the newest opset.
  void setNewestForm(mlir::Operation *op) {
    operations[op].wasNewestForm = true;
  }
  bool wasNewestForm(mlir::Operation *op) const {
    return operations.lookup(op).wasNewestForm;
  }

  /// Drops all bytes of operations and defaults, so that each is encoded again.
  void forgetOperations() {
    for (auto &entry : operations)
      entry.second.message = {};
    defaults.clear();
  }

private:
  struct Origin {
    llvm::StringRef message;
    uint64_t fingerprint = 0;
    bool refersToFiles = false;
    /// A hash of the operator, its attributes, and its numbers of operands and results.
    uint64_t form = 0;
    bool wasNewestForm = false;
  };
  static uint64_t formOf(mlir::Operation *op);

  struct DefaultOrigin {
    llvm::StringRef name;
    llvm::StringRef message;
  };
  std::unique_ptr<WireModel> model;
  llvm::DenseMap<mlir::Operation *, Origin> operations;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<llvm::StringRef, 1>>
      hiddenInputs;
  llvm::DenseMap<mlir::Attribute, DefaultOrigin> defaults;
  /// By their terminators, with the locations of these: an address may be reused.
  llvm::DenseMap<mlir::Operation *, std::pair<const GraphView *, const void *>>
      graphs;
};

} // namespace invar

#endif // INVAR_FRONTEND_IMPORT_SOURCEMAP_H
