// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules by which many operators' shapes follow. A record names one, `let shape = "…"`;
// operators with rules of their own write computeShape() in their family.
#ifndef INVAR_DIALECT_ONNX_SHAPES_H
#define INVAR_DIALECT_ONNX_SHAPES_H

#include "invar/IndexExpr/ShapeHelper.h"

namespace invar::onnx::shape {

/// Each result has the shape of the first operand.
llvm::LogicalResult sameAsFirst(ShapeHelper &shape);

/// Each result has the shape that all operands broadcast to.
llvm::LogicalResult broadcastAll(ShapeHelper &shape);

/// Each result is a scalar.
llvm::LogicalResult scalar(ShapeHelper &shape);

/// The entries of an elementwise operator's result, by what it does to one entry of each
/// operand; none where those of an operand are not known.
std::optional<DimsExpr>
elementwise(ShapeHelper &shape,
            llvm::function_ref<IndexExpr(llvm::ArrayRef<IndexExpr>)> function);

} // namespace invar::onnx::shape

#endif // INVAR_DIALECT_ONNX_SHAPES_H
