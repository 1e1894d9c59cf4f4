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

  /// Remembers that `op` came from `message` (tag included) of the model, and whether
  /// that refers to files beside the model. `hidden` are the inputs that it names and `op`
  /// does not use.
  void addOperation(mlir::Operation *op, llvm::StringRef message,
                    uint64_t fingerprint, bool refersToFiles,
                    llvm::ArrayRef<llvm::StringRef> hidden = {}) {
    operations[op] = {message, fingerprint, refersToFiles, formOf(op)};
    if (!hidden.empty())
      hiddenInputs[op].assign(hidden.begin(), hidden.end());
  }
  /// Remembers that the value that an input named `name` has by default came from
  /// `message`. A lazy constant is never equal to another, so it stands for its bytes.
  void addDefault(mlir::Attribute value, llvm::StringRef name,
                  llvm::StringRef message) {
    defaults[value] = {name, message};
  }
  /// Remembers that the graph in `region` came from `view`. It is known by its end, with
  /// which it may move into another operation.
  void addGraph(mlir::Region *region, const GraphView *view) {
    mlir::Operation *end = region->front().getTerminator();
    graphs[end] = {view, end->getLoc().getAsOpaquePointer()};
  }

  /// The bytes of an operation's message that still say what it says, wherever they are
  /// copied to; empty if there are none.
  llvm::StringRef find(mlir::Operation *op, Fingerprints &fingerprints) const;

  /// What the bytes of an operation name though it does not use it: an input that older
  /// opsets had. They need it to be there.
  llvm::ArrayRef<llvm::StringRef> getHiddenInputs(mlir::Operation *op) const {
    auto found = hiddenInputs.find(op);
    return found == hiddenInputs.end() ? llvm::ArrayRef<llvm::StringRef>()
                                       : found->second;
  }

  /// The same for the default value of an input.
  llvm::StringRef findDefault(mlir::Attribute value,
                              llvm::StringRef name) const;

  const GraphView *findGraph(mlir::Region *region) const {
    if (region->empty() || region->front().empty())
      return nullptr;
    mlir::Operation *end = &region->front().back();
    auto [view, loc] = graphs.lookup(end);
    return loc == end->getLoc().getAsOpaquePointer() ? view : nullptr;
  }

  /// Whether `op` came from the model, touched or not.
  bool contains(mlir::Operation *op) const { return operations.contains(op); }

  /// Whether `op` came from the model, and nothing but the names of its operands and results
  /// can have changed.
  bool isAsRead(mlir::Operation *op) const {
    auto found = operations.find(op);
    return found != operations.end() && found->second.form == formOf(op);
  }
  /// Remembers that the node of `op` had the form of the newest opset already.
  void setNewestForm(mlir::Operation *op) {
    operations[op].wasNewestForm = true;
  }
  bool wasNewestForm(mlir::Operation *op) const {
    return operations.lookup(op).wasNewestForm;
  }

  /// Forgets all bytes of operations and defaults, so that each is encoded anew.
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
    /// A hash of the operator, its attributes and how many operands and results it has.
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
  /// By their ends, with the locations of these: an address may be used again.
  llvm::DenseMap<mlir::Operation *, std::pair<const GraphView *, const void *>>
      graphs;
};

} // namespace invar

#endif // INVAR_FRONTEND_IMPORT_SOURCEMAP_H
