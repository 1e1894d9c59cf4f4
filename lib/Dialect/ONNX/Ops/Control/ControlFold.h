// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators that run a graph several times, evaluated when all that they need is constant:
// the graph is inferred once an iteration with constants for its arguments, and what it
// yields is constant then, too. So every operator that folds also folds in loops.
#ifndef INVAR_LIB_DIALECT_ONNX_OPS_CONTROL_CONTROLFOLD_H
#define INVAR_LIB_DIALECT_ONNX_OPS_CONTROL_CONTROLFOLD_H

#include "invar/Dialect/ONNX/Ops/Control.h"
#include "invar/Dialect/ONNX/TypeInference.h"

namespace invar::onnx {

/// Sets the constants that the results are, if they are. The body must have been inferred;
/// afterwards its types are again what they were. Where an operator is not evaluated it
/// stays as it is, for run time.
mlir::LogicalResult evaluate(LoopOp op, TypeInference &inference);
mlir::LogicalResult evaluate(ScanOp op, TypeInference &inference);
mlir::LogicalResult evaluate(SequenceMapOp op, TypeInference &inference);

} // namespace invar::onnx

#endif // INVAR_LIB_DIALECT_ONNX_OPS_CONTROL_CONTROLFOLD_H
