// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the loops of a linalg operation walk over a tensor argument of the kernel. An operand
// is the argument itself, a part of it (tensor.extract_slice), the argument in a border
// (tensor.pad), or what lies packed in it (linalg.unpack). For all of them, where an
// element lies is linear in the loops:
//
//   X(n, oh * 2 + kh, ow * 2 + kw, c) of a %x: tensor<?x224x224x3xf32> padded by 1
//
//   axis 1 of %x   begins at -1, moves 2 with oh and 1 with kh, has a border
//   step of oh     2 * 224 * 3 elements
//
// Invariant: an access without a border and without tiles stays inside of the argument
// for all indices of the loops.
#ifndef INVAR_LIB_CODEGEN_ACCESS_H
#define INVAR_LIB_CODEGEN_ACCESS_H

#include "KernelBuilder.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace invar {

/// An access while a function is written: where it begins in its buffer, and how far an
/// iteration of each loop moves it, in elements. A plan has no buffer.
struct Walk {
  mlir::Value buffer, origin;
  KernelBuilder::Values steps;
  /// Its place among the walks of an epilogue.
  unsigned number = 0;
};

class Access {
public:
  /// An axis of the argument.
  struct Axis {
    /// How far an iteration of each loop moves along the axis.
    llvm::SmallVector<int64_t> steps;
    /// What lies before the first element that is accessed; of an axis with a border, the
    /// width of the border.
    mlir::OpFoldResult offset;
    bool isBordered = false;
    /// Whether the loops may see a part of the axis only: a slice, or a window that does
    /// not use all of it.
    bool isPart = false;
  };

  /// A loop over an axis that lies in tiles: iteration i is element i % size of tile
  /// i / size.
  struct Tile {
    unsigned loop;
    int64_t size;
    unsigned outerAxis, innerAxis;
  };

  /// What `operand` is to loops that see it through `map`; fails where that is not linear,
  /// or where the operand is not made from an argument as above. A loop of one iteration,
  /// as `loopSizes` say, moves nothing.
  static llvm::FailureOr<Access> get(mlir::Value operand, mlir::AffineMap map,
                                     llvm::ArrayRef<int64_t> loopSizes);

  mlir::Value getTensor() const { return tensor; }
  llvm::ArrayRef<Axis> getAxes() const { return axes; }
  /// The tiles of a loop; null where it has none.
  const Tile *getTile(unsigned loop) const;
  bool isTiled() const { return !tiles.empty(); }

  /// What stands in the border, a scalar of the kernel; null without a border.
  mlir::Value getBorder() const { return border; }

  bool moves(unsigned loop) const;
  /// Whether a loop moves along an axis that has a border.
  bool movesAlongBorder(unsigned loop) const;
  /// Whether iterations of `loop` are consecutive elements.
  bool isContiguous(unsigned loop) const;
  /// Whether one iteration of `outer` moves as far as all iterations of `inner`, so that
  /// the two are like one loop; in the inside of an argument, where that has a border and
  /// `isInside` is given.
  bool isDense(unsigned outer, unsigned inner, bool isInside = false) const;

  /// The strides of the argument's axes.
  KernelBuilder::Values getStrides(KernelBuilder &builder) const;
  /// Where an axis is when all loops are at 0.
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
