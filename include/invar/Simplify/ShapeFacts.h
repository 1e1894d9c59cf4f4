// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What users state of a model's inputs, as they write it on a command line.
#ifndef INVAR_SIMPLIFY_SHAPEFACTS_H
#define INVAR_SIMPLIFY_SHAPEFACTS_H

#include "invar/Dialect/ONNX/TypeInference.h"
#include "llvm/Support/Error.h"

namespace invar {

/// INPUT=1x3x?x?, or with names INPUT=batch,3,?,?. Nothing after '=' is a scalar.
llvm::Error addShapeFact(llvm::StringRef text, onnx::ShapeFacts &facts);
/// NAME=8.
llvm::Error addDimFact(llvm::StringRef text, onnx::ShapeFacts &facts);
/// NAME=1..512; either end may be left out.
llvm::Error addRangeFact(llvm::StringRef text, onnx::ShapeFacts &facts);

} // namespace invar

#endif // INVAR_SIMPLIFY_SHAPEFACTS_H
