// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How binary operators broadcast before version 7: only B, only when `broadcast` was 1,
// and only if its shape was a run of A's shape, beginning at `axis` (by default the run
// that ends with A's last axis), or if B had one element. For A of shape 2x3x4x5:
//
//   B of 4x5            broadcast=1            as in numpy
//   B of 3x4, axis=1    broadcast=1, axis=1    numpy wants 3x4x1
#ifndef INVAR_DIALECT_ONNX_LIMITEDBROADCAST_H
#define INVAR_DIALECT_ONNX_LIMITEDBROADCAST_H

#include "invar/Dialect/ONNX/Adapter.h"

namespace invar::onnx {

/// `value` with axes of size one put behind its own, so that these begin at `axis` of
/// `like`. Where ranks are not known yet, operators compute them, and fold once they are.
/// Null if `axis` is out of range.
mlir::Value alignAxes(mlir::Value value, mlir::Value like, int64_t axis,
                      AdaptContext &context);
/// `value`, whose shape is known, without the axes outside [begin, end), which have size
/// one; where these were put in by an Unsqueeze, its operand.
mlir::Value dropUnitAxes(mlir::Value value, int64_t begin, int64_t end,
                         AdaptContext &context);

Refusal limitedBroadcastUp(NodeForm &node, AdaptContext &context);
Refusal limitedBroadcastDown(NodeForm &node, AdaptContext &context);

/// For operators that did not broadcast at all: refuses operands that may differ in shape.
Refusal noBroadcastDown(NodeForm &node, AdaptContext &context);

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_LIMITEDBROADCAST_H
