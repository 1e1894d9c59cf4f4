// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Filters of 3 x 3 as the transformed convolutions multiply them (Support/Winograd.h), and
// back: operations on tensors W(o, c, 3, 3) and U(o, c, m + 2, m + 2).
#ifndef INVAR_LIB_LAYOUT_TRANSFORMEDFILTER_H
#define INVAR_LIB_LAYOUT_TRANSFORMEDFILTER_H

#include "invar/Support/Winograd.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace invar {

/// U = G W G^T
mlir::Value transformFilter(mlir::ImplicitLocOpBuilder &builder,
                            mlir::Value filter, const Winograd &form);

/// W, of which `transformed` was made; noted as such on the operation.
mlir::Value restoreFilter(mlir::ImplicitLocOpBuilder &builder,
                          mlir::Value transformed, const Winograd &form);

} // namespace invar

#endif // INVAR_LIB_LAYOUT_TRANSFORMEDFILTER_H
