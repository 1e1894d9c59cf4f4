// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides whether the border of an image affects a reduction.
#ifndef INVAR_LIB_CODEGEN_BORDER_H
#define INVAR_LIB_CODEGEN_BORDER_H

#include "mlir/IR/Value.h"

namespace invar {

/// Whether the body of a reduction returns its accumulator unchanged if `element`, one
/// of its arguments, is `border`. Examples: a product with 0 that is added, or the
/// maximum with the lowest number. The reduction can then skip the border.
bool isNeutral(mlir::Value border, mlir::BlockArgument element);

} // namespace invar

#endif // INVAR_LIB_CODEGEN_BORDER_H
