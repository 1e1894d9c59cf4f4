// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ONNX dialect without its operators: include the required families from
// invar/Dialect/ONNX/Ops. ONNXDialect.td shows a model in the dialect.
#ifndef INVAR_DIALECT_ONNX_ONNXDIALECT_H
#define INVAR_DIALECT_ONNX_ONNXDIALECT_H

#include "invar/Dialect/ONNX/FoldValue.h"
#include "invar/Dialect/ONNX/Schema.h"
#include "invar/Elements/IR/ElementsDialect.h"
#include "invar/IndexExpr/ShapeHelper.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "invar/Dialect/ONNX/ONNXDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "invar/Dialect/ONNX/ONNXTypes.h.inc"
#define GET_ATTRDEF_CLASSES
#include "invar/Dialect/ONNX/ONNXAttributes.h.inc"

namespace invar::onnx {
class Folding;
class RuntimeCall;
struct SlidingWindow;
class TypeInference;

namespace detail {
// Functions of the interface Reduction, defined in the family Reduce.
mlir::FailureOr<std::optional<llvm::SmallVector<int64_t>>>
findReducedAxes(mlir::Operation *op, ShapeHelper &shape);
mlir::LogicalResult verifyReduction(mlir::Operation *op);
} // namespace detail
} // namespace invar::onnx

#include "invar/Dialect/ONNX/ONNXInterfaces.h.inc"

namespace invar::onnx {

/// The newest opset that the records describe.
inline constexpr int64_t newestOpset = 28;

/// Names of the discardable attributes that ONNXDialect.td lists.
namespace attr {
inline constexpr llvm::StringLiteral model = "onnx.model";
inline constexpr llvm::StringLiteral name = "onnx.name";
inline constexpr llvm::StringLiteral outputs = "onnx.outputs";
inline constexpr llvm::StringLiteral node = "onnx.node";
inline constexpr llvm::StringLiteral initializer = "onnx.initializer";
inline constexpr llvm::StringLiteral defaultValue = "onnx.default";
inline constexpr llvm::StringLiteral graph = "onnx.graph";
} // namespace attr

/// Whether two values can be bound to the same type variable: their types are equal
/// except for shapes; an unknown type agrees with any type.
bool agree(mlir::Type a, mlir::Type b);

/// Returns the type without any shape.
mlir::Type withoutShape(mlir::Type type);

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_ONNXDIALECT_H
