// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values whose sizes are not written, because the onnx package computes other ones and
// its checker would refuse the file.
//
// A pool with `ceil_mode` has no window that begins in the padding after the image.
// Runtimes always computed it that way, but before opset 22 the shape inference of the
// onnx package counts such a window:
//
//   AveragePool(x[1,1,8]) {ceil_mode, kernel_shape 3, strides 3, pads 1 and 1}
//     the window at 9 begins in the padding: 3 results, the onnx package says 4
//
// Sizes that follow from such a pool stay as the file declared them.
#ifndef INVAR_LIB_FRONTEND_EXPORT_DISPUTEDSIZES_H
#define INVAR_LIB_FRONTEND_EXPORT_DISPUTEDSIZES_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseSet.h"

namespace invar {

class DisputedSizes {
public:
  /// Finds all values of a module whose nodes are written in a version of the standard.
  DisputedSizes(mlir::ModuleOp module, int64_t opset);
  bool contains(mlir::Value value) const { return values.contains(value); }

private:
  void visit(mlir::Operation *op);
  bool dependsOnDisputed(mlir::Operation *op) const;

  llvm::DenseSet<mlir::Value> values;
};

} // namespace invar

#endif // INVAR_LIB_FRONTEND_EXPORT_DISPUTEDSIZES_H
