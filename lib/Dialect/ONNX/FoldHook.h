// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What MLIR's own passes (canonicalization, constant propagation) fold by: the same values
// as constant propagation of Invar's, for results that are small or one element everywhere.
// Tensors of any size are folded where somebody looks at the bytes of the whole model.
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
