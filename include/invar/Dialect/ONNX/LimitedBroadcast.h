// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Broadcasting of binary operators before version 7. Only B was broadcast, only if
// `broadcast` was 1, and only if B had one element or its shape was a contiguous part
// of A's shape. That part began at `axis`; by default it ended at A's last axis. For A
// of shape 2x3x4x5:
//
//   B of 4x5            broadcast=1            as in numpy
//   B of 3x4, axis=1    broadcast=1, axis=1    numpy needs 3x4x1
#ifndef INVAR_DIALECT_ONNX_LIMITEDBROADCAST_H
#define INVAR_DIALECT_ONNX_LIMITEDBROADCAST_H

#include "invar/Dialect/ONNX/Adapter.h"

namespace invar::onnx {

/// Appends axes of size one to `value`, so that its own axes begin at `axis` of `like`.
/// If a rank is unknown, this creates operators that compute the shape; they fold once
/// the ranks are known. Returns null if `axis` is out of range.
mlir::Value alignAxes(mlir::Value value, mlir::Value like, int64_t axis,
                      AdaptContext &context);
/// Removes the axes outside [begin, end) from `value`, whose shape is known. These axes
/// have size one. If an Unsqueeze inserted them, returns its operand.
mlir::Value dropUnitAxes(mlir::Value value, int64_t begin, int64_t end,
                         AdaptContext &context);

Refusal limitedBroadcastUp(NodeForm &node, AdaptContext &context);
Refusal limitedBroadcastDown(NodeForm &node, AdaptContext &context);

/// For operators that did not broadcast at all: refuses operands whose shapes may differ.
Refusal noBroadcastDown(NodeForm &node, AdaptContext &context);

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_LIMITEDBROADCAST_H
