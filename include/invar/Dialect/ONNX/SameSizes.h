// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether sizes are equal in every run, according to types: numbers, and names
// (#onnx.dims). A size that has neither is never equal to another.
#ifndef INVAR_DIALECT_ONNX_SAMESIZES_H
#define INVAR_DIALECT_ONNX_SAMESIZES_H

#include "mlir/IR/Value.h"

namespace invar {

/// Whether an axis of one tensor and one of another are known to have the same size.
bool haveSameSize(mlir::Value a, int64_t axisOfA, mlir::Value b,
                  int64_t axisOfB);
/// Whether two tensors are known to have the same shape.
bool haveSameShape(mlir::Value a, mlir::Value b);

} // namespace invar

#endif // INVAR_DIALECT_ONNX_SAMESIZES_H
