// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts about a model's inputs that users state on a command line.
#ifndef INVAR_SIMPLIFY_SHAPEFACTS_H
#define INVAR_SIMPLIFY_SHAPEFACTS_H

#include "invar/Dialect/ONNX/TypeInference.h"
#include "llvm/Support/Error.h"

namespace invar {

/// INPUT=1x3x?x?, or with names INPUT=batch,3,?,?. An empty shape after '=' is a
/// scalar.
llvm::Error addShapeFact(llvm::StringRef text, onnx::ShapeFacts &facts);
/// NAME=8.
llvm::Error addDimFact(llvm::StringRef text, onnx::ShapeFacts &facts);
/// NAME=1..512; either end may be left out.
llvm::Error addRangeFact(llvm::StringRef text, onnx::ShapeFacts &facts);

} // namespace invar

#endif // INVAR_SIMPLIFY_SHAPEFACTS_H
