// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sparse tensors of a model, as `sparse_value` of Constant and sparse initializers have
// them. They stay as they are until something computes with them; what does gets the dense
// form, which costs nothing until it is read.
#ifndef INVAR_DIALECT_ONNX_SPARSE_H
#define INVAR_DIALECT_ONNX_SPARSE_H

#include "invar/Dialect/ONNX/Folding.h"

namespace invar::onnx {

/// The dense form: zero (or false, or an empty text) but where an element is listed, either
/// by its number in row-major order or by an index for each axis. Fails with the reason
/// where an index is out of range, or where there are more elements than may be computed.
llvm::Expected<Elements> expandSparse(SparseAttr sparse,
                                      const FoldOptions &options = {});

/// The bytes of what is listed: the values and their indices.
uint64_t getStoredBytes(SparseAttr sparse);

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_SPARSE_H
