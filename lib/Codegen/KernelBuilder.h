// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the loops of a kernel. The kernel is given as a function on tensors
// (docs/Rationale/Compile.md); the written functions use flat buffers:
//
//   func.func @kernel_3(%x: tensor<?x8xf32>, %s: i1, %y: tensor<?x8xi1>) -> tensor<?x8xi1>
//   // becomes
//   func.func @kernel_3(%x: memref<?xf32>, %y: memref<?xi8>,        tensors
//                       %s: i1, %n0: index, %n1: index,             numbers
//                       %from: index, %to: index, %scratch: memref<?xi8>)
//   func.func @kernel_3.plan(%s: i1, %n0: index, %n1: index) -> (index, index, index)
//
// A KernelBuilder has an insertion point in one of the two, and maps the values of the
// given kernel to values there. Invariants: buffers have the element type of memory
// (getMemoryType), registers that of the kernel; all offsets are in elements and have
// type index; static sizes are constants, and arithmetic on constants folds.
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
/// of fewer than 8 bits, i64 for index, otherwise the type itself.
mlir::Type getMemoryType(mlir::Type type);

/// Marks a buffer that may share memory with another one; buffers without it do not
/// alias.
inline constexpr llvm::StringLiteral mayAliasAttribute = "invar.may_alias";

/// `element`, or a vector of `lanes` elements; 0 lanes stand for a scalar.
mlir::Type getRegisterType(mlir::Type element, unsigned lanes);

/// The number of lanes of a value; 0 for a scalar.
unsigned getLanes(mlir::Value value);

class KernelBuilder : public mlir::ImplicitLocOpBuilder {
public:
  using Values = llvm::SmallVector<mlir::Value>;

  /// Creates the function that computes `kernel`, at the end of `module`, and a builder
  /// in it.
  static KernelBuilder createRun(mlir::func::FuncOp kernel,
                                 const CpuTarget &target,
                                 mlir::ModuleOp module);

  /// The same for the function that computes the plan.
  static KernelBuilder createPlan(mlir::func::FuncOp kernel,
                                  const CpuTarget &target,
                                  mlir::ModuleOp module);

  mlir::func::FuncOp getKernel() const { return kernel; }
  const CpuTarget &getTarget() const { return *target; }

  // The kernel's values in the written function.

  /// A scalar of the kernel outside the bodies of linalg operations: an argument, a
  /// constant, a size, or a value computed from these.
  mlir::Value getScalar(mlir::Value scalar);

  /// The same for a scalar that may be static.
  mlir::Value getScalar(mlir::OpFoldResult scalar);

  /// A size of any tensor of the kernel.
  mlir::Value getSize(mlir::Value tensor, int64_t axis);
  Values getSizes(mlir::Value tensor);

  /// The number of elements of a tensor of the kernel.
  mlir::Value getCount(mlir::Value tensor);

  /// The strides of a row-major tensor of these sizes, in elements.
  Values getStrides(llvm::ArrayRef<mlir::Value> sizes);

  /// The buffer of a tensor argument: memref<?x(memory type)>. A result of the kernel has
  /// the buffer of the argument that it is written to. Not in a plan.
  mlir::Value getBuffer(mlir::Value tensor);

  /// The work units to compute are [from, to). Not in a plan.
  mlir::Value getFrom() const { return from; }
  mlir::Value getTo() const { return to; }

  /// A part of the thread's scratch memory, beginning at `offset` bytes, as a buffer for
  /// `element`. The offset is aligned by alignScratch(). Not in a plan.
  mlir::Value getScratch(mlir::Type element, mlir::Value offset);

  /// The bytes that a part of the scratch memory takes, so that the next part is aligned
  /// as the memory is (invar-c/Abi.h).
  mlir::Value alignScratch(mlir::Value bytes);

  // Numbers of type index.

