// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph on its way down: what its values have become, and which sizes are known by name.
// Families that own graphs (If, Loop, Scan) lower them through it.
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

  /// Whether a run fails where an index is outside; else the nearest place is taken.
  bool checksIndices() const { return areIndicesChecked; }

  /// Replaces a graph that is a function by what it becomes. Emits errors.
  llvm::LogicalResult lower(mlir::func::FuncOp graph);

  /// The operators of a region, at the builder's insertion point, given what its arguments
  /// become; returns what it yields. What it learns of sizes is forgotten behind it.
  llvm::FailureOr<llvm::SmallVector<mlir::Value>>
  lowerRegion(mlir::Region &region, mlir::ValueRange arguments);

  mlir::OpBuilder &getBuilder() { return builder; }
  SymbolicContext &getSymbolicContext() { return symbolic; }

  /// Null where it has none below.
  mlir::Type convertType(mlir::Type type) const;
  mlir::Value lookup(mlir::Value value) const { return values.lookup(value); }
  /// Says what a value has become. Names of its sizes are known from here on.
  void define(mlir::Value value, mlir::Value made);
  /// The same for what the compiler has not made: sizes that it should have are checked.
  mlir::Value adopt(mlir::Type type, mlir::Value made);

  /// The size of an axis of a tensor below ONNX: one value for one name.
  mlir::OpFoldResult getSize(mlir::Value tensor, int64_t axis);
  /// The size that has a name; null where it is not known.
  mlir::Value findSize(mlir::StringAttr name) const {
    return names.lookup(name);
  }
  /// Says that an axis has this size.
  void noteSize(mlir::Value tensor, int64_t axis, mlir::OpFoldResult size) {
    sizes[{tensor, axis}] = size;
  }

private:
  using Names = llvm::ScopedHashTable<mlir::StringAttr, mlir::Value>;

  llvm::LogicalResult lower(mlir::Operation *op);

  const LoweringTable &table;
  mlir::OpBuilder &builder;
  bool areIndicesChecked;
  SymbolicContext symbolic;
  llvm::DenseMap<mlir::Value, mlir::Value> values;
  mutable Names names;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::OpFoldResult> sizes;
};

/// An operator as errors name it: 'CDist' of the domain 'com.microsoft'.
std::string describeOperator(mlir::Operation *op);

/// The name of an axis, null where it has none.
mlir::StringAttr getDimName(mlir::Type type, int64_t axis);

} // namespace invar::onnx

#endif // INVAR_CONVERSION_ONNXTOLINALG_GRAPHLOWERING_H
