// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the elements of an operand lie, for a function that is being written. An operand of
// a step is an argument of the kernel or is seen through an operation:
//
//   tensor.extract_slice   a part; offsets and strides may be numbers of the run
//   linalg.unpack          what lies in tiles
//   tensor.pad             outside of the argument, a constant stands for the elements
//
// Whichever it is, the place of an element in the buffer is a sum of terms, each a place
// along an axis times a stride.
#ifndef INVAR_LIB_CODEGEN_OPERANDVIEW_H
#define INVAR_LIB_CODEGEN_OPERANDVIEW_H

#include "LoopNest.h"

namespace invar {

/// How an operand moves with a loop.
enum class Motion {
  /// It does not.
  None,
  /// To the next element.
  Next,
  /// Anywhere.
  Any
};

/// How `operand` moves with a loop, as far as is known before anything is written: a view
/// of it may turn out to move to the next element where this says anywhere.
Motion getMotion(const NestOperand &operand, unsigned loop);

/// Where the loops are: the index of each, or null where it is not known yet. Along one of
/// them, `lanes` indices are meant, of which `mask` may leave some out.
struct NestPoint {
  KernelBuilder::Values indices;
  std::optional<unsigned> vectorLoop;
  unsigned lanes = 0;
  mlir::Value mask;
  /// Which of the points that are under way at once it is.
  unsigned slot = 0;

  bool knows(const llvm::SmallBitVector &loops) const;
};

class OperandView {
public:
  /// An operand that is made from an argument of the kernel, or that lies where the
  /// argument `result` does.
  static OperandView ofArgument(KernelBuilder &builder,
                                const NestOperand &operand,
                                mlir::Value result = {});

  /// Elements in a buffer; `strides` are those of the coordinates.
  OperandView(mlir::Value buffer, mlir::Type element,
              llvm::ArrayRef<Coordinate> coordinates,
              llvm::ArrayRef<mlir::Value> strides, mlir::Value origin);

  /// Says that the lanes of a point lie next to each other, whatever the coordinates say,
  /// and that points that are under way at once lie `slotStride` elements apart.
  void setContiguous(mlir::Value stride) { slotStride = stride; }

  /// The element or vector at a point; a scalar where the point's vectors all begin at the
  /// same element.
  mlir::Value load(KernelBuilder &builder, const NestPoint &point) const;
  void store(KernelBuilder &builder, mlir::Value value,
             const NestPoint &point) const;

private:
  struct Term {
    mlir::AffineExpr place;
    mlir::Value stride;
  };
  /// Places in [low, low + size) are inside.
  struct Border {
    mlir::AffineExpr place;
    mlir::Value low, size;
  };

  OperandView() = default;

  Motion getMotionAt(const NestPoint &point) const;
  mlir::Value getOffset(KernelBuilder &builder, const NestPoint &point,
                        unsigned lane) const;
  mlir::Value loadAt(KernelBuilder &builder, const NestPoint &point,
                     unsigned lane, unsigned lanes) const;

  mlir::Value buffer, origin;
  mlir::Type element;
  llvm::SmallVector<Term> terms;
  llvm::SmallVector<Border> borders;
  mlir::Value outside;
  mlir::Value slotStride;
};

} // namespace invar

#endif // INVAR_LIB_CODEGEN_OPERANDVIEW_H
