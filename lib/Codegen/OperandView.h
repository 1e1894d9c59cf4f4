// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locates the elements of an operand, in a function that is being written. An operand of
// a step is an argument of the kernel, or an argument that is seen through an operation:
//
//   tensor.extract_slice   a part; offsets and strides may be known only at run time
//   linalg.unpack          an argument that is stored in tiles
//   tensor.pad             outside of the argument, all elements have a constant value
//
// In all cases, the offset of an element in the buffer is a sum of terms, each a position
// along an axis times a stride.
#ifndef INVAR_LIB_CODEGEN_OPERANDVIEW_H
#define INVAR_LIB_CODEGEN_OPERANDVIEW_H

#include "LoopNest.h"

namespace invar {

/// How an operand moves with a loop.
enum class Motion {
  /// It does not move.
  None,
  /// To the next element.
  Next,
  /// To any element.
  Any
};

/// How `operand` moves with a loop, as far as that is known before anything is written. A
/// view of it may turn out to move to the next element even if this returns `Any`.
Motion getMotion(const NestOperand &operand, unsigned loop);

/// A position of the loops: the index of each, or null if it is not known yet. Along one
/// of them, the point covers `lanes` indices, some of which `mask` may exclude.
struct NestPoint {
  KernelBuilder::Values indices;
  std::optional<unsigned> vectorLoop;
  unsigned lanes = 0;
  mlir::Value mask;
  /// The number of this point among those that are processed at once.
  unsigned slot = 0;

  bool knows(const llvm::SmallBitVector &loops) const;
};

class OperandView {
public:
  /// An operand that is made from an argument of the kernel, or that is stored in the
  /// argument `result`.
  static OperandView ofArgument(KernelBuilder &builder,
                                const NestOperand &operand,
                                mlir::Value result = {});

  /// Elements in a buffer; `strides` has one stride for each coordinate.
  OperandView(mlir::Value buffer, mlir::Type element,
              llvm::ArrayRef<Coordinate> coordinates,
              llvm::ArrayRef<mlir::Value> strides, mlir::Value origin);

  /// States that the lanes of a point are adjacent, whatever its coordinates are, and
  /// that points that are processed at once are `stride` elements apart.
  void setContiguous(mlir::Value stride) { slotStride = stride; }

  /// The element or vector at a point; a scalar if all lanes of the point read the same
  /// element.
  mlir::Value load(KernelBuilder &builder, const NestPoint &point) const;
  void store(KernelBuilder &builder, mlir::Value value,
             const NestPoint &point) const;

private:
  struct Term {
    mlir::AffineExpr place;
    mlir::Value stride;
  };
  /// Positions in [low, low + size) are inside.
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
