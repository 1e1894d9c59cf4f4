// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that bring the elements of one tensor to other places, and compute nothing:
// transposes, slices, reshapes and packing, seen alike. What is known of an axis of the
// source says how to move another tensor along that goes with it, such as the scales of
// quantized numbers:
//
//   linalg.pack %w inner_dims_pos = [1] inner_tiles = [32] : tensor<64x96xi8> to <64x3x32>
//
//   axis 0 becomes axis 0; axis 1 becomes axes 1 and 2, in tiles of 32
//   scales %s : tensor<96xf32> are packed to <3x32>, and read at (1, 2)
#ifndef INVAR_LIB_CONSTFOLD_MOVEMENT_H
#define INVAR_LIB_CONSTFOLD_MOVEMENT_H

#include "Elementwise.h"

namespace invar {

class Movement {
public:
  /// As Elementwise::match does it.
  static Refusal match(mlir::Operation *op, std::optional<Movement> &found);

  mlir::Operation *getOperation() const { return op; }
  mlir::Value getSource() const;
  mlir::RankedTensorType getType() const {
    return llvm::cast<mlir::RankedTensorType>(op->getResult(0).getType());
  }

  /// The same of another tensor in the shape of the source.
  mlir::Value build(mlir::OpBuilder &builder, mlir::Value source) const;
  /// Whether what is read along the source, by loops over its axes, can move along.
  bool takes(const LoopOperand &operand) const;
  /// The type of an operand that has moved along.
  mlir::RankedTensorType getMovedType(const LoopOperand &operand) const;
  /// Moves it along: it is then read by loops over the axes of the result.
  LoopOperand moveAlong(mlir::OpBuilder &builder,
                        const LoopOperand &operand) const;

private:
  /// What becomes of an axis of the source.
  struct Axis {
    /// Which one it is of the result; none where it has gone with its one place.
    std::optional<unsigned> to;
    bool isMerged =
        false; ///< it is no axis of the result any more, nor a part of one
    int64_t offset = 0, size = 0, stride = 1; ///< what is there of it
    bool isCut = false;
    std::optional<unsigned> inner; ///< the axis of places in tiles
    int64_t tile = 0;
  };

  explicit Movement(mlir::Operation *op) : op(op) {}

  Refusal readAxes();
  void readTranspose(const Elementwise &copy);
  void readReshape();
  void readSlice();
  Refusal readPack();

  mlir::Operation *op;
  llvm::SmallVector<Axis> axes;
};

} // namespace invar

#endif // INVAR_LIB_CONSTFOLD_MOVEMENT_H
