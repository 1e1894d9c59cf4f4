// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builders create index expressions from sizes of tensors and from numbers in small
// tensors.
//
// A builder answers three questions. Everything else is built from the answers:
//
//   getConst(value)     the contents, if they are known at compile time
//   getValue(array, i)  entry i of an integer tensor whose contents are not known
//   getShape(value, i)  the size of axis i if it is not in the type
//
// In analysis the answers are symbolic or unknown; in emission they are code. So the
// same code can infer a shape and, with another builder, compute it:
//
//   IndexExpr size = builder.getShapeAsDim(data, 0) * builder.getIntAsSymbol(factor);
#ifndef INVAR_INDEXEXPR_BUILDER_H
#define INVAR_INDEXEXPR_BUILDER_H

#include "invar/IndexExpr/IndexExpr.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinTypes.h"

namespace invar {

class IndexExprBuilder {
public:
  explicit IndexExprBuilder(IndexExprScope &scope) : scope(scope) {}
  virtual ~IndexExprBuilder();

  IndexExprScope &getScope() { return scope; }

  //===-- Shapes ------------------------------------------------------------------===//

  bool hasShape(mlir::Value value);
  /// None if the rank is unknown.
  std::optional<int64_t> getRank(mlir::Value value);
  /// Undefined unless the size is in the type.
  IndexExpr getShapeAsLiteral(mlir::Value value, int64_t axis);
  IndexExpr getShapeAsDim(mlir::Value value, int64_t axis);
  IndexExpr getShapeAsSymbol(mlir::Value value, int64_t axis);
  /// All axes; the rank must be known.
  DimsExpr getShapeAsDims(mlir::Value value);
  DimsExpr getShapeAsSymbols(mlir::Value value);
  /// The product of all sizes.
  IndexExpr getNumElements(mlir::Value value);

  //===-- Integers in lists and tensors -------------------------------------------===//
  // A list is the array of an attribute, or a tensor of rank 0 or 1. A missing entry
  // (past the end, or without a list) is undefined or the given default.

  /// The number of entries; none if it is unknown or too large for a list of sizes.
  std::optional<int64_t> getArraySize(mlir::Value array);
  IndexExpr
  getIntFromArrayAsLiteral(std::optional<llvm::ArrayRef<int64_t>> array,
                           uint64_t i, IndexExpr outOfBounds = IndexExpr());
  IndexExpr getIntFromArrayAsLiteral(mlir::Value array, uint64_t i,
                                     IndexExpr outOfBounds = IndexExpr());
  IndexExpr getIntFromArrayAsSymbol(mlir::Value array, uint64_t i,
                                    IndexExpr outOfBounds = IndexExpr());
  IndexExpr getIntFromArrayAsDim(mlir::Value array, uint64_t i,
                                 IndexExpr outOfBounds = IndexExpr());
  IndexExpr getIntAsSymbol(mlir::Value scalar,
                           IndexExpr outOfBounds = IndexExpr());
  /// All entries, or `count` of them; none if the number is unknown.
  std::optional<DimsExpr>
  getIntsFromArrayAsSymbols(mlir::Value array,
                            std::optional<int64_t> count = std::nullopt);
  /// Only if all are known at compile time.
  std::optional<llvm::SmallVector<int64_t>>
  getIntsFromArrayAsLiterals(mlir::Value array);

  //===-- Floats ------------------------------------------------------------------===//

  std::optional<double> getFloatFromArrayAsLiteral(mlir::Value array,
                                                   uint64_t i);
  /// floor(size · scales[i]), the rule for scaled sizes.
  virtual IndexExpr getScaled(IndexExpr size, mlir::Value scales,
                              uint64_t i) = 0;
  /// max(ceil((limit - start) / delta), 0): the number of steps of a range of floats.
  virtual IndexExpr getStepCount(mlir::Value start, mlir::Value limit,
                                 mlir::Value delta) = 0;

  //===-- What is unknown, and what must hold -------------------------------------===//

  /// A size that depends on data.
  IndexExpr getQuestionmark() { return scope.getQuestionmark(); }
  /// States that two sizes are equal. Returns false if they cannot be.
  virtual bool assumeEqual(IndexExpr left, IndexExpr right);

protected:
  /// The contents of a constant; null if they are unknown.
  virtual mlir::ElementsAttr getConst(mlir::Value value);
  /// Entry i of an integer array that is not a constant.
  virtual Symbolic getValue(mlir::Value array, uint64_t i) = 0;
  /// The size of an axis that is not in the type.
  virtual Symbolic getShape(mlir::Value value, uint64_t axis) = 0;

  IndexExprScope &scope;

private:
  Symbolic getEntry(mlir::Value array, uint64_t i);
};

/// Emits nothing. Sizes and numbers that are not in a type or constant are unknown.
/// Derived classes may know more.
class IndexExprBuilderForAnalysis : public IndexExprBuilder {
public:
  using IndexExprBuilder::IndexExprBuilder;
  IndexExpr getScaled(IndexExpr size, mlir::Value scales, uint64_t i) override;
  IndexExpr getStepCount(mlir::Value start, mlir::Value limit,
                         mlir::Value delta) override;

protected:
  Symbolic getValue(mlir::Value array, uint64_t i) override;
  Symbolic getShape(mlir::Value value, uint64_t axis) override;
};

/// Common base of both builders that emit code. They differ in how they access a
/// tensor.
class IndexExprBuilderForCode : public IndexExprBuilder {
public:
  using IndexExprBuilder::IndexExprBuilder;
  IndexExpr getScaled(IndexExpr size, mlir::Value scales, uint64_t i) override;
  IndexExpr getStepCount(mlir::Value start, mlir::Value limit,
                         mlir::Value delta) override;

protected:
  Symbolic getValue(mlir::Value array, uint64_t i) override;
  Symbolic getShape(mlir::Value value, uint64_t axis) override;
  virtual mlir::Value emitElement(mlir::Value array,
                                  mlir::ValueRange indices) = 0;
  virtual mlir::Value emitSize(mlir::Value value, int64_t axis) = 0;

private:
  mlir::Value emitElement(mlir::Value array, uint64_t i);
  mlir::Value emitFloat(mlir::Value array, uint64_t i);

  llvm::DenseMap<std::pair<mlir::Value, uint64_t>, Symbolic> sizes, entries;
};

/// tensor.dim and tensor.extract.
class IndexExprBuilderForLinalg : public IndexExprBuilderForCode {
public:
  using IndexExprBuilderForCode::IndexExprBuilderForCode;

protected:
  mlir::Value emitElement(mlir::Value array, mlir::ValueRange indices) override;
  mlir::Value emitSize(mlir::Value value, int64_t axis) override;
};

/// memref.dim and memref.load.
class IndexExprBuilderForMemRef : public IndexExprBuilderForCode {
public:
  using IndexExprBuilderForCode::IndexExprBuilderForCode;

protected:
  mlir::Value emitElement(mlir::Value array, mlir::ValueRange indices) override;
  mlir::Value emitSize(mlir::Value value, int64_t axis) override;
};

/// Element i of an integer tensor, which must exist; none if it does not fit int64_t.
std::optional<int64_t> readInt(mlir::ElementsAttr elements, uint64_t i);

} // namespace invar

#endif // INVAR_INDEXEXPR_BUILDER_H
