// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the transforms of tiles (Winograd/Winograd.h), on vectors along channels.
#ifndef INVAR_LIB_CODEGEN_WINOGRADTRANSFORMS_H
#define INVAR_LIB_CODEGEN_WINOGRADTRANSFORMS_H

#include "KernelBuilder.h"

namespace invar {

/// B^T d B: `tile` has (m + 2)^2 vectors, row by row; so does the result.
KernelBuilder::Values transformTile(KernelBuilder &builder, unsigned results,
                                    mlir::ValueRange tile);

/// A^T p A: m^2 results of (m + 2)^2 products.
KernelBuilder::Values transformProducts(KernelBuilder &builder,
                                        unsigned results,
                                        mlir::ValueRange products);

} // namespace invar

#endif // INVAR_LIB_CODEGEN_WINOGRADTRANSFORMS_H
