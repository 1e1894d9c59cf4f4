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

/// Whether a dim_param is what exporters write where they know nothing: "?", "None", "-1",
/// "unknown", "unk__12". A shape may have it twice, so it is not the name of one size.
bool isPlaceholder(llvm::StringRef name);

/// Which names of dimensions a type keeps.
enum class DimNames {
  /// Those that mean the same size wherever they stand: facts.
  Meaningful,
  /// All as the file has them, to compare with it or to write it.
  All,
};

/// The type that `view` declares; what it leaves open is unknown. A dimension without a
/// value or with a negative one is dynamic.
llvm::Expected<mlir::Type> importType(mlir::MLIRContext *context,
                                      const TypeView &view,
                                      DimNames kept = DimNames::Meaningful);

/// Texts by their keys; of a key that stands twice, the last.
mlir::DictionaryAttr importEntries(mlir::MLIRContext *context,
                                   llvm::ArrayRef<EntryView> entries);

/// Quantization parameters by the names of tensors.
mlir::DictionaryAttr
importAnnotations(mlir::MLIRContext *context,
                  llvm::ArrayRef<TensorAnnotationView> annotations);

} // namespace invar

#endif // INVAR_FRONTEND_IMPORT_IMPORTTYPES_H
