// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a border of an image means to a reduction.
#ifndef INVAR_LIB_CODEGEN_BORDER_H
#define INVAR_LIB_CODEGEN_BORDER_H

#include "mlir/IR/Value.h"

namespace invar {

/// Whether the body of a reduction gives back what it was given where `element`, one of its
/// arguments, is `border`: a product with 0 that is added, or the lowest number of which
/// the maximum is taken. Then what lies in the border can be left out.
bool isNeutral(mlir::Value border, mlir::BlockArgument element);

} // namespace invar

#endif // INVAR_LIB_CODEGEN_BORDER_H
