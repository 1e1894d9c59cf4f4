// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Describes how the loops of a linalg operation walk over a tensor argument of the
// kernel. An operand is the argument itself, a part of it (tensor.extract_slice), the
// argument with a border (tensor.pad), or the unpacked form of a packed argument
// (linalg.unpack). The position of an element is linear in the loops, except for tiled
// loops (Access::Tile):
//
//   X(n, oh * 2 + kh, ow * 2 + kw, c) of a %x: tensor<?x224x224x3xf32> padded by 1
//
//   axis 1 of %x   begins at -1, moves 2 with oh and 1 with kh, has a border
//   step of oh     2 * 224 * 3 elements
//
// Invariant: an access without a border and without tiles stays inside the argument for
// all indices of the loops.
#ifndef INVAR_LIB_CODEGEN_ACCESS_H
#define INVAR_LIB_CODEGEN_ACCESS_H

#include "KernelBuilder.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace invar {

/// Whether an operation only makes another view of its first operand, through which
/// loops read that operand.
inline bool isView(mlir::Operation *op) {
  return mlir::isa_and_present<mlir::tensor::ExtractSliceOp,
                               mlir::tensor::PadOp, mlir::linalg::UnPackOp>(op);
}

/// An access during emission of a function: its origin in the buffer, and how far an
/// iteration of each loop moves it, in elements. A plan has no buffer.
struct Walk {
  mlir::Value buffer, origin;
  KernelBuilder::Values steps;
  /// Its index among the walks of an epilogue.
  unsigned number = 0;
};

class Access {
public:
  /// An axis of the argument.
  struct Axis {
    /// How far an iteration of each loop moves along the axis.
    llvm::SmallVector<int64_t> steps;
    /// The number of elements before the first accessed element. For an axis with a
    /// border, the width of the border before the axis.
    mlir::OpFoldResult offset;
    bool isBordered = false;
    /// Whether the loops may access only a part of the axis: a slice, or a window that
    /// does not use all of it.
    bool isPart = false;
  };

  /// A loop over a tiled axis: iteration i is element i % size of tile i / size.
  struct Tile {
    unsigned loop;
    int64_t size;
    unsigned outerAxis, innerAxis;
  };

  /// Describes how loops that index `operand` through `map` access it. Fails if the
  /// access is not linear, or if the operand is not made from an argument as described
  /// above. A loop of one iteration, according to `loopSizes`, moves nothing.
  static llvm::FailureOr<Access> get(mlir::Value operand, mlir::AffineMap map,
                                     llvm::ArrayRef<int64_t> loopSizes);

  mlir::Value getTensor() const { return tensor; }
  llvm::ArrayRef<Axis> getAxes() const { return axes; }
  /// The tile of a loop; null if the loop is not tiled.
  const Tile *getTile(unsigned loop) const;
  bool isTiled() const { return !tiles.empty(); }

  /// The value of the border, a scalar of the kernel; null without a border.
  mlir::Value getBorder() const { return border; }

  bool moves(unsigned loop) const;
  /// Whether a loop moves along an axis that has a border.
  bool movesAlongBorder(unsigned loop) const;
  /// Whether iterations of `loop` access consecutive elements.
  bool isContiguous(unsigned loop) const;
  /// Whether one iteration of `outer` moves as far as all iterations of `inner`, so
  /// that both act as one loop. `isInside` states that the access stays inside the
  /// argument, so that a border along the axis of `outer` does not matter.
  bool isDense(unsigned outer, unsigned inner, bool isInside = false) const;

  /// The strides of the argument's axes.
  KernelBuilder::Values getStrides(KernelBuilder &builder) const;
  /// The position along an axis when all loops are at 0.
  mlir::Value getBegin(KernelBuilder &builder, unsigned axis) const;
  Walk getWalk(KernelBuilder &builder) const;

private:
  Access(mlir::Value tensor, unsigned loops) : tensor(tensor), loops(loops) {}

  Axis makeAxis() const;
  llvm::LogicalResult lookThrough(mlir::tensor::PadOp pad);
  llvm::LogicalResult lookThrough(mlir::tensor::ExtractSliceOp slice);
  llvm::LogicalResult lookThrough(mlir::linalg::UnPackOp unpack,
                                  mlir::AffineMap map);

  mlir::Value tensor, border;
  unsigned loops;
  llvm::SmallVector<Axis> axes;
  llvm::SmallVector<Tile, 2> tiles;
};

} // namespace invar

#endif // INVAR_LIB_CODEGEN_ACCESS_H
