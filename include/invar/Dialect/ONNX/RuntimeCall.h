// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Describes how a function of the runtime computes an operator that no loop nest
// expresses. The operator writes the description once, and it is used twice: lowering
// emits a call of it, and folding runs the same function in the compiler.
//
//   FailureOr<RuntimeCall> MaxUnpoolOp::describeCall(ShapeHelper &shape) {
//     FailureOr<SlidingWindow> window = computeWindow(shape);
//     …
//     RuntimeCall call(*this, "MaxUnpool");
//     call.add(getX()).add(getI()).addNumbers(pooled).addNumbers(sizes);
//     return call;
//   }
//
//   FoldResult MaxUnpoolOp::computeValues(Folding &fold) {
//     return foldByCall(*this, fold, Floats::AsTheyAre);
//   }
//   table.addCall<MaxUnpoolOp>();                    // in its family's lowerings
//
// A description that needs no shape has no parameter: `RuntimeCall describeCall()`. Then
// the call is the same for tensors of unknown rank.
//
// The function knows nothing of the standard's attributes and their defaults: what
// inference knows is passed as numbers, which are index expressions, and the rest as
// settings with plain values.
#ifndef INVAR_DIALECT_ONNX_RUNTIMECALL_H
#define INVAR_DIALECT_ONNX_RUNTIMECALL_H

#include "invar/Dialect/ONNX/SlidingWindow.h"
#include "mlir/IR/Builders.h"

namespace invar::onnx {

class RuntimeCall {
public:
  /// A call for the results of `op`. Results that are left out are left out in the call.
  RuntimeCall(mlir::Operation *op, llvm::StringRef function)
      : op(op), function(function), builder(op->getContext()) {}

  struct Operand {
    /// A value of the operator's graph; null for an operand that is left out.
    mlir::Value value;
    /// Or a list of int64, in rows of `columns` if that is not 0.
    std::optional<DimsExpr> numbers;
    int64_t columns = 0;
  };

  RuntimeCall &add(mlir::Value operand) {
    operands.push_back({operand, std::nullopt, 0});
    return *this;
  }
  RuntimeCall &addNumbers(DimsExpr numbers, int64_t columns = 0) {
    operands.push_back({nullptr, std::move(numbers), columns});
    return *this;
  }
  /// Adds a window over an image with these spatial sizes.
  RuntimeCall &addWindow(const SlidingWindow &window,
                         llvm::ArrayRef<IndexExpr> image);

  RuntimeCall &set(llvm::StringRef name, mlir::Attribute value) {
    settings.push_back(builder.getNamedAttr(name, value));
    return *this;
  }
  RuntimeCall &set(llvm::StringRef name, int64_t value) {
    return set(name, builder.getI64IntegerAttr(value));
  }
  RuntimeCall &set(llvm::StringRef name, bool value) {
    return set(name, int64_t(value));
  }
  RuntimeCall &set(llvm::StringRef name, double value) {
    return set(name, builder.getF64FloatAttr(value));
  }
  RuntimeCall &set(llvm::StringRef name, llvm::StringRef text) {
    return set(name, builder.getStringAttr(text));
  }
  RuntimeCall &set(llvm::StringRef name, llvm::ArrayRef<int64_t> values) {
    return set(name, builder.getDenseI64ArrayAttr(values));
  }

  mlir::Operation *getOperation() const { return op; }
  llvm::StringRef getFunction() const { return function; }
  llvm::ArrayRef<Operand> getOperands() const { return operands; }
  llvm::ArrayRef<mlir::NamedAttribute> getSettings() const { return settings; }

private:
  mlir::Operation *op;
  std::string function;
  mlir::Builder builder;
  llvm::SmallVector<Operand, 4> operands;
  llvm::SmallVector<mlir::NamedAttribute> settings;
};

/// The call that an operator describes.
template <typename Op>
llvm::FailureOr<RuntimeCall> describeCall(Op op, ShapeHelper &shape) {
  if constexpr (requires { op.describeCall(); })
    return op.describeCall();
  else
    return op.describeCall(shape);
}

/// The call that most operators need: the function with the operator's name, without its
/// domain, all operands, and all attributes that are given.
RuntimeCall describePlainCall(mlir::Operation *op);

/// Which results of an operator exist, for a function that computes several: the setting
/// `results` of the call. None if no result is left out before one that exists.
std::optional<llvm::SmallVector<int64_t>> listResults(mlir::Operation *op);

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_RUNTIMECALL_H
