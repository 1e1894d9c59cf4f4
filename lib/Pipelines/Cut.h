// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes where a model begins and ends.
#ifndef INVAR_LIB_PIPELINES_CUT_H
#define INVAR_LIB_PIPELINES_CUT_H

#include "invar/Frontend/Import/Import.h"
#include "invar/Pipelines/Optimize.h"

namespace invar {

/// Makes the only input that has no default the subject of facts that name none.
llvm::Error nameShapes(ImportedModel &model,
                       std::vector<onnx::ShapeFacts::Shape> &shapes);

/// Gives inputs other shapes than the model declares.
llvm::Error overwriteShapes(ImportedModel &model,
                            llvm::ArrayRef<onnx::ShapeFacts::Shape> shapes);

/// Makes constants of the defaults of inputs.
void fixDefaults(ImportedModel &model);

/// Gives inputs whose default is sparse the dense form of it, which a library can store.
llvm::Error expandDefaults(ImportedModel &model);

/// Makes inputs, with defaults, of weights that are to be replaced: nothing is known of them
/// then. With a limit, of those of so many bytes; without, of all that could be trained.
void openWeights(ImportedModel &model, std::optional<uint64_t> leastBytes);

/// Leaves what is between the inputs and outputs that are wanted. Types must have been
/// inferred: a value that becomes an input has nothing else to say what it is.
llvm::Error cutModel(ImportedModel &model, const CutOptions &options);

} // namespace invar

#endif // INVAR_LIB_PIPELINES_CUT_H
