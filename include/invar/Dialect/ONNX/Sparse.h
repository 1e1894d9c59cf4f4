// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sparse tensors of a model: `sparse_value` of Constant and sparse initializers. They
// stay sparse until an operator computes with them. The operator gets the dense form,
// which costs nothing until it is read.
#ifndef INVAR_DIALECT_ONNX_SPARSE_H
#define INVAR_DIALECT_ONNX_SPARSE_H

#include "invar/Dialect/ONNX/Folding.h"

namespace invar::onnx {

/// Returns the dense form: zero (or false, or an empty string) except for the listed
/// elements. Each of these is listed either by its number in row-major order or by an
/// index for each axis. Fails with the reason if an index is out of range or there are
/// too many elements.
llvm::Expected<Elements> expandSparse(SparseAttr sparse,
                                      const FoldOptions &options = {});

/// The size in bytes of the listed values and their indices.
uint64_t getStoredBytes(SparseAttr sparse);

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_SPARSE_H
