// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folds an operator with the function of the runtime that computes it in a run, so that
// both have one implementation (RuntimeCall.h):
//
//   FoldResult UniqueOp::computeValues(Folding &fold) {
//     return foldByCall(*this, fold, Floats::AsTheyAre);
//   }
//
// A function that may fail because of its operands, or that determines the shape of its
// result, runs at once. Any other runs when its result is first read: its result costs
// nothing if nobody needs it. If it fails then, so does the command: the operator can no
// longer be left to run time.
//
// The caller must limit the work first (checkSteps), because the operands are the
// content of a hostile file. The sizes of operands and results are limited here.
#ifndef INVAR_DIALECT_ONNX_FOLDCALL_H
#define INVAR_DIALECT_ONNX_FOLDCALL_H

#include "invar/Dialect/ONNX/Folding.h"
#include "invar/Dialect/ONNX/RuntimeCall.h"

namespace invar::onnx {

/// The type in which a function computes floats.
enum class Floats : uint8_t {
  /// As in a run. For functions that only move or compare elements.
  AsTheyAre,
  /// Operands are widened to doubles, and results are rounded once.
  Doubles,
};

/// Runs the function now.
FoldResult foldByCall(const Folding &fold, const RuntimeCall &call,
                      Floats floats);
/// Runs the function when one of its results is first read. All results must be tensors
/// of numbers with known shapes, and the function should succeed for any elements.
FoldResult foldByCallWhenRead(const Folding &fold, const RuntimeCall &call,
                              Floats floats);

/// The same for the call that an operator describes itself.
template <typename Op>
FoldResult foldByCall(Op op, const Folding &fold, Floats floats) {
  ShapeHelper shape = fold.getShapeHelper();
  llvm::FailureOr<RuntimeCall> call = describeCall(op, shape);
  if (mlir::failed(call))
    return notFolded("its sizes are not known");
  return foldByCall(fold, *call, floats);
}
template <typename Op>
FoldResult foldByCallWhenRead(Op op, const Folding &fold, Floats floats) {
  ShapeHelper shape = fold.getShapeHelper();
  llvm::FailureOr<RuntimeCall> call = describeCall(op, shape);
  if (mlir::failed(call))
    return notFolded("its sizes are not known");
  return foldByCallWhenRead(fold, *call, floats);
}

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_FOLDCALL_H
