// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds operations of a function that could be computed once, and chooses which results
// to keep.
#ifndef INVAR_LIB_CONSTFOLD_FOLDCANDIDATES_H
#define INVAR_LIB_CONSTFOLD_FOLDCANDIDATES_H

#include "invar/Constness/Constness.h"
#include "invar/Support/ConstantGraph.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

namespace invar {

class FoldCandidates {
public:
  /// Collects operations, also in loops and branches, if everything that they read is
  /// constant, there and everywhere. With `onlyDecoding`, collects only references to
  /// constants and their decoding.
  FoldCandidates(mlir::func::FuncOp function,
                 const ConstnessAnalysis &constness, bool onlyDecoding = false);

  /// The values to keep, in the order in which they are computed. They may take
  /// `maxGrowth` percent of the constants' bytes more than the cheapest choice. The
  /// rest of this allowance is recorded on the function, so that a later choice
  /// continues with it.
  llvm::SmallVector<mlir::Value> choose(uint64_t maxGrowth);

  /// Whether an operation is a candidate.
  bool contains(mlir::Operation *op) const { return operations.contains(op); }
  /// All candidates, in program order.
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
  /// Values that operations read which are no candidates.
  llvm::DenseSet<mlir::Value> needed;
  uint64_t sourceBytes = 0;
};

} // namespace invar

#endif // INVAR_LIB_CONSTFOLD_FOLDCANDIDATES_H
