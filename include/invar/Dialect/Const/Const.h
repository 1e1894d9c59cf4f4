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

/// The number of a folded value: on the argument that takes it, and on the result of the
/// function that computes it. That function says with the other when it does so: "run-once"
/// or "compile-time".
inline constexpr llvm::StringLiteral idAttribute = "const.id";
inline constexpr llvm::StringLiteral foldAttribute = "const.fold";

/// On an argument of the model that a run need not bring: what it is then. It is no
/// constant, since a run may bring another.
inline constexpr llvm::StringLiteral defaultAttribute = "const.default";
/// On an input of an ONNX graph that has a default: it is a weight, which sessions may
/// replace and runs do not bring.
inline constexpr llvm::StringLiteral parameterAttribute = "const.parameter";

/// The content of what a function has of its own: that of a `const.ref`, or of any other
/// constant; null for anything else.
mlir::ElementsAttr getContent(mlir::Value value);

} // namespace invar::constants

#endif // INVAR_DIALECT_CONST_CONST_H
