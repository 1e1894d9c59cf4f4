// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a model file into the ONNX dialect. Weights stay in the mapped file, so time and
// memory depend only on the graph. Nodes are converted to the newest opset. They are
// ordered so that values are defined before their uses, whatever order the file has.
//
//   auto model = importModel(context, "model.onnx");
//   if (!model)
//     return model.takeError();    // model.onnx: graph.node[3] 'conv1': expected …
//   ModuleOp module = *model->module;
//
// Declarations of intermediate values in the file are kept but not trusted: their types
// follow from the operators, and shapes are left to inference.
//
// Real files break rules of the standard that engines do not enforce. A file that
// onnxruntime loads is read here too, with the same meaning and a warning. A node that is
// not understood becomes an onnx.Custom, which no pass changes.
#ifndef INVAR_FRONTEND_IMPORT_IMPORT_H
#define INVAR_FRONTEND_IMPORT_IMPORT_H

#include "invar/Frontend/Import/SourceMap.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"

namespace invar {

struct ImportOptions {
  /// Fail instead of warning.
  bool strict = false;
  /// The opset that the model will be written in, if not its own.
  std::optional<int64_t> opset = std::nullopt;
};

struct ImportedModel {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// Also keeps the file mapped that the module's constants refer to.
  std::unique_ptr<SourceMap> source;
  /// Violations of the standard in the file, and how they were read.
  std::vector<std::string> warnings;
};

llvm::Expected<ImportedModel> importModel(mlir::MLIRContext &context,
                                          llvm::StringRef path,
                                          const ImportOptions &options = {});

/// Imports a model in memory, which must outlive the result. `path` is its name in
/// messages; external data is searched beside it.
llvm::Expected<ImportedModel> importModel(mlir::MLIRContext &context,
                                          llvm::StringRef bytes,
                                          llvm::StringRef path,
                                          const ImportOptions &options = {});

} // namespace invar

#endif // INVAR_FRONTEND_IMPORT_IMPORT_H
