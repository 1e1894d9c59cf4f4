// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results that a loop computes slice by slice. The loop carries a stack: a sequence to
// the compiler, one tensor that grows to the runtime (runtime/Calls/Stack.cpp).
//
//   Value stack = startStack(to, elementType, count);
//   … a loop that carries `stack`:
//     stack = addToStack(to, stack, slice);
//   Value all = finishStack(to, stack, type, axis);
#ifndef INVAR_CONVERSION_ONNXTOLINALG_STACK_H
#define INVAR_CONVERSION_ONNXTOLINALG_STACK_H

#include "invar/Conversion/ONNXToLinalg/Lowerings.h"

namespace invar::onnx {

/// Creates a stack for `count` slices, or for any number of them if `count` is null.
mlir::Value startStack(Lowering &to, mlir::Type elementType,
                       mlir::OpFoldResult count);
/// Returns the stack with one more slice. All slices must have the same sizes. Reversed,
/// the first one becomes the last; the number of slices must be known then.
mlir::Value addToStack(Lowering &to, mlir::Value stack, mlir::Value slice,
                       bool isReversed);
/// Returns the slices, at least one, joined along a new axis.
mlir::Value finishStack(Lowering &to, mlir::Value stack,
                        mlir::RankedTensorType type, int64_t axis);

} // namespace invar::onnx

#endif // INVAR_CONVERSION_ONNXTOLINALG_STACK_H
