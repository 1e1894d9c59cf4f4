// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a model file into the ONNX dialect. Weights stay in the mapped file; time and
// memory follow the graph. Nodes come in the form of the newest opset, in an order that
// defines values before their uses, whatever order the file has.
//
//   auto model = importModel(context, "model.onnx");
//   if (!model)
//     return model.takeError();    // model.onnx: graph.node[3] 'conv1': expected …
//   ModuleOp module = *model->module;
//
// What the file declares of intermediate values is kept but not believed: their types
// are what follows from the operators, shapes are left to inference.
//
// Files in the wild break rules of the standard that engines do not insist on. What
// onnxruntime loads is read here too, with the same meaning, and a warning says so; what is
// not understood becomes an onnx.Custom, which nothing touches.
#ifndef INVAR_FRONTEND_IMPORT_IMPORT_H
#define INVAR_FRONTEND_IMPORT_IMPORT_H

#include "invar/Frontend/Import/SourceMap.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"

namespace invar {

struct ImportOptions {
  /// Refuse what would be a warning.
  bool strict = false;
  /// The standard's version that the model is going to be written in, if not its own.
  std::optional<int64_t> opset = std::nullopt;
};

struct ImportedModel {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// Also keeps the file mapped that the module's constants are views of.
  std::unique_ptr<SourceMap> source;
  /// What the file has that the standard does not allow, and how it was read.
  std::vector<std::string> warnings;
};

llvm::Expected<ImportedModel> importModel(mlir::MLIRContext &context,
                                          llvm::StringRef path,
                                          const ImportOptions &options = {});

/// A model in memory that outlives the result; `path` is what messages call it and the
/// place that external data is looked for beside.
llvm::Expected<ImportedModel> importModel(mlir::MLIRContext &context,
                                          llvm::StringRef bytes,
                                          llvm::StringRef path,
                                          const ImportOptions &options = {});

} // namespace invar

#endif // INVAR_FRONTEND_IMPORT_IMPORT_H
