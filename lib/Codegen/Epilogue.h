// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elementwise operations of a kernel around its root, the one operation that
// reduces: those that compute the initial values of the sums, and those that use the
// sums.
//
//   %1 = linalg.generic … ins(%x, %w) outs(%0) …            the root
//   %2 = linalg.generic … ins(%1, %bias : …) …              a step
//   %3 = linalg.generic … ins(%2, %1 : …) …                 another
//   return %3
//
// All of them are expressed in terms of the root's loops and evaluated at a point of
// these loops, or along a vector of points. Invariant: every tensor that a step reads
// is an argument or has been computed at the same point.
#ifndef INVAR_LIB_CODEGEN_EPILOGUE_H
#define INVAR_LIB_CODEGEN_EPILOGUE_H

#include "Access.h"
#include "llvm/ADT/MapVector.h"

namespace invar {

/// A position in the root's parallel loops.
struct Point {
  /// The offset of an access at this position, where a vector begins.
  llvm::function_ref<mlir::Value(const Access &, const Walk &)> offset;
  /// The index of a loop: a scalar, or a vector for the loop along which vectors lie.
  llvm::function_ref<mlir::Value(unsigned loop)> index;
  /// The loop along which vectors lie, the number of lanes, and the mask of active
  /// lanes; a null mask means all lanes.
  unsigned vectorLoop, lanes;
  mlir::Value mask;
};

class Epilogue {
public:
  /// Inspects the whole kernel that contains `root`. Fails if the kernel contains an
  /// operation that is neither an operand of the root nor a step.
  static llvm::FailureOr<Epilogue> get(mlir::linalg::GenericOp root);

  /// The approximate number of instructions for an element of the root's result.
  unsigned getCost() const;

  /// All elementwise reads and writes.
  llvm::SmallVector<const Access *> getAccesses() const;

  /// The loop along which all reads and writes can use vectors.
  std::optional<unsigned> findVectorLoop() const;

  /// Computes the walks of all accesses, before anything is emitted, and returns them
  /// in the order of their numbers.
  llvm::SmallVector<const Walk *> enter(KernelBuilder &builder);
  /// Emits the initial value of the sums.
  mlir::Value emitInit(KernelBuilder &builder, const Point &point) const;
  /// Computes and stores all results of the kernel from the root's sum.
  void emit(KernelBuilder &builder, const Point &point, mlir::Value sum) const;

private:
  /// An elementwise operation, and the root's loop that each of its loops corresponds
  /// to.
  struct Step {
    mlir::linalg::GenericOp op;
    llvm::SmallVector<unsigned> loops;
  };
  struct Operand {
    Access access;
    Walk walk;
  };
  struct Result {
    mlir::Value value;
    Operand target;
  };
  using Known = llvm::SmallDenseMap<mlir::Value, mlir::Value>;

  llvm::LogicalResult addAfter(mlir::linalg::GenericOp op);
  llvm::LogicalResult addBefore(mlir::Value init);
  llvm::LogicalResult add(mlir::linalg::GenericOp op,
                          llvm::ArrayRef<unsigned> loops);
  llvm::LogicalResult addRead(mlir::OpOperand &operand, const Step &step);
  llvm::LogicalResult addResults(mlir::func::FuncOp kernel);
  mlir::AffineMap inLoopsOfRoot(mlir::AffineMap map,
                                llvm::ArrayRef<unsigned> loops) const;

  mlir::Value evaluate(KernelBuilder &builder, const Point &point,
                       mlir::Value value, Known &known) const;
  mlir::Value read(KernelBuilder &builder, const Point &point,
                   const Operand &operand, mlir::Type element) const;

  mlir::linalg::GenericOp root;
  llvm::SmallVector<int64_t> loopSizes;
  llvm::MapVector<mlir::Operation *, Step> steps;
  /// For each tensor that is computed, the root's loop of each axis.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<unsigned>> axes;
  llvm::MapVector<mlir::OpOperand *, Operand> reads;
  std::optional<Operand> init;
  llvm::SmallVector<Result, 1> results;
};

} // namespace invar

#endif // INVAR_LIB_CODEGEN_EPILOGUE_H
