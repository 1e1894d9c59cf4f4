// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions along axes, and computations with their results: the common part of
// reductions, softmaxes and normalizations. A row consists of the elements that differ
// only in their positions along these axes.
//
//   Rows rows(to, x, axes);
//   Value sum = rows.sum(rows.each(x), [](auto in) { return in[0]; });
//   Value mean = rows.ofRows(sum, f32, [&](auto in) { return in[0] / rows.countFor(in[0]); });
//   Value y = rows.ofAll({rows.each(x), rows.perRow(mean)}, f32,
//                        [](auto in) { return in[0] - in[1]; });
//
// Each line is one linalg.generic. A statistic such as `mean` has one element for each
// row, without the reduced axes. So all steps have the same leading loops and can
// become one kernel (docs/Rationale/Compile.md, the form "rows").
#ifndef INVAR_CONVERSION_ONNXTOLINALG_ROWS_H
#define INVAR_CONVERSION_ONNXTOLINALG_ROWS_H

#include "invar/Conversion/ONNXToLinalg/Contraction.h"

namespace invar::onnx {

/// A tensor, and the map by which loops read it.
struct LoopOperand {
  mlir::Value tensor;
  mlir::AffineMap map;
};

/// Computes a number from one number of each operand.
using Compute = llvm::function_ref<Number(llvm::ArrayRef<Number>)>;

/// Computes a tensor of `sizes` element by element. The maps lead from its positions to
/// the operands. A map may leave out the end of an axis of known size.
mlir::Value makeElementwise(Lowering &to, llvm::ArrayRef<LoopOperand> operands,
                            llvm::ArrayRef<mlir::OpFoldResult> sizes,
                            mlir::Type elementType, Compute compute);

/// The lowest (or highest) element of a type, in the type in which such elements are
/// reduced.
mlir::TypedAttr getLimit(mlir::OpBuilder &builder, mlir::Type elementType,
                         bool isLowest);
bool isUnsigned(mlir::Type elementType);

class Rows {
public:
  /// Rows along `axes` of `x`, which must be in ascending order.
  Rows(Lowering &to, mlir::Value x, llvm::ArrayRef<int64_t> axes);

  //===-- Operands ----------------------------------------------------------------===//

  /// A tensor with the shape of `x`.
  LoopOperand each(mlir::Value tensor) const;
  /// A statistic, with one element for each row.
  LoopOperand perRow(mlir::Value statistic) const;
  /// A tensor that has only these axes of `x`.
  LoopOperand along(llvm::ArrayRef<int64_t> own, mlir::Value tensor) const;
  /// A tensor that broadcasts to `x`.
  llvm::FailureOr<LoopOperand> broadcast(mlir::Value tensor) const;

  //===-- Steps -------------------------------------------------------------------===//

  mlir::Value reduce(llvm::ArrayRef<LoopOperand> operands,
                     const Reduction &reduction) const;
  /// Sums in the work type of `x`.
  mlir::Value sum(llvm::ArrayRef<LoopOperand> operands, Compute term) const;
  /// The greatest element of each row, or NaN if the row contains one.
  mlir::Value greatest(mlir::Value tensor) const;
  /// The position of the greatest (or least) element of each row. A row must have one
  /// axis. Among equal elements, the first or the last counts. NaN comes before all
  /// others.
  mlir::Value locateExtreme(mlir::Value tensor, bool isGreatest,
                            bool takesLast) const;
  /// Computes a tensor with the shape of `x`.
  mlir::Value ofAll(llvm::ArrayRef<LoopOperand> operands,
                    mlir::Type elementType, Compute compute) const;
  /// Computes a statistic from others.
  mlir::Value ofRows(mlir::ValueRange statistics, mlir::Type elementType,
                     Compute compute) const;
  /// The type in which elements of `x` are computed.
  mlir::Type getWorkType() const { return workType; }
  /// The number of elements in a row, in the type of `like`.
  Number countFor(const Number &like) const;
  /// In ofAll(): the position of an element in its row, which must have one axis.
  Number getPlace(const Number &like) const;
  /// A statistic with the rank of `x`, in which the reduced axes have size 1.
  mlir::Value keepAxes(mlir::Value statistic) const;

private:
  /// A map from loops over rows, and then along each row, to the positions of `x`.
  mlir::AffineMap getOrder() const;

  Lowering &to;
  mlir::Type workType;
  llvm::SmallVector<mlir::OpFoldResult> sizes, rowSizes;
  llvm::SmallVector<int64_t> axes, others;
};

/// The softmax along the rows of a tensor. Each step rounds to the tensor's type.
mlir::Value makeSoftmax(const Rows &rows, mlir::Value x);

} // namespace invar::onnx

#endif // INVAR_CONVERSION_ONNXTOLINALG_ROWS_H
