// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements brought together along axes, and what is computed of them in between: what
// reductions, softmaxes and normalizations have in common. A row is what differs in these
// axes only.
//
//   Rows rows(to, x, axes);
//   Value sum = rows.sum(rows.each(x), [](auto in) { return in[0]; });
//   Value mean = rows.ofRows(sum, f32, [&](auto in) { return in[0] / rows.countFor(in[0]); });
//   Value y = rows.ofAll({rows.each(x), rows.perRow(mean)}, f32,
//                        [](auto in) { return in[0] - in[1]; });
//
// Each line is one linalg.generic. A statistic such as `mean` has an element for each row
// and no trace of the axes, so that all steps have the same leading loops and can become
// one kernel (docs/Rationale/Compile.md, the form "rows").
#ifndef INVAR_CONVERSION_ONNXTOLINALG_ROWS_H
#define INVAR_CONVERSION_ONNXTOLINALG_ROWS_H

#include "invar/Conversion/ONNXToLinalg/Contraction.h"

namespace invar::onnx {

/// A tensor as loops read it.
struct LoopOperand {
  mlir::Value tensor;
  mlir::AffineMap map;
};

/// Computes a number from one of each operand.
using Compute = llvm::function_ref<Number(llvm::ArrayRef<Number>)>;

/// A tensor of `sizes`, computed place by place; maps lead from its places.
mlir::Value makeElementwise(Lowering &to, llvm::ArrayRef<LoopOperand> operands,
                            llvm::ArrayRef<mlir::OpFoldResult> sizes,
                            mlir::Type elementType, Compute compute);

/// The lowest (or highest) element of a type, as one of the type in which elements of it are
/// brought together.
mlir::TypedAttr getLimit(mlir::OpBuilder &builder, mlir::Type elementType,
                         bool isLowest);
bool isUnsigned(mlir::Type elementType);

class Rows {
public:
  /// Rows along `axes` of `x`, which ascend.
  Rows(Lowering &to, mlir::Value x, llvm::ArrayRef<int64_t> axes);

  //===-- Operands ----------------------------------------------------------------===//

  /// A tensor with an element for each place, as `x` has it.
  LoopOperand each(mlir::Value tensor) const;
  /// A statistic.
  LoopOperand perRow(mlir::Value statistic) const;
  /// A tensor that has these axes of `x` only.
  LoopOperand along(llvm::ArrayRef<int64_t> own, mlir::Value tensor) const;
  /// A tensor that broadcasts to `x`.
  llvm::FailureOr<LoopOperand> broadcast(mlir::Value tensor) const;

  //===-- Steps -------------------------------------------------------------------===//

  mlir::Value reduce(llvm::ArrayRef<LoopOperand> operands,
                     const Reduction &reduction) const;
  /// In the type in which elements of `x` are summed.
  mlir::Value sum(llvm::ArrayRef<LoopOperand> operands, Compute term) const;
  /// The greatest element of each row, or NaN where one is.
  mlir::Value greatest(mlir::Value tensor) const;
  /// Where the greatest (or least) element of each row stands, which has one axis: the first
  /// of equal ones, or the last. NaN comes before all others.
  mlir::Value locateExtreme(mlir::Value tensor, bool isGreatest,
                            bool takesLast) const;
  /// Something of all places.
  mlir::Value ofAll(llvm::ArrayRef<LoopOperand> operands,
                    mlir::Type elementType, Compute compute) const;
  /// Something of all rows.
  mlir::Value ofRows(mlir::ValueRange statistics, mlir::Type elementType,
                     Compute compute) const;
  /// What is computed with, of `x`.
  mlir::Type getWorkType() const { return workType; }
  /// How many elements a row has, as a number of the same type.
  Number countFor(const Number &like) const;
  /// In ofAll(): where an element stands in its row, which has one axis.
  Number getPlace(const Number &like) const;
  /// A statistic in the shape of `x`, its axes having size 1.
  mlir::Value keepAxes(mlir::Value statistic) const;

private:
  /// From loops over rows and then along each row to the places of `x`.
  mlir::AffineMap getOrder() const;

  Lowering &to;
  mlir::Type workType;
  llvm::SmallVector<mlir::OpFoldResult> sizes, rowSizes;
  llvm::SmallVector<int64_t> axes, others;
};

/// The softmax along the rows of a tensor, each step rounding to its type.
mlir::Value makeSoftmax(const Rows &rows, mlir::Value x);

} // namespace invar::onnx

#endif // INVAR_CONVERSION_ONNXTOLINALG_ROWS_H
