// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transforms 3 x 3 filters to the form that Winograd convolutions multiply with
// (Winograd/Winograd.h), and back: W(o, c, 3, 3) and U(o, c, m + 2, m + 2). Both are
// packed in panels of adjacent o, with the position of a tap before the channel: [o /
// panel][a][b][c][panel].
#ifndef INVAR_LIB_LAYOUT_TRANSFORMEDFILTER_H
#define INVAR_LIB_LAYOUT_TRANSFORMEDFILTER_H

#include "invar/Winograd/Winograd.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace invar {

/// The panels of U = G W G^T, given those of W.
mlir::Value transformFilter(mlir::ImplicitLocOpBuilder &builder,
                            mlir::Value panels, const Winograd &form);

/// Restores W, without panels, from U. Marks the operation with an attribute.
mlir::Value restoreFilter(mlir::ImplicitLocOpBuilder &builder,
                          mlir::Value transformed, const Winograd &form);

} // namespace invar

#endif // INVAR_LIB_LAYOUT_TRANSFORMEDFILTER_H
