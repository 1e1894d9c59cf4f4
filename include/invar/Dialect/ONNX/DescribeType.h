// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types and errors in the notation that ONNX users know: "float[batch, 3, ?, ?]", not
// tensor<?x3x?x?xf32, #onnx.dims<"batch", "", "x.2", "x.3">>. describeType itself is in
// TypeInference.h.
#ifndef INVAR_DIALECT_ONNX_DESCRIBETYPE_H
#define INVAR_DIALECT_ONNX_DESCRIBETYPE_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Types.h"
#include "llvm/ADT/StringSet.h"
#include <string>

namespace invar::onnx {

/// Whether inference invented the name of a size because it had no other: VALUE.AXIS.
bool isMadeUp(llvm::StringRef name);

/// Whether a size, given by its name or expression, is computed from an invented name
/// that is not in `known`.
bool mentionsMadeUp(llvm::StringRef size, const llvm::StringSet<> &known = {});

/// Returns `type` without names of sizes that are invented or computed from invented
/// names.
mlir::Type withoutMadeUpNames(mlir::Type type);

/// Returns the text of a diagnostic without its notes. Types in it are written as by
/// describeType, and shortened if they are long.
std::string describeDiagnostic(const mlir::Diagnostic &diagnostic);

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_DESCRIBETYPE_H
