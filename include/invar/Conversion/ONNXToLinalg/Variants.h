// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers an operator by lowering copies of it whose operands have other types. So a
// lowering needs to handle only tensors of a known rank, whose elements loops can move.
//
//   rank unknown      a copy for each rank that the operator accepts; the program
//                     chooses one at run time
//   size unknown      a copy for each size of one axis, where a lowering needs it: the
//                     length of a list of sizes, for example
//   elements that     a copy on positions, tensors of int64 that number the elements;
//   loops cannot      its result says which elements to take, and a call takes them
//   move
//   ranks unknown,    a copy on lists, to which the operands are broadcast and flattened
//   but elementwise
//
// Positions of Concat(a: 2 strings, b: 1 string), for example:
//
//   %a = [1, 2]   %b = [3]   %places = concat %a, %b = [1, 2, 3]
//   rt.call "Take"(%places, a, b)
//
// Position 0 is a zero or an empty string, because lowerings fill with zeros.
#ifndef INVAR_CONVERSION_ONNXTOLINALG_VARIANTS_H
#define INVAR_CONVERSION_ONNXTOLINALG_VARIANTS_H

#include "invar/Conversion/ONNXToLinalg/Lowering.h"

namespace invar::onnx {

/// A tensor whose rank is unknown may have up to this many axes.
inline constexpr int64_t mostAxes = 8;

/// Lowers an operator for each rank of its first operand whose rank is unknown.
/// Without such an operand, for each length of its first list of unknown length. A rank
/// for which the operator has no lowering is an error of the run.
llvm::LogicalResult lowerForEachRank(Lowering &to);
/// Lowers an operator for each size of an open axis of an operand, up to `most`.
llvm::LogicalResult lowerForEachSize(Lowering &to, mlir::Value operand,
                                     int64_t axis, int64_t most = mostAxes);

/// Lowers an operator with a tensor of another type, but with the same elements, in
/// place of an operand.
llvm::LogicalResult lowerWithOperand(Lowering &to, mlir::Value operand,
                                     mlir::Value made);

/// Lowers an operator that only moves elements, on positions. Ranks must be known.
llvm::LogicalResult lowerByPositions(Lowering &to);

/// Lowers an elementwise operator whose operands broadcast, on lists.
llvm::LogicalResult lowerInLists(Lowering &to);

} // namespace invar::onnx

#endif // INVAR_CONVERSION_ONNXTOLINALG_VARIANTS_H
