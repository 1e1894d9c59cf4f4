// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A module of functions that compute the sizes of operators' results, and of calls to them.
#ifndef INVAR_TEST_LIB_SHAPECODE_H
#define INVAR_TEST_LIB_SHAPECODE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"

namespace invar {

/// What code knows of operands, besides their ranks; each way adds to the one before.
enum Way { Ranks, Lengths, Axes, Contents };

/// An operand as a model gives it.
struct Operand {
  mlir::RankedTensorType type;
  /// Null for large operands, and those of types that code cannot read.
  mlir::DenseElementsAttr contents;
  bool saysAxes;

  /// Whether what is in it is known.
  bool isConstant(Way way) const {
    return contents && (way == Contents || (way == Axes && saysAxes));
  }
};

/// None if there is an operand that is no tensor.
std::optional<llvm::SmallVector<Operand>> readOperands(mlir::Operation *op);

class ShapeCode {
public:
  explicit ShapeCode(mlir::MLIRContext &context);

  /// Adds a function for an operator of operands of which only so much is known, and calls
  /// it in @main. Returns how many sizes it does not know; none if it was refused.
  std::optional<unsigned> add(unsigned number, Way way, mlir::Operation *op,
                              llvm::ArrayRef<Operand> operands);
  /// Ends @main.
  mlir::ModuleOp finish();

private:
  std::optional<unsigned> emitSizes(mlir::func::FuncOp function,
                                    mlir::Operation *op,
                                    mlir::ValueRange operands);
  void addCall(unsigned number, Way way, mlir::func::FuncOp function,
               llvm::ArrayRef<Operand> operands, llvm::ArrayRef<bool> isGiven);
  void print(mlir::Value number);
  mlir::Value constant(int64_t value);

  mlir::OpBuilder builder;
  mlir::Location loc;
  mlir::OwningOpRef<mlir::ModuleOp> code;
  mlir::func::FuncOp main, printNumber, printComma, printNewline;
  /// The ranks of the results of the function being added.
  llvm::SmallVector<int64_t> ranks;
};

} // namespace invar

#endif // INVAR_TEST_LIB_SHAPECODE_H
