// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What of a function could be computed once, and what of it is worth keeping.
#ifndef INVAR_LIB_CONSTFOLD_FOLDCANDIDATES_H
#define INVAR_LIB_CONSTFOLD_FOLDCANDIDATES_H

#include "invar/ConstFold/Constness.h"
#include "invar/Support/ConstantGraph.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

namespace invar {

class FoldCandidates {
public:
  /// Of operations in loops and branches too, where all that they read is constant there
  /// and everywhere. With `onlyDecoding`, of nothing but constants that are decoded.
  FoldCandidates(mlir::func::FuncOp function,
                 const ConstnessAnalysis &constness, bool onlyDecoding = false);

  /// The values to keep, in the order in which they are computed. What may be spent beyond
  /// the cheapest choice is `maxGrowth` percent of the constants, and is noted on the
  /// function, so that choosing again finds as much left.
  llvm::SmallVector<mlir::Value> choose(uint64_t maxGrowth);

  /// Whether an operation is one of those that could move.
  bool contains(mlir::Operation *op) const { return operations.contains(op); }
  /// All that could move, in order.
  llvm::ArrayRef<mlir::Operation *> getOperations() const {
    return operations.getArrayRef();
  }

private:
  void visit(mlir::Block &block);
  void add(mlir::Operation *op, llvm::ArrayRef<unsigned> operands);
  void add(mlir::Value value, uint64_t bytes,
           llvm::ArrayRef<unsigned> operands);
  uint64_t getBytes(const llvm::BitVector &stored) const;

  mlir::func::FuncOp function;
  const ConstnessAnalysis &constness;
  bool onlyDecoding;
  ConstantGraph graph;
  llvm::SmallVector<mlir::Value> values;
  llvm::DenseMap<mlir::Value, unsigned> numbers;
  llvm::SetVector<mlir::Operation *> operations;
  /// What something reads that stays.
  llvm::DenseSet<mlir::Value> needed;
  uint64_t sourceBytes = 0;
};

} // namespace invar

#endif // INVAR_LIB_CONSTFOLD_FOLDCANDIDATES_H
