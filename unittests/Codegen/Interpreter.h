// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes the expected results of a kernel in a slow way: loops over all indices, and
// MLIR's folder for each operation of a body. It shares no code with the code generator.
#ifndef INVAR_UNITTESTS_CODEGEN_INTERPRETER_H
#define INVAR_UNITTESTS_CODEGEN_INTERPRETER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <vector>

namespace invar {

/// A tensor, or a scalar if there is no shape; one attribute for each element.
struct TestValue {
  mlir::Type element;
  std::optional<llvm::SmallVector<int64_t>> shape;
  std::vector<mlir::TypedAttr> elements;
};

/// Returns the results of `kernel` for these arguments.
std::vector<TestValue> interpret(mlir::func::FuncOp kernel,
                                 llvm::ArrayRef<TestValue> arguments);

} // namespace invar

#endif // INVAR_UNITTESTS_CODEGEN_INTERPRETER_H
