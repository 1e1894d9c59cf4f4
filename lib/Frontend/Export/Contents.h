// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts what a model holds while it is written.
#ifndef INVAR_LIB_FRONTEND_EXPORT_CONTENTS_H
#define INVAR_LIB_FRONTEND_EXPORT_CONTENTS_H

#include "invar/Frontend/Export/Export.h"

namespace invar {

/// Whether an operation waits until something refers to it.
bool isOnDemand(mlir::Operation *op);

void addNode(llvm::StringRef domain, llvm::StringRef opType,
             ModelContents &contents);
void addConstant(mlir::Attribute value, ModelContents &contents);
/// Nodes of a file, those in their graphs included.
void addNodes(llvm::ArrayRef<NodeView> nodes, ModelContents &contents);
/// Constants of an operation that is as it was imported: itself, and in its graphs.
void addConstantsIn(mlir::Operation *op, ModelContents &contents);

/// The nodes of a file by where they begin.
using NodePlaces = llvm::DenseMap<const char *, const NodeView *>;
NodePlaces getPlaces(const SourceMap &source);

} // namespace invar

#endif // INVAR_LIB_FRONTEND_EXPORT_CONTENTS_H
