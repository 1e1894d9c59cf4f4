// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Orders nodes so that each comes after the nodes whose results it uses. The standard
// requires this, but real files do not always comply.
#ifndef INVAR_LIB_FRONTEND_IMPORT_NODEORDER_H
#define INVAR_LIB_FRONTEND_IMPORT_NODEORDER_H

#include "invar/Frontend/Wire/Views.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace invar {

/// Indices of `nodes` in an order in which definitions come before uses: the file's own
/// order if possible, otherwise the order of a depth-first walk, which is close to it. A
/// cycle is an error that names its nodes.
llvm::Expected<llvm::SmallVector<unsigned>>
orderNodes(llvm::ArrayRef<NodeView> nodes);

} // namespace invar

#endif // INVAR_LIB_FRONTEND_IMPORT_NODEORDER_H
