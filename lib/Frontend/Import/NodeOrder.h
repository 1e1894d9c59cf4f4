// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The standard wants nodes after those whose results they use; files in the wild do not
// always have them so.
#ifndef INVAR_LIB_FRONTEND_IMPORT_NODEORDER_H
#define INVAR_LIB_FRONTEND_IMPORT_NODEORDER_H

#include "invar/Frontend/Wire/Views.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace invar {

/// Indices of `nodes` in an order that defines before it uses: the file's own where it
/// will do, else as close to it as a depth-first walk gets. A cycle is an error that
/// names its nodes.
llvm::Expected<llvm::SmallVector<unsigned>>
orderNodes(llvm::ArrayRef<NodeView> nodes);

} // namespace invar

#endif // INVAR_LIB_FRONTEND_IMPORT_NODEORDER_H
