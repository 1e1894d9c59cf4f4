// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes over an imported model, their diagnostics as errors and warnings about the file.
#ifndef INVAR_LIB_PIPELINES_RUNPASSES_H
#define INVAR_LIB_PIPELINES_RUNPASSES_H

#include "invar/Dialect/ONNX/TypeInference.h"
#include "invar/Frontend/Import/Import.h"
#include "invar/Pipelines/Optimize.h"

namespace invar {

/// Runs `pass`, and returns the first error that it emits with the model's path before it.
llvm::Error runPass(ImportedModel &model,
                    llvm::function_ref<llvm::LogicalResult()> pass);

/// Infers all shapes and tells what was found. Where the model declares others, that is told
/// in `warnings`: files in the wild are often wrong about themselves, and run nevertheless.
llvm::Expected<ShapeSummary> inferShapes(ImportedModel &model,
                                         const onnx::ShapeFacts &facts,
                                         std::vector<std::string> &warnings);

/// The same, and simplifies.
llvm::Expected<ShapeSummary> runSimplify(ImportedModel &model,
                                         const onnx::ShapeFacts &facts,
                                         const SimplifyOptions &options,
                                         SimplifyResult &result,
                                         std::vector<std::string> &warnings);

/// Warns of nodes that no pass could look into, each operator once, or fails if `strict`.
llvm::Error reportOpaque(ImportedModel &model, bool strict,
                         std::vector<std::string> &warnings);

/// Fails unless every value of the model has a shape of numbers alone.
llvm::Error requireStaticShapes(ImportedModel &model);

} // namespace invar

#endif // INVAR_LIB_PIPELINES_RUNPASSES_H