  mlir::Value index(int64_t value);
  mlir::Value add(mlir::Value lhs, mlir::Value rhs);
  mlir::Value sub(mlir::Value lhs, mlir::Value rhs);
  mlir::Value mul(mlir::Value lhs, mlir::Value rhs);
  /// Operands of these must not be negative.
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
  /// The value of `expr` if its dimensions have these indices.
  mlir::Value evaluate(mlir::AffineExpr expr,
                       llvm::ArrayRef<mlir::Value> indices);
  /// The same number, with its origin hidden from LLVM. Otherwise LLVM would recompute
  /// the parts of an address in each iteration of a loop.
  mlir::Value hideOrigin(mlir::Value number);
  /// The indices of the unit `unit` of a space of these sizes, last axis fastest.
  Values delinearize(mlir::Value unit, llvm::ArrayRef<mlir::Value> sizes);

  // Control.

  using LoopBody = llvm::function_ref<void(mlir::Value index)>;
  using CarryingBody =
      llvm::function_ref<Values(mlir::Value index, mlir::ValueRange carried)>;

  void loop(mlir::Value begin, mlir::Value end, int64_t step, LoopBody body);
  /// A loop that carries values; returns those of the last iteration.
  Values loop(mlir::Value begin, mlir::Value end, int64_t step,
              mlir::ValueRange init, CarryingBody body);

  void ifThen(mlir::Value condition, llvm::function_ref<void()> then);
  /// The values of `then` if `condition` holds, otherwise those of `otherwise`.
  Values ifThen(mlir::Value condition, llvm::function_ref<Values()> then,
                mlir::ValueRange otherwise);

  /// Goes over [0, size) by vectors: calls `body(offset, mask, carried)` in a loop with a
  /// null mask for whole vectors, and once more with a mask for the rest, unless there
  /// can be none.
  using VectorBody = llvm::function_ref<Values(
      mlir::Value offset, mlir::Value mask, mlir::ValueRange carried)>;
  Values loopByVectors(mlir::Value size, unsigned lanes, mlir::ValueRange init,
                       VectorBody body);

  // Elements. `element` is the type in the kernel; loads return a register of this type.

  mlir::Value load(mlir::Value buffer, mlir::Value offset, mlir::Type element);
  void store(mlir::Value scalar, mlir::Value buffer, mlir::Value offset);

  /// Consecutive elements. Lanes that a mask excludes are loaded as 0, and their memory
  /// is not accessed.
  mlir::Value loadVector(mlir::Value buffer, mlir::Value offset,
                         mlir::Type element, unsigned lanes,
                         mlir::Value mask = {});
  void storeVector(mlir::Value vector, mlir::Value buffer, mlir::Value offset,
                   mlir::Value mask = {});

  /// A mask of the first `count` lanes.
  mlir::Value mask(mlir::Value count, unsigned lanes);
  /// A scalar in all lanes. A vector stays as it is; so does any value if `lanes` is 0.
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
  /// Constants come first, then values that are computed from numbers only.
  mlir::Operation *constantsEnd = nullptr, *prologueEnd = nullptr;
  std::map<int64_t, mlir::Value> constants;
  mlir::IRMapping scalars, buffers;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::Value> sizes;
  mlir::Value from, to, scratch;
};

/// Callbacks for operations in a linalg body that need more than the body's arguments.
struct BodyHooks {
  /// The index of a loop: a scalar, or a vector for the axis along which vectors lie.
  llvm::function_ref<mlir::Value(int64_t dim)> index;
  /// An element of a tensor argument at indices that are scalars or vectors.
  llvm::function_ref<mlir::Value(mlir::tensor::ExtractOp extract,
                                 mlir::ValueRange indices)>
      extract;
};

/// Writes the computation of `body` on `arguments`, which are scalars or vectors with the
/// same number of lanes. Returns the yielded values. Values that depend only on scalars
/// stay scalar, so a result may be either. Values from outside of the body are values of
/// the kernel.
KernelBuilder::Values cloneBody(KernelBuilder &builder, mlir::Block &body,
                                mlir::ValueRange arguments,
                                const BodyHooks &hooks = {});

} // namespace invar

#endif // INVAR_LIB_CODEGEN_KERNELBUILDER_H
