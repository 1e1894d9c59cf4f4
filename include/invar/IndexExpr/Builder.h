// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where index expressions come from: sizes of tensors, and numbers in small tensors.
//
// A builder answers three questions, and everything else is made of the answers:
//
//   getConst(value)     the contents, if they are known now
//   getValue(array, i)  entry i of a tensor of integers whose contents are not known
//   getShape(value, i)  the size of axis i where the type does not say
//
// In analysis the answers are symbolic or unknown; in emission they are code. So what is
// written with a builder can infer a shape and, given another builder, compute it:
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
  /// None where it is not known.
  std::optional<int64_t> getRank(mlir::Value value);
  /// Undefined unless the type says it.
  IndexExpr getShapeAsLiteral(mlir::Value value, int64_t axis);
  IndexExpr getShapeAsDim(mlir::Value value, int64_t axis);
  IndexExpr getShapeAsSymbol(mlir::Value value, int64_t axis);
  /// All axes; the rank must be known.
  DimsExpr getShapeAsDims(mlir::Value value);
  DimsExpr getShapeAsSymbols(mlir::Value value);
  /// The product of all sizes.
  IndexExpr getNumElements(mlir::Value value);

  //===-- Integers in lists and tensors -------------------------------------------===//
  // A list is an attribute's array or a tensor of rank 0 or 1. An entry that is not there
  // (past the end, or no list at all) is undefined or the given default.

  /// How many entries there are; none where it is not known, or more than any shape has.
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
  /// Entries as many as there are, or `count` of them; none where that is not known.
  std::optional<DimsExpr>
  getIntsFromArrayAsSymbols(mlir::Value array,
                            std::optional<int64_t> count = std::nullopt);
  /// Only if all are known now.
  std::optional<llvm::SmallVector<int64_t>>
  getIntsFromArrayAsLiterals(mlir::Value array);

  //===-- Floats ------------------------------------------------------------------===//

  std::optional<double> getFloatFromArrayAsLiteral(mlir::Value array,
                                                   uint64_t i);
  /// floor(size · scales[i]), as sizes are scaled.
  virtual IndexExpr getScaled(IndexExpr size, mlir::Value scales,
                              uint64_t i) = 0;
  /// max(ceil((limit - start) / delta), 0): how many steps a range of floats has.
  virtual IndexExpr getStepCount(mlir::Value start, mlir::Value limit,
                                 mlir::Value delta) = 0;

  //===-- What is unknown, and what must hold -------------------------------------===//

  /// A size that depends on data.
  IndexExpr getQuestionmark() { return scope.getQuestionmark(); }
  /// States that two sizes are the same one; false if they cannot be.
  virtual bool assumeEqual(IndexExpr left, IndexExpr right);

protected:
  /// The contents of a constant; null where they are not known.
  virtual mlir::ElementsAttr getConst(mlir::Value value);
  /// Entry i of an array of integers that is no constant.
  virtual Symbolic getValue(mlir::Value array, uint64_t i) = 0;
  /// The size of an axis that is not in the type.
  virtual Symbolic getShape(mlir::Value value, uint64_t axis) = 0;

  IndexExprScope &scope;

private:
  Symbolic getEntry(mlir::Value array, uint64_t i);
};

/// Nothing is emitted; what no type or constant says is unknown. Derived classes know more.
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

/// What both ways of emitting have in common: they differ in how a tensor is asked.
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

/// Element i of a tensor of integers that is there; none if it does not fit.
std::optional<int64_t> readInt(mlir::ElementsAttr elements, uint64_t i);

} // namespace invar

#endif // INVAR_INDEXEXPR_BUILDER_H
