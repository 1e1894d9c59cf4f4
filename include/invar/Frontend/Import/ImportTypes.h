// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of the wire format as types of the dialect, and lists of texts as dictionaries.
#ifndef INVAR_FRONTEND_IMPORT_IMPORTTYPES_H
#define INVAR_FRONTEND_IMPORT_IMPORTTYPES_H

#include "invar/Frontend/Wire/Views.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Types.h"
#include "llvm/Support/Error.h"

namespace invar {

/// The type that `view` declares; what it leaves open is unknown. A dimension without a
/// value or with a negative one is dynamic.
llvm::Expected<mlir::Type> importType(mlir::MLIRContext *context,
                                      const TypeView &view);

/// Texts by their keys; of a key that stands twice, the last.
mlir::DictionaryAttr importEntries(mlir::MLIRContext *context,
                                   llvm::ArrayRef<EntryView> entries);

/// Quantization parameters by the names of tensors.
mlir::DictionaryAttr
importAnnotations(mlir::MLIRContext *context,
                  llvm::ArrayRef<TensorAnnotationView> annotations);

} // namespace invar

#endif // INVAR_FRONTEND_IMPORT_IMPORTTYPES_H
