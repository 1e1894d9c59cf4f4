// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations out of nodes, and nodes out of operations: what import, late adaptation,
// rewriting and export have in common.
#ifndef INVAR_DIALECT_ONNX_CREATEOPERATION_H
#define INVAR_DIALECT_ONNX_CREATEOPERATION_H

#include "invar/Dialect/ONNX/Adapter.h"
#include "invar/Dialect/ONNX/Ops/Graph.h"
#include "llvm/Support/Error.h"

namespace invar::onnx {

/// Makes the operation that a standard node in its newest form says. Its regions are
/// empty, in the order of the schema; `graphs` names those that the node has. The error
/// tells what is wrong, not where.
llvm::Expected<mlir::Operation *>
createOperation(mlir::OpBuilder &builder, mlir::Location loc,
                const NodeForm &node, llvm::ArrayRef<llvm::StringRef> graphs);

/// An attribute or graph of `node`, in the newest form, that its operator does not have;
/// empty if there is none.
llvm::StringRef findUnknownAttribute(mlir::MLIRContext *context,
                                     const NodeForm &node,
                                     llvm::ArrayRef<llvm::StringRef> graphs);

/// The node that an operation of a standard operator is, in the newest form.
NodeForm getNodeForm(mlir::Operation *op);

/// Why an operation of a standard operator cannot be a node of `version` of its domain, if
/// it cannot. `lookUp` is as in AdaptContext.
Refusal
checkWritable(mlir::Operation *op, const AdapterTable &adapters,
              int64_t version,
              std::function<std::optional<Elements>(mlir::Value)> lookUp = {});

/// The newest version of a domain that the records describe. Newer nodes may mean anything.
int64_t getNewestVersion(llvm::StringRef domain);

/// Makes an operation of a node that could not be one when it was imported: more is known
/// of its operands by now, or the attributes that were parameters of a function have
/// values, or the model is going to be written in another version, `target`. `version` is
/// that of the node's domain. Returns null, and leaves `custom` as it is, if it still cannot
/// be.
mlir::Operation *adaptLate(CustomOp custom, const AdapterTable &adapters,
                           int64_t version, int64_t target);

/// The version of a domain that a list of imports states; none where it states none.
std::optional<int64_t> getVersion(mlir::DictionaryAttr imports,
                                  llvm::StringRef domain);
/// What a model imports; null where nothing says that.
mlir::DictionaryAttr getImports(mlir::ModuleOp module);

/// Gives the attributes in a function's body that are its parameters the values that a
/// call gives, or else the function's defaults; without either, they are left out.
void bindParameters(FunctionOp function, mlir::DictionaryAttr given);

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_CREATEOPERATION_H
