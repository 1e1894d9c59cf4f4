// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The convolutions that may use Winograd's algorithm (Winograd.h). Layout transforms
// filters of such convolutions only, and Codegen computes them with transformed filters.
// Both ask here: a filter that is transformed for another convolution would be restored
// in each run.
#ifndef INVAR_WINOGRAD_CONVOLUTION_H
#define INVAR_WINOGRAD_CONVOLUTION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <optional>

namespace invar {

/// Y(n, h, w, o) += X(n, h + i, w + j, c) * W(o, c, i, j), beginning with 0. All types are
/// f32, i and j are below 3, and the padding of X is 0, if there is any.
struct Convolution3x3 {
  /// Matches `op`; none if it is something else.
  static std::optional<Convolution3x3> get(mlir::linalg::GenericOp op);

  mlir::OpOperand *getImage() { return op.getDpsInputOperand(0); }
  mlir::OpOperand *getFilter() { return op.getDpsInputOperand(1); }

  mlir::linalg::GenericOp op;
  /// The numbers of the loops.
  unsigned n, h, w, o, c, i, j;
  /// The sizes of all loops; those of o and c are known and not 0.
  llvm::SmallVector<int64_t> sizes;
};

} // namespace invar

#endif // INVAR_WINOGRAD_CONVOLUTION_H
