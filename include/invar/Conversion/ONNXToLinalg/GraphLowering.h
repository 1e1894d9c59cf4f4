// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of lowering a graph: the lowered form of its values, and the sizes of named
// dimensions. Operators with graphs (If, Loop, Scan) lower them through it.
#ifndef INVAR_CONVERSION_ONNXTOLINALG_GRAPHLOWERING_H
#define INVAR_CONVERSION_ONNXTOLINALG_GRAPHLOWERING_H

#include "invar/Conversion/ONNXToLinalg/Lowering.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace invar::onnx {

class GraphLowering {
public:
  GraphLowering(const LoweringTable &table, mlir::OpBuilder &builder,
                bool checksIndices = true)
      : table(table), builder(builder), areIndicesChecked(checksIndices) {}
  ~GraphLowering() {
    for (auto &code : discarded)
      code->dropAllReferences();
  }
  GraphLowering(const GraphLowering &) = delete;

  /// Whether a run fails if an index is out of range. Otherwise the nearest position is
  /// used.
  bool checksIndices() const { return areIndicesChecked; }

  /// Replaces a graph, given as a function, by its lowered form. Emits errors.
  llvm::LogicalResult lower(mlir::func::FuncOp graph);

  /// Lowers the operators of a region at the builder's insertion point, given the
  /// lowered arguments. Returns the lowered values that it yields. Sizes that become
  /// known inside are not used after the region.
  llvm::FailureOr<llvm::SmallVector<mlir::Value>>
  lowerRegion(mlir::Region &region, mlir::ValueRange arguments);

  /// The same for one operator. Returns the lowered values of its results.
  llvm::FailureOr<llvm::SmallVector<mlir::Value>>
  lowerAlone(mlir::Operation *op);

  /// Counts the attempts to lower copies of an operator; they may be nested.
  class Attempts {
  public:
    explicit Attempts(GraphLowering &graph) : graph(graph) {
      graph.numAttempts = graph.depth++ ? graph.numAttempts : 0;
    }
    ~Attempts() { --graph.depth; }
    Attempts(const Attempts &) = delete;
    /// Returns false if there are too many.
    bool addOne() { return ++graph.numAttempts <= 20000; }

  private:
    GraphLowering &graph;
  };
  /// Removes code that was emitted, but is not needed. It is kept until all is lowered:
  /// values are known by their addresses.
  void discard(std::unique_ptr<mlir::Block> code) {
    discarded.push_back(std::move(code));
  }

  mlir::OpBuilder &getBuilder() { return builder; }
  SymbolicContext &getSymbolicContext() { return symbolic; }

  /// Null if the type cannot be lowered.
  mlir::Type convertType(mlir::Type type) const;
  mlir::Value lookup(mlir::Value value) const { return values.lookup(value); }
  /// Sets the lowered form of a value. The names of its sizes are known from then on.
  void define(mlir::Value value, mlir::Value made);
  /// Converts a value that comes from outside, such as a result of a call, to the
  /// lowered form of `type`. Checks at run time that it has the sizes of that type.
  mlir::Value adopt(mlir::Type type, mlir::Value made);

  /// The size of an axis of a lowered tensor. All axes with one name share one value.
  mlir::OpFoldResult getSize(mlir::Value tensor, int64_t axis);
  /// The size with this name; null if it is unknown.
  mlir::Value findSize(mlir::StringAttr name) const {
    return names.lookup(name);
  }
  /// Records that an axis has this size.
  void noteSize(mlir::Value tensor, int64_t axis, mlir::OpFoldResult size) {
    sizes[{tensor, axis}] = size;
  }

private:
  using Names = llvm::ScopedHashTable<mlir::StringAttr, mlir::Value>;

  llvm::LogicalResult lower(mlir::Operation *op);

  const LoweringTable &table;
  mlir::OpBuilder &builder;
  bool areIndicesChecked;
  unsigned depth = 0, numAttempts = 0;
  std::vector<std::unique_ptr<mlir::Block>> discarded;
  SymbolicContext symbolic;
  llvm::DenseMap<mlir::Value, mlir::Value> values;
  mutable Names names;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::OpFoldResult> sizes;
};

/// An operator as named in errors: 'CDist' of the domain 'com.microsoft'.
std::string describeOperator(mlir::Operation *op);

/// The name of an axis; null if it has none.
mlir::StringAttr getDimName(mlir::Type type, int64_t axis);

} // namespace invar::onnx

#endif // INVAR_CONVERSION_ONNXTOLINALG_GRAPHLOWERING_H
