// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel means, computed the slow way: loops over all indices, and each operation of
// a body by the folder that MLIR has for it. It shares nothing with the code generator.
#ifndef INVAR_UNITTESTS_CODEGEN_INTERPRETER_H
#define INVAR_UNITTESTS_CODEGEN_INTERPRETER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <vector>

namespace invar {

/// A tensor, or a scalar where there is no shape; an attribute for each element.
struct TestValue {
  mlir::Type element;
  std::optional<llvm::SmallVector<int64_t>> shape;
  std::vector<mlir::TypedAttr> elements;
};

/// The results of `kernel` for these arguments.
std::vector<TestValue> interpret(mlir::func::FuncOp kernel,
                                 llvm::ArrayRef<TestValue> arguments);

} // namespace invar

#endif // INVAR_UNITTESTS_CODEGEN_INTERPRETER_H
