// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which tensors may get another form at no cost: constants (Constness.h), for example
// weights, literals, arguments that are marked as constant, and what is computed from
// these alone. Converting them is folded (ConstFold), so it does not happen at run time.
#ifndef INVAR_LIB_LAYOUT_CONSTANTTENSORS_H
#define INVAR_LIB_LAYOUT_CONSTANTTENSORS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace invar {

class ConstnessAnalysis;

/// Whether an operand is a constant of static shape whose elements the operation reads,
/// and that has no other form yet which loops read instead.
bool canChangeForm(mlir::OpOperand &operand, const ConstnessAnalysis &analysis);

/// The bytes of all constants that a function reads: those that it refers to, literals,
/// and marked arguments.
double countConstantBytes(mlir::Operation *function,
                          const ConstnessAnalysis &analysis);

} // namespace invar

#endif // INVAR_LIB_LAYOUT_CONSTANTTENSORS_H
