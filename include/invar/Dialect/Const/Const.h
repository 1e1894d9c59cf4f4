// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants by reference (Const.td).
#ifndef INVAR_DIALECT_CONST_CONST_H
#define INVAR_DIALECT_CONST_CONST_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "invar/Dialect/Const/ConstDialect.h.inc"
#define GET_OP_CLASSES
#include "invar/Dialect/Const/Const.h.inc"

namespace invar::constants {

/// `const.id` is the number of a folded value. It is set on the argument that receives
/// the value and on the result of the function that computes it. `const.fold` on that
/// function says when the value is computed: "run-once" or "compile-time".
inline constexpr llvm::StringLiteral idAttribute = "const.id";
inline constexpr llvm::StringLiteral foldAttribute = "const.fold";

/// On an argument of the model that a run may omit: its default value. It is not a
/// constant, because a run may pass another value.
inline constexpr llvm::StringLiteral defaultAttribute = "const.default";
/// On an input of an ONNX graph that has a default: the input is a weight. Sessions may
/// replace it, and runs do not pass it.
inline constexpr llvm::StringLiteral parameterAttribute = "const.parameter";

/// Returns the content of a `const.ref` that holds its content, or of any other
/// constant; null for any other value.
mlir::ElementsAttr getContent(mlir::Value value);

} // namespace invar::constants

#endif // INVAR_DIALECT_CONST_CONST_H
