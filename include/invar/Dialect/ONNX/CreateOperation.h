// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion of nodes to operations and back. Import, late adaptation, rewriting and
// export share it.
#ifndef INVAR_DIALECT_ONNX_CREATEOPERATION_H
#define INVAR_DIALECT_ONNX_CREATEOPERATION_H

#include "invar/Dialect/ONNX/Adapter.h"
#include "invar/Dialect/ONNX/Ops/Graph.h"
#include "llvm/Support/Error.h"

namespace invar::onnx {

/// Creates the operation for a standard node in its newest form. Its regions are empty,
/// in the order of the schema; `graphs` names those that the node has. The error
/// message describes the problem, but not its location.
llvm::Expected<mlir::Operation *>
createOperation(mlir::OpBuilder &builder, mlir::Location loc,
                const NodeForm &node, llvm::ArrayRef<llvm::StringRef> graphs);

/// Returns the name of an attribute or graph of `node`, in the newest form, that its
/// operator does not have; empty if there is none.
llvm::StringRef findUnknownAttribute(mlir::MLIRContext *context,
                                     const NodeForm &node,
                                     llvm::ArrayRef<llvm::StringRef> graphs);

/// Returns the node for an operation of a standard operator, in the newest form.
NodeForm getNodeForm(mlir::Operation *op);

/// Returns the reason why an operation of a standard operator cannot be written as a
/// node of `version` of its domain, if there is one. `lookUp` is as in AdaptContext.
Refusal
checkWritable(mlir::Operation *op, const AdapterTable &adapters,
              int64_t version,
              std::function<std::optional<Elements>(mlir::Value)> lookUp = {});

/// Returns the newest version of a domain that the records describe. The meaning of
/// newer nodes is unknown.
int64_t getNewestVersion(llvm::StringRef domain);

/// Creates an operation for a node that could not be one at import. That may succeed
/// now because more is known about its operands, because attributes that were
/// parameters of a function have values, or because the model will be written in
/// another version, `target`. `version` is that of the node's domain. If it still
/// fails, returns null and leaves `custom` unchanged.
mlir::Operation *adaptLate(CustomOp custom, const AdapterTable &adapters,
                           int64_t version, int64_t target);

/// Returns the version of a domain in a list of imports; empty if it is not listed.
std::optional<int64_t> getVersion(mlir::DictionaryAttr imports,
                                  llvm::StringRef domain);
/// Returns the imports of a model; null if the module does not state them.
mlir::DictionaryAttr getImports(mlir::ModuleOp module);

/// Binds the attributes in a function's body that are its parameters: to the call's
/// values, otherwise to the function's defaults. Attributes with neither are removed.
void bindParameters(FunctionOp function, mlir::DictionaryAttr given);

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_CREATEOPERATION_H
