// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel does elementwise around its root, the one operation that reduces: what the
// sums begin with, and what becomes of them.
//
//   %1 = linalg.generic … ins(%x, %w) outs(%0) …            the root
//   %2 = linalg.generic … ins(%1, %bias : …) …              a step
//   %3 = linalg.generic … ins(%2, %1 : …) …                 another
//   return %3
//
// All of it is written in terms of the root's loops, and evaluated at a point of these, or
// along a vector of points. Invariant: every tensor that a step reads is an argument or has
// been computed at the same point.
#ifndef INVAR_LIB_CODEGEN_EPILOGUE_H
#define INVAR_LIB_CODEGEN_EPILOGUE_H

#include "Access.h"
#include "llvm/ADT/MapVector.h"

namespace invar {

/// Where the root's parallel loops are.
struct Point {
  /// Sums up what the loops move an access by. Vectors begin there.
  llvm::function_ref<mlir::Value(const Access &, const Walk &)> offset;
  /// The index of a loop: a scalar, or a vector for the loop that vectors lie in.
  llvm::function_ref<mlir::Value(unsigned loop)> index;
  /// The loop that vectors lie in, and which lanes count; null for all.
  unsigned vectorLoop, lanes;
  mlir::Value mask;
};

class Epilogue {
public:
  /// Looks at the whole kernel of which `root` is a part; fails where there is anything in
  /// it that is neither an operand of the root nor a step.
  static llvm::FailureOr<Epilogue> get(mlir::linalg::GenericOp root);

  /// How many instructions are computed for an element of the root's result, about.
  unsigned getCost() const;

  /// All that is read or written elementwise.
  llvm::SmallVector<const Access *> getAccesses() const;

  /// The loop along which vectors of all that is read and written can lie.
  std::optional<unsigned> findVectorLoop() const;

  /// Takes the addresses, before anything is emitted, and returns them in their order.
  llvm::SmallVector<const Walk *> enter(KernelBuilder &builder);
  /// What the sums begin with.
  mlir::Value emitInit(KernelBuilder &builder, const Point &point) const;
  /// Computes and stores all results of the kernel, from what the root has given.
  void emit(KernelBuilder &builder, const Point &point, mlir::Value sum) const;

private:
  /// An elementwise operation, and which of the root's loops its own are.
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
