// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs passes over an imported model, and reports their diagnostics as errors and
// warnings about the file.
#ifndef INVAR_LIB_PIPELINES_RUNPASSES_H
#define INVAR_LIB_PIPELINES_RUNPASSES_H

#include "invar/Dialect/ONNX/TypeInference.h"
#include "invar/Frontend/Import/Import.h"
#include "invar/Pipelines/NamedPipelines.h"
#include "invar/Pipelines/Optimize.h"

namespace invar {

/// Runs `pass`, and returns the first error that it emits, prefixed with the model's
/// path.
llvm::Error runPass(ImportedModel &model,
                    llvm::function_ref<llvm::LogicalResult()> pass);

/// Infers all shapes and returns a summary. If the model declares other shapes, adds
/// warnings: real files often have wrong declarations, and run nevertheless.
llvm::Expected<ShapeSummary> inferShapes(ImportedModel &model,
                                         const onnx::ShapeFacts &facts,
                                         std::vector<std::string> &warnings);

/// The same, and also simplifies the model.
llvm::Expected<ShapeSummary>
runSimplify(ImportedModel &model, const onnx::ShapeFacts &facts,
            const SimplifyOptions &options, const ConfigurePasses &configure,
            SimplifyResult &result, std::vector<std::string> &warnings);

/// Warns of nodes that no pass could inspect, once for each operator; fails if `strict`.
llvm::Error reportOpaque(ImportedModel &model, bool strict,
                         std::vector<std::string> &warnings);

/// Fails unless every value of the model has a static shape.
llvm::Error requireStaticShapes(ImportedModel &model);

} // namespace invar

#endif // INVAR_LIB_PIPELINES_RUNPASSES_H
