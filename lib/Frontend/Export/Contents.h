// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the contents of a model while it is written.
#ifndef INVAR_LIB_FRONTEND_EXPORT_CONTENTS_H
#define INVAR_LIB_FRONTEND_EXPORT_CONTENTS_H

#include "invar/Frontend/Export/Export.h"

namespace invar {

/// Whether an operation is written only if something refers to it.
bool isOnDemand(mlir::Operation *op);

void addNode(llvm::StringRef domain, llvm::StringRef opType,
             ModelContents &contents);
void addConstant(mlir::Attribute value, ModelContents &contents);
/// Adds the nodes of a file, including those in their graphs.
void addNodes(llvm::ArrayRef<NodeView> nodes, ModelContents &contents);
/// Adds the constants of an operation that is unchanged since import: itself, and those
/// in its graphs.
void addConstantsIn(mlir::Operation *op, ModelContents &contents);

/// The nodes of a file by their first bytes.
using NodePlaces = llvm::DenseMap<const char *, const NodeView *>;
NodePlaces getPlaces(const SourceMap &source);

} // namespace invar

#endif // INVAR_LIB_FRONTEND_EXPORT_CONTENTS_H
