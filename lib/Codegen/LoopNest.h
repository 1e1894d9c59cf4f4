// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Represents the linalg operations of a kernel as steps over common loops. A softmax is
//
//   max(r)    = reduce over c of x(r, c)          loops r, c
//   e(r, c)   = exp(x(r, c) - max(r))             loops r, c
//   sum(r)    = reduce over c of e(r, c)          loops r, c
//   y(r, c)   = e(r, c) / sum(r)                  loops r, c
//
// Each operation numbers its own loops. Here, loops of two operations are the same loop
// if both walk along the same axis of a tensor with it. There are two kinds:
//
//   shared   r: all steps have it and none reduces it. Along it, a step reads the result of
//            another step only at the index at which it was written. So each index of the
//            shared loops can compute all steps on its own: these loops become work units.
//   local    c: all other loops.
//
// Loops of size 1 are dropped, and loops that are adjacent in every tensor are merged. So
// an elementwise operation has one loop, however many axes its tensors have. Two loops
// may be merged only if one iteration of the outer loop moves every tensor as far as all
// iterations of the inner loop together: the inner loop covers its whole axis, and that
// axis follows the axis of the outer loop without a gap.
#ifndef INVAR_LIB_CODEGEN_LOOPNEST_H
#define INVAR_LIB_CODEGEN_LOOPNEST_H

#include "KernelBuilder.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/SmallBitVector.h"

namespace invar {

/// The position of the loops along an axis of a tensor.
struct Coordinate {
  /// The position, in terms of the nest's loops.
  mlir::AffineExpr place;
  /// The axis; the last one of several merged axes.
  unsigned axis;
  /// Whether the position is a loop that covers the whole axis. If a window has only one
  /// loop left, because the other has size 1, it may use only a part of its axis.
  bool isWhole = false;

  bool operator==(const Coordinate &) const = default;
};

/// A tensor or a scalar that a step reads or writes.
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
  /// The nest's loop for each loop of the operation.
  llvm::SmallVector<unsigned> iterators;
  /// In the order of the operation's operands: first inputs, then outputs.
  llvm::SmallVector<NestOperand> operands;
  /// The loops of the step, and those of them that it reduces.
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
  /// Reads a kernel. Fails with an error at an operation that is not supported.
  static llvm::FailureOr<LoopNest> get(mlir::func::FuncOp kernel);

  llvm::ArrayRef<NestStep> getSteps() const { return steps; }
  unsigned getNumLoops() const { return loops.size(); }
  bool isShared(unsigned loop) const { return loops[loop].isShared; }
  /// The static size, or ShapedType::kDynamic.
  int64_t getStaticSize(unsigned loop) const;
  mlir::Value getSize(KernelBuilder &builder, unsigned loop) const;
  /// Whether two loops are known to have the same size.
  bool haveSameSize(unsigned one, unsigned other) const;

  /// The step that computes a tensor, or null; and the operand of that step for this
  /// tensor.
  const NestStep *getProducer(mlir::Value tensor) const;
  const NestOperand &getProducingOperand(mlir::Value tensor) const;

  /// The scalar that fills a tensor, or null.
  static mlir::Value getSplat(mlir::Value tensor);

  /// The arguments that a tensor is written to, because the kernel returns it.
  llvm::SmallVector<mlir::Value> getTargets(mlir::Value tensor) const;

private:
  struct Loop {
    /// Axes of tensors; the size of the loop is the product of their sizes.
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
