// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that compute each element of their result from one element of each operand, seen
// alike: linalg operations of any name without reductions, and arith and math on tensors.
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

/// A tensor or number, and at which of its elements a loop nest reads it.
struct LoopOperand {
  mlir::Value value;
  mlir::AffineMap map;

  bool isInOrder() const { return map.isIdentity(); }
};

class Elementwise {
public:
  /// Nothing where the operation is no loop nest at all; what stands against it where it is
  /// one, but not as needed here.
  static Refusal match(mlir::Operation *op, std::optional<Elementwise> &found);
  static std::optional<Elementwise> match(mlir::Value value);

  mlir::Operation *getOperation() const { return op; }
  mlir::Value getResult() const { return op->getResult(0); }
  mlir::RankedTensorType getType() const {
    return llvm::cast<mlir::RankedTensorType>(getResult().getType());
  }
  /// By maps from the axes of the result, which are the loops.
  llvm::ArrayRef<LoopOperand> getOperands() const { return operands; }
  /// What the body reads besides the operands.
  llvm::ArrayRef<mlir::Value> getCaptured() const {
    return captured.getArrayRef();
  }
  /// Whether an element of the result is an element of the only operand.
  bool isCopy() const { return isCopying; }
  /// Whether it may be computed where it was not before.
  bool canSpeculate() const;

  /// A tensor without content, of the type of the result.
  mlir::Value makeInit(mlir::OpBuilder &builder) const;
  /// The same function of other operands, over the axes of `init`.
  mlir::Value build(mlir::OpBuilder &builder,
                    llvm::ArrayRef<LoopOperand> operands,
                    mlir::Value init) const;

  /// The value of one element, if it follows from those elements of operands that are
  /// known; null attributes stand for the others. Only what every processor rounds alike is
  /// computed.
  mlir::TypedAttr evaluate(llvm::ArrayRef<mlir::Attribute> elements) const;

private:
  explicit Elementwise(mlir::Operation *op) : op(op) {}

  Refusal readLoops();
  Refusal readTensors();
  mlir::Attribute evaluateBody(llvm::ArrayRef<mlir::Attribute> elements) const;
  mlir::Attribute
  evaluateTensors(llvm::ArrayRef<mlir::Attribute> elements) const;
  /// The body's name for an operand's element; null for an operation without a body.
  mlir::Value getElement(size_t operand) const;

  mlir::Operation *op;
  llvm::SmallVector<LoopOperand> operands;
  llvm::SetVector<mlir::Value> captured;
  bool isCopying = false;
};

/// The number that a value is, or that all its elements are, if that is known.
mlir::TypedAttr getNumber(mlir::Value value);
/// A number as a value.
mlir::Value makeNumber(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::TypedAttr number);

} // namespace invar

#endif // INVAR_LIB_CONSTFOLD_ELEMENTWISE_H
