// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folding for MLIR's own passes (canonicalization, constant propagation). It computes
// the same values as Invar's constant propagation, but only for small results. Larger
// tensors are left to Invar's constant propagation, which considers the size of the
// whole model.
#ifndef INVAR_LIB_DIALECT_ONNX_FOLDHOOK_H
#define INVAR_LIB_DIALECT_ONNX_FOLDHOOK_H

#include "mlir/Interfaces/FoldInterfaces.h"

namespace invar::onnx {

class FoldHook : public mlir::DialectFoldInterface {
public:
  using DialectFoldInterface::DialectFoldInterface;

  llvm::LogicalResult
  fold(mlir::Operation *op, llvm::ArrayRef<mlir::Attribute> operands,
       llvm::SmallVectorImpl<mlir::OpFoldResult> &results) const override;
};

} // namespace invar::onnx

#endif // INVAR_LIB_DIALECT_ONNX_FOLDHOOK_H
