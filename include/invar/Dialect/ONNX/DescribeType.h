// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types and errors in the words of the standard's users: "float32[batch, 3, ?, ?]", not
// tensor<?x3x?x?xf32, #onnx.dims<"batch", "", "x.2", "x.3">>. describeType itself is in
// TypeInference.h.
#ifndef INVAR_DIALECT_ONNX_DESCRIBETYPE_H
#define INVAR_DIALECT_ONNX_DESCRIBETYPE_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Types.h"
#include "llvm/ADT/StringSet.h"
#include <string>

namespace invar::onnx {

/// Whether the name of a size was made up by inference for lack of another: VALUE.AXIS.
bool isMadeUp(llvm::StringRef name);

/// Whether a size, by its name or expression, is computed from a name that was made up and
/// is none of `known`.
bool mentionsMadeUp(llvm::StringRef size, const llvm::StringSet<> &known = {});

/// `type` without the names of sizes that are made up, or computed from such.
mlir::Type withoutMadeUpNames(mlir::Type type);

/// The text of a diagnostic, without its notes. Types in it are described, and cut short
/// where they are long.
std::string describeDiagnostic(const mlir::Diagnostic &diagnostic);

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_DESCRIBETYPE_H
