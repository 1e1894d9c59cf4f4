// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The linalg operations of a kernel as steps over common loops. A softmax is
//
//   max(r)    = reduce over c of x(r, c)          loops r, c
//   e(r, c)   = exp(x(r, c) - max(r))             loops r, c
//   sum(r)    = reduce over c of e(r, c)          loops r, c
//   y(r, c)   = e(r, c) / sum(r)                  loops r, c
//
// Operations number their loops each for itself; here a loop of two operations is the same
// one where both walk with it along the same axis of a tensor. Two kinds matter:
//
//   shared   r: all steps have it, none reduces it, and none reads along it what another
//            step has not written at the same index. So each index of the shared loops can
//            do all its steps by itself: these loops become work units.
//   local    c: the others.
//
// Loops of size 1 are dropped, and loops that are next to each other in every tensor are
// merged, so an elementwise operation has one loop, however many axes its tensors have. Two
// loops may become one only if a step of the outer one moves every tensor by as much as all
// steps of the inner one together: the inner loop goes over all of its axis, and that axis
// follows that of the outer loop without a gap.
#ifndef INVAR_LIB_CODEGEN_LOOPNEST_H
#define INVAR_LIB_CODEGEN_LOOPNEST_H

#include "KernelBuilder.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/SmallBitVector.h"

namespace invar {

/// Where the loops are along an axis of a tensor.
struct Coordinate {
  /// In the nest's loops.
  mlir::AffineExpr place;
  /// The axis; the last one of several that were merged.
  unsigned axis;
  /// Whether the place is a loop that goes over all of the axis. A window that was left
  /// with one loop, because the other has size 1, may use a part of its axis only.
  bool isWhole = false;

  bool operator==(const Coordinate &) const = default;
};

/// A tensor, or a scalar, as a step reads or writes it.
struct NestOperand {
  mlir::Value value;
  llvm::SmallVector<Coordinate> coordinates;

  bool isTensor() const {
    return mlir::isa<mlir::RankedTensorType>(value.getType());
  }
  bool dependsOn(unsigned loop) const;
  llvm::SmallBitVector getLoops(unsigned count) const;
};

struct NestStep {
  mlir::Operation *operation;
  /// The nest's loop for each of the operation's.
  llvm::SmallVector<unsigned> iterators;
  /// In the order of the operation's operands: inputs, and then what becomes results.
  llvm::SmallVector<NestOperand> operands;
  /// What it walks over, and what of that it reduces.
  llvm::SmallBitVector loops, reductions;

  mlir::linalg::LinalgOp getOp() const {
    return mlir::cast<mlir::linalg::LinalgOp>(operation);
  }
  llvm::ArrayRef<NestOperand> getInputs() const;
  llvm::ArrayRef<NestOperand> getOutputs() const;
  mlir::Block &getBody() const;
};

class LoopNest {
public:
  /// Reads a kernel; says at an operation that it does not know why it failed.
  static llvm::FailureOr<LoopNest> get(mlir::func::FuncOp kernel);

  llvm::ArrayRef<NestStep> getSteps() const { return steps; }
  unsigned getNumLoops() const { return loops.size(); }
  bool isShared(unsigned loop) const { return loops[loop].isShared; }
  /// The static size, or ShapedType::kDynamic.
  int64_t getStaticSize(unsigned loop) const;
  mlir::Value getSize(KernelBuilder &builder, unsigned loop) const;
  /// Whether two loops surely have one size.
  bool haveSameSize(unsigned one, unsigned other) const;

  /// The step that computes a tensor, or null, and which of its operands that is.
  const NestStep *getProducer(mlir::Value tensor) const;
  const NestOperand &getProducingOperand(mlir::Value tensor) const;

  /// The scalar that a tensor is full of, or null.
  static mlir::Value getSplat(mlir::Value tensor);

  /// The arguments that a tensor is written to: it is these results of the kernel.
  llvm::SmallVector<mlir::Value> getTargets(mlir::Value tensor) const;

private:
  struct Loop {
    /// Axes of tensors; the product of their sizes is the loop's.
    llvm::SmallVector<std::pair<mlir::Value, unsigned>, 2> sizes;
    bool isShared = false;
  };

  explicit LoopNest(mlir::func::FuncOp kernel) : kernel(kernel) {}

  llvm::LogicalResult addSteps();
  llvm::LogicalResult verifyOperands() const;
  void numberLoops();
  void takeSizes();
  void dropUnitLoops();
  void findShared();
  void mergeLoops();
  bool canMerge(unsigned outer, unsigned inner) const;
  void merge(unsigned outer, unsigned inner);

  mlir::func::FuncOp kernel;
  llvm::SmallVector<NestStep> steps;
  llvm::SmallVector<Loop> loops;
};

} // namespace invar

#endif // INVAR_LIB_CODEGEN_LOOPNEST_H
