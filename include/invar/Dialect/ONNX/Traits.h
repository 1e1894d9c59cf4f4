// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traits of operators, for the constraints that whole families share (OpBase.td).
#ifndef INVAR_DIALECT_ONNX_TRAITS_H
#define INVAR_DIALECT_ONNX_TRAITS_H

#include "mlir/IR/OpDefinition.h"

namespace invar::onnx {

namespace detail {
/// Checks (C1) of every operator with the trait.
mlir::LogicalResult verifyBroadcasting(mlir::Operation *op);
} // namespace detail

/// Operands whose shapes broadcast together.
template <typename ConcreteOp>
class Broadcasting : public mlir::OpTrait::TraitBase<ConcreteOp, Broadcasting> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return detail::verifyBroadcasting(op);
  }
};

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_TRAITS_H
