// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A common view of operations that move the elements of one tensor and compute nothing:
// transposes, slices, reshapes and packing. The description of each source axis also
// tells how to move a tensor that belongs to the source, such as the scales of
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
  /// Returns a refusal as Elementwise::match does.
  static Refusal match(mlir::Operation *op, std::optional<Movement> &found);

  mlir::Operation *getOperation() const { return op; }
  mlir::Value getSource() const;
  mlir::RankedTensorType getType() const {
    return llvm::cast<mlir::RankedTensorType>(op->getResult(0).getType());
  }

  /// Builds the same movement of another tensor that has the shape of the source.
  mlir::Value build(mlir::OpBuilder &builder, mlir::Value source) const;
  /// Whether an operand that is read together with the source, by loops over the
  /// source's axes, can be moved along.
  bool takes(const LoopOperand &operand) const;
  /// The type of an operand after it is moved along.
  mlir::RankedTensorType getMovedType(const LoopOperand &operand) const;
  /// Moves an operand along: loops over the axes of the result then read it.
  LoopOperand moveAlong(mlir::OpBuilder &builder,
                        const LoopOperand &operand) const;

private:
  /// Where an axis of the source is in the result.
  struct Axis {
    /// The axis of the result; none if an axis of size one is dropped.
    std::optional<unsigned> to;
    bool isMerged = false; ///< neither an axis of the result nor a part of one
    int64_t offset = 0, size = 0, stride = 1; ///< the part that is taken
    bool isCut = false;
    std::optional<unsigned> inner; ///< the axis of positions inside of tiles
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
