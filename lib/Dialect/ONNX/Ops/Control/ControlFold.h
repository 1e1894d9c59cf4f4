// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates operators that run a graph several times, if all their inputs are constant.
// The graph is inferred once per iteration with constants as its arguments; the values
// that it yields are then constant, too. So every operator that folds also folds in
// loops.
#ifndef INVAR_LIB_DIALECT_ONNX_OPS_CONTROL_CONTROLFOLD_H
#define INVAR_LIB_DIALECT_ONNX_OPS_CONTROL_CONTROLFOLD_H

#include "invar/Dialect/ONNX/Ops/Control.h"
#include "invar/Dialect/ONNX/TypeInference.h"

namespace invar::onnx {

/// Sets the results to their constant values, if they are constant. The body must have
/// been inferred; afterwards it has the same types as before. An operator that cannot
/// be evaluated stays unchanged for run time.
mlir::LogicalResult evaluate(LoopOp op, TypeInference &inference);
mlir::LogicalResult evaluate(ScanOp op, TypeInference &inference);
mlir::LogicalResult evaluate(SequenceMapOp op, TypeInference &inference);

} // namespace invar::onnx

#endif // INVAR_LIB_DIALECT_ONNX_OPS_CONTROL_CONTROLFOLD_H
