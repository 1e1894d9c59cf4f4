// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the loops of a kernel. The kernel is given as a function on tensors
// (docs/Rationale/Compile.md); what is written is a function on flat buffers:
//
//   func.func @kernel_3(%x: tensor<?x8xf32>, %s: i1, %y: tensor<?x8xi1>) -> tensor<?x8xi1>
//   // becomes
//   func.func @kernel_3(%x: memref<?xf32>, %y: memref<?xi8>,        tensors
//                       %s: i1, %n0: index, %n1: index,             numbers
//                       %from: index, %to: index, %scratch: memref<?xi8>)
//   func.func @kernel_3.plan(%s: i1, %n0: index, %n1: index) -> (index, index, index)
//
// A KernelBuilder stands in one of the two, at an insertion point, and knows what the
// values of the given kernel have become. Invariants: buffers have the element type of
// memory (getMemoryType), registers that of the kernel; all offsets are in elements and are
// of type index; sizes that are static are constants, and arithmetic on constants folds.
#ifndef INVAR_LIB_CODEGEN_KERNELBUILDER_H
#define INVAR_LIB_CODEGEN_KERNELBUILDER_H

#include "invar/Codegen/Target.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include <map>

namespace invar {

/// The element type of a buffer that holds elements of `type`: bytes for i1 and integers
/// of fewer than 8 bits, i64 for index, else the type itself.
mlir::Type getMemoryType(mlir::Type type);

/// The attribute of a buffer that another one may lie over: no other buffers do.
inline constexpr llvm::StringLiteral mayAliasAttribute = "invar.may_alias";

/// Type, or a vector of `lanes` of it; 0 lanes stand for a scalar.
mlir::Type getRegisterType(mlir::Type element, unsigned lanes);

/// The lanes of a value: 0 for a scalar.
unsigned getLanes(mlir::Value value);

class KernelBuilder : public mlir::ImplicitLocOpBuilder {
public:
  using Values = llvm::SmallVector<mlir::Value>;

  /// Makes the function that computes `kernel`, at the end of `module`, and stands in it.
  static KernelBuilder createRun(mlir::func::FuncOp kernel,
                                 const CpuTarget &target,
                                 mlir::ModuleOp module);

  /// The same for the function that says how to run it.
  static KernelBuilder createPlan(mlir::func::FuncOp kernel,
                                  const CpuTarget &target,
                                  mlir::ModuleOp module);

  mlir::func::FuncOp getKernel() const { return kernel; }
  const CpuTarget &getTarget() const { return *target; }

  // What the values of the kernel are here.

  /// A scalar of the kernel that stands outside of linalg's bodies: an argument, a
  /// constant, a size, or what is computed of such.
  mlir::Value getScalar(mlir::Value scalar);

  /// The same for what may be static.
  mlir::Value getScalar(mlir::OpFoldResult scalar);

  /// A size of any tensor of the kernel.
  mlir::Value getSize(mlir::Value tensor, int64_t axis);
  Values getSizes(mlir::Value tensor);

  /// How many elements a tensor of the kernel has.
  mlir::Value getCount(mlir::Value tensor);

  /// The strides of a row-major tensor of these sizes, in elements.
  Values getStrides(llvm::ArrayRef<mlir::Value> sizes);

  /// The buffer of a tensor argument: memref<?x(memory type)>. A result of the kernel has
  /// the buffer of the argument that it becomes. Not in a plan.
  mlir::Value getBuffer(mlir::Value tensor);

  /// The first and the last but one work unit to compute. Not in a plan.
  mlir::Value getFrom() const { return from; }
  mlir::Value getTo() const { return to; }

  /// A part of the thread's own memory, from `offset` bytes on (a multiple of 64), as a
  /// buffer for `element`. Not in a plan.
  mlir::Value getScratch(mlir::Type element, mlir::Value offset);

  // Numbers of type index.

  mlir::Value index(int64_t value);
  mlir::Value add(mlir::Value lhs, mlir::Value rhs);
  mlir::Value sub(mlir::Value lhs, mlir::Value rhs);
  mlir::Value mul(mlir::Value lhs, mlir::Value rhs);
  /// Of numbers that are not negative.
  mlir::Value div(mlir::Value lhs, mlir::Value rhs);
  mlir::Value rem(mlir::Value lhs, mlir::Value rhs);
  mlir::Value ceilDiv(mlir::Value lhs, mlir::Value rhs);
  mlir::Value min(mlir::Value lhs, mlir::Value rhs);
  mlir::Value max(mlir::Value lhs, mlir::Value rhs);
  mlir::Value isLess(mlir::Value lhs, mlir::Value rhs);
  mlir::Value product(llvm::ArrayRef<mlir::Value> values);
  /// The sum of the products of `indices` and `strides`.
  mlir::Value offset(llvm::ArrayRef<mlir::Value> indices,
                     llvm::ArrayRef<mlir::Value> strides);
  /// The value of `expr` where its dimensions have these indices.
  mlir::Value evaluate(mlir::AffineExpr expr,
                       llvm::ArrayRef<mlir::Value> indices);
  /// The same number, of which LLVM does not know where it comes from. It would compute in
  /// each iteration of a loop, anew, what is behind an address.
  mlir::Value hideOrigin(mlir::Value number);
  /// The indices of the unit `unit` of a space of these sizes, last axis fastest.
  Values delinearize(mlir::Value unit, llvm::ArrayRef<mlir::Value> sizes);

