// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes the inputs and outputs of a model.
#ifndef INVAR_LIB_PIPELINES_CUT_H
#define INVAR_LIB_PIPELINES_CUT_H

#include "invar/Frontend/Import/Import.h"
#include "invar/Pipelines/Optimize.h"

namespace invar {

/// Assigns shapes without a name to the only input that has no default.
llvm::Error nameShapes(ImportedModel &model,
                       std::vector<onnx::ShapeFacts::Shape> &shapes);

/// Replaces the shapes that the model declares for inputs.
llvm::Error overwriteShapes(ImportedModel &model,
                            llvm::ArrayRef<onnx::ShapeFacts::Shape> shapes);

/// Replaces inputs that have defaults by constants.
void fixDefaults(ImportedModel &model);

/// Replaces sparse defaults of inputs by their dense form, which a library can store.
llvm::Error expandDefaults(ImportedModel &model);

/// Turns weights that can be replaced into inputs with defaults, so that their values are
/// unknown. With `leastBytes`, all weights of at least that size; otherwise, all that
/// could be trained.
void openWeights(ImportedModel &model, std::optional<uint64_t> leastBytes);

/// Keeps only the part between the requested inputs and outputs. Types must have been
/// inferred: they are the only source of the type of a value that becomes an input.
llvm::Error cutModel(ImportedModel &model, const CutOptions &options);

} // namespace invar

#endif // INVAR_LIB_PIPELINES_CUT_H
