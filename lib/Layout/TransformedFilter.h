// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Filters of 3 x 3 as the transformed convolutions multiply them (Support/Winograd.h), and
// back: W(o, c, 3, 3) and U(o, c, m + 2, m + 2). Both lie in panels of neighboring o, the
// place of a tap before its channel: [o / panel][a][b][c][panel].
#ifndef INVAR_LIB_LAYOUT_TRANSFORMEDFILTER_H
#define INVAR_LIB_LAYOUT_TRANSFORMEDFILTER_H

#include "invar/Support/Winograd.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace invar {

/// The panels of U = G W G^T, of those of W.
mlir::Value transformFilter(mlir::ImplicitLocOpBuilder &builder,
                            mlir::Value panels, const Winograd &form);

/// W, of which U was made, without panels; noted as such on the operation.
mlir::Value restoreFilter(mlir::ImplicitLocOpBuilder &builder,
                          mlir::Value transformed, const Winograd &form);

} // namespace invar

#endif // INVAR_LIB_LAYOUT_TRANSFORMEDFILTER_H