  // Control.

  using LoopBody = llvm::function_ref<void(mlir::Value index)>;
  using CarryingBody =
      llvm::function_ref<Values(mlir::Value index, mlir::ValueRange carried)>;

  void loop(mlir::Value begin, mlir::Value end, int64_t step, LoopBody body);
  /// A loop that carries values on; returns what the last iteration gave.
  Values loop(mlir::Value begin, mlir::Value end, int64_t step,
              mlir::ValueRange init, CarryingBody body);

  void ifThen(mlir::Value condition, llvm::function_ref<void()> then);
  /// The values of `then` where `condition` holds, else `otherwise`.
  Values ifThen(mlir::Value condition, llvm::function_ref<Values()> then,
                mlir::ValueRange otherwise);

  /// Goes over [0, size) by vectors: calls `body(offset, mask)` in a loop with a null mask
  /// for whole vectors, and once more with a mask for what is left, if anything can be.
  using VectorBody = llvm::function_ref<Values(
      mlir::Value offset, mlir::Value mask, mlir::ValueRange carried)>;
  Values loopByVectors(mlir::Value size, unsigned lanes, mlir::ValueRange init,
                       VectorBody body);

  // Elements. `element` is the type in the kernel; what is loaded is a register of it.

  mlir::Value load(mlir::Value buffer, mlir::Value offset, mlir::Type element);
  void store(mlir::Value scalar, mlir::Value buffer, mlir::Value offset);

  /// Consecutive elements. Where a mask is given, what it leaves out is 0 and not touched.
  mlir::Value loadVector(mlir::Value buffer, mlir::Value offset,
                         mlir::Type element, unsigned lanes,
                         mlir::Value mask = {});
  void storeVector(mlir::Value vector, mlir::Value buffer, mlir::Value offset,
                   mlir::Value mask = {});

  /// The first `count` lanes.
  mlir::Value mask(mlir::Value count, unsigned lanes);
  /// A scalar in all lanes; a vector, or anything for 0 lanes, stays as it is.
  mlir::Value splat(mlir::Value value, unsigned lanes);
  mlir::Value zero(mlir::Type type);

private:
  KernelBuilder(mlir::func::FuncOp kernel, const CpuTarget &target)
      : ImplicitLocOpBuilder(kernel.getLoc(), kernel.getContext()),
        kernel(kernel), target(&target) {}

  void appendNumberTypes(llvm::SmallVectorImpl<mlir::Type> &types);
  void takeNumbers(llvm::ArrayRef<mlir::BlockArgument> arguments);
  void enter(mlir::func::FuncOp written);
  void enterPrologue();
  template <typename Op, typename... Args>
  mlir::Value fold(mlir::Value lhs, mlir::Value rhs, Args... args);
  mlir::Value fromMemory(mlir::Value value, mlir::Type element);
  mlir::Value toMemory(mlir::Value value);

  mlir::func::FuncOp kernel, function;
  const CpuTarget *target;
  /// Constants stand first, then what is computed of numbers alone.
  mlir::Operation *constantsEnd = nullptr, *prologueEnd = nullptr;
  std::map<int64_t, mlir::Value> constants;
  mlir::IRMapping scalars, buffers;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::Value> sizes;
  mlir::Value from, to, scratch;
};

/// What a body of a linalg operation may ask besides its arguments.
struct BodyHooks {
  /// The index of a loop: a scalar, or a vector along the axis that vectors lie in.
  llvm::function_ref<mlir::Value(int64_t dim)> index;
  /// An element of a tensor argument at indices that are scalars or vectors.
  llvm::function_ref<mlir::Value(mlir::tensor::ExtractOp extract,
                                 mlir::ValueRange indices)>
      extract;
};

/// Writes what `body` computes of `arguments`, which are scalars or vectors of equally many
/// lanes, and returns what it yields. What depends on scalars only stays scalar, so the
/// results may be either. Values from outside of the body are the kernel's.
KernelBuilder::Values cloneBody(KernelBuilder &builder, mlir::Block &body,
                                mlir::ValueRange arguments,
                                const BodyHooks &hooks = {});

} // namespace invar

#endif // INVAR_LIB_CODEGEN_KERNELBUILDER_H
