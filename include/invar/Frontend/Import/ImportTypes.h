// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts types of the wire format to types of the dialect, and lists of strings to
// dictionaries.
#ifndef INVAR_FRONTEND_IMPORT_IMPORTTYPES_H
#define INVAR_FRONTEND_IMPORT_IMPORTTYPES_H

#include "invar/Frontend/Wire/Views.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Types.h"
#include "llvm/Support/Error.h"

namespace invar {

/// Whether a dim_param is a placeholder that exporters write for an unknown size: "?",
/// "None", "-1", "unknown", "unk__12". A shape may have it twice, so it is not the name
/// of one size.
bool isPlaceholder(llvm::StringRef name);

/// Which names of dimensions a type keeps.
enum class DimNames {
  /// Only names that mean the same size wherever they occur.
  Meaningful,
  /// All names of the file, to compare with it or to write it.
  All,
};

/// The type that `view` declares; missing parts are unknown. A dimension without a value,
/// or with a negative one, is dynamic.
llvm::Expected<mlir::Type> importType(mlir::MLIRContext *context,
                                      const TypeView &view,
                                      DimNames kept = DimNames::Meaningful);

/// Strings by their keys; if a key occurs twice, the last string counts.
mlir::DictionaryAttr importEntries(mlir::MLIRContext *context,
                                   llvm::ArrayRef<EntryView> entries);

/// Quantization parameters by the names of tensors.
mlir::DictionaryAttr
importAnnotations(mlir::MLIRContext *context,
                  llvm::ArrayRef<TensorAnnotationView> annotations);

} // namespace invar

#endif // INVAR_FRONTEND_IMPORT_IMPORTTYPES_H
