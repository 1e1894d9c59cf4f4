// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A common view of operations that compute each element of their result from one
// element of each operand: linalg operations of any name without reductions, and arith
// and math operations on tensors.
//
//   %r = linalg.generic {maps (i, j) -> (j), (i, j) -> (j, i)}    loops: the axes of %r
//            ins(%w) outs(%e) { exp }                             operands: %w by (a, b) -> (a)
//   %s = arith.addf %x, %y : tensor<4x8xf32>                      operands: both in order
#ifndef INVAR_LIB_CONSTFOLD_ELEMENTWISE_H
#define INVAR_LIB_CONSTFOLD_ELEMENTWISE_H

#include "Refusal.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SetVector.h"

namespace invar {

/// A tensor or number, and a map from loops to the element that they read.
struct LoopOperand {
  mlir::Value value;
  mlir::AffineMap map;

  bool isInOrder() const { return map.isIdentity(); }
};

class Elementwise {
public:
  /// Returns Nothing if the operation is no loop nest at all. Returns another reason if
  /// it is a loop nest, but not an elementwise one.
  static Refusal match(mlir::Operation *op, std::optional<Elementwise> &found);
  static std::optional<Elementwise> match(mlir::Value value);

  mlir::Operation *getOperation() const { return op; }
  mlir::Value getResult() const { return op->getResult(0); }
  mlir::RankedTensorType getType() const {
    return llvm::cast<mlir::RankedTensorType>(getResult().getType());
  }
  /// The operands, with maps from the axes of the result, which are the loops.
  llvm::ArrayRef<LoopOperand> getOperands() const { return operands; }
  /// Values that the body reads besides the operands.
  llvm::ArrayRef<mlir::Value> getCaptured() const {
    return captured.getArrayRef();
  }
  /// Whether each element of the result is a copy of an element of the only operand.
  bool isCopy() const { return isCopying; }
  /// Whether it may run where it did not run before.
  bool canSpeculate() const;

  /// A tensor without content, of the type of the result.
  mlir::Value makeInit(mlir::OpBuilder &builder) const;
  /// Builds the same function of other operands, over the axes of `init`.
  mlir::Value build(mlir::OpBuilder &builder,
                    llvm::ArrayRef<LoopOperand> operands,
                    mlir::Value init) const;

  /// The value of one element, if it follows from the known elements of operands; null
  /// attributes mean unknown elements. Evaluates only operations that round identically
  /// on every processor.
  mlir::TypedAttr evaluate(llvm::ArrayRef<mlir::Attribute> elements) const;

private:
  explicit Elementwise(mlir::Operation *op) : op(op) {}

  Refusal readLoops();
  Refusal readTensors();
  mlir::Attribute evaluateBody(llvm::ArrayRef<mlir::Attribute> elements) const;
  mlir::Attribute
  evaluateTensors(llvm::ArrayRef<mlir::Attribute> elements) const;
  /// The block argument for an operand's element; null for an operation without a body.
  mlir::Value getElement(size_t operand) const;

  mlir::Operation *op;
  llvm::SmallVector<LoopOperand> operands;
  llvm::SetVector<mlir::Value> captured;
  bool isCopying = false;
};

/// The number that a value is, or that all its elements are equal to, if it is known.
mlir::TypedAttr getNumber(mlir::Value value);
/// Creates a value for a number.
mlir::Value makeNumber(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::TypedAttr number);

} // namespace invar

#endif // INVAR_LIB_CONSTFOLD_ELEMENTWISE_H
