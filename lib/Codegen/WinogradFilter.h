// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Filters of 3 x 3 that are given in transformed form (Winograd/Winograd.h). The operation
// that restores the filter expresses this in the IR:
//
//   %p = arith.constant dense<[[4.0, 0.0, …], …]> : tensor<3x6xf32>
//   %w = linalg.generic … ins(%p, %p, %u) outs(%zeros) {invar.restored_filter} …
//                            W(o, c, i, j) += P(i, a) * P(j, b) * U(o, c, a, b)
//
// A convolution with such a filter never computes the restored filter: its emitter
// (WinogradConvolution.h) multiplies with U directly.
#ifndef INVAR_LIB_CODEGEN_WINOGRADFILTER_H
#define INVAR_LIB_CODEGEN_WINOGRADFILTER_H

#include "invar/Winograd/Winograd.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <optional>

namespace invar {

struct WinogradFilter {
  /// Matches `op` as the operation that restores a filter; none if it is not one.
  static std::optional<WinogradFilter> get(mlir::Operation *op);

  mlir::OpOperand *getTransformed() { return restore.getDpsInputOperand(2); }

  mlir::linalg::GenericOp restore;
  Winograd form;
};

} // namespace invar

#endif // INVAR_LIB_CODEGEN_WINOGRADFILTER_H
