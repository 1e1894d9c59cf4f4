// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that sums products: matrix products, batched or not, and convolutions; or squares
// of differences, as between the rows of two matrices. What role a loop plays follows from
// which operands it moves:
//
//   moves           left   right   result
//   columns          -       x       x      vectors lie along these
//   rows             x       -       x
//   batch                    x       x      all that is not one of the above
//   reduced          x       x       -
//
//   C(b, m, n) += A(b, m, k) * B(b, k, n)     rows m, columns n, batch b, reduced k
//   Y(n, h, w, o) += X(n, h + i, w + j, c) * W(i, j, c, o)
//                                             rows n h w, columns o, reduced i j c
//
// Loops of one role that are dense in all operands are one loop: m of C and A where A has
// several axes, or n, h and w of a convolution whose window is one element.
#ifndef INVAR_LIB_CODEGEN_CONTRACTION_H
#define INVAR_LIB_CODEGEN_CONTRACTION_H

#include "Epilogue.h"

namespace invar {

/// Loops that are like one, the innermost last.
using LoopGroup = llvm::SmallVector<unsigned, 2>;

/// A factor of the products, or a side of the differences: an operand, and what is computed
/// of an element before.
struct Factor {
  /// What is computed with besides the element: a zero point.
  struct Parameter {
    mlir::BlockArgument argument;
    Access access;
  };

  Access access;
  /// In the root's body: what stands for the element, and what is multiplied.
  mlir::BlockArgument element;
  mlir::Value value;
  llvm::SmallVector<Parameter, 1> parameters;
  /// Whether the factor is an integer of 16 bits.
  bool isNarrow = false;

  /// Writes `value` for an element, or a vector of elements, and what the parameters are
  /// there.
  mlir::Value emit(KernelBuilder &builder, mlir::Value element,
                   mlir::ValueRange parameterValues = {}) const;
};

struct Contraction {
  /// What `kernel` computes; fails where it is no contraction.
  static llvm::FailureOr<Contraction> get(mlir::func::FuncOp kernel);

  mlir::Type getSumType() const {
    return mlir::getElementTypeOrSelf(root->getResult(0));
  }
  /// The innermost reduced loop, unless that is a tap.
  std::optional<unsigned> getInnerLoop() const {
    return reduced.size() > taps ? std::optional(reduced.back().back())
                                 : std::nullopt;
  }
  /// How many groups of reduced loops are around it.
  unsigned getOuterLevels() const {
    return reduced.size() - (reduced.size() > taps);
  }

  mlir::linalg::GenericOp root;
  /// Elements of the left operand meet whole vectors of the right one.
  Factor left, right;
  /// Whether squares of differences are summed, and not products.
  bool sumsSquares;
  Epilogue epilogue;
  llvm::SmallVector<LoopGroup> batch = {}, rows = {};
  LoopGroup columns = {};
  /// Outermost first. The first `taps` of them move along axes with a border.
  llvm::SmallVector<LoopGroup> reduced = {};
  unsigned taps = 0;
  /// The same loops, for rows that are inside with all their taps.
  llvm::SmallVector<LoopGroup> reducedInside = {};
  /// Whether what the left operand's border contributes is 0.
  bool hasNeutralBorder = false;
};

/// The one operation of a kernel that reduces; null where there is none, or several.
mlir::linalg::GenericOp findRoot(mlir::func::FuncOp kernel);

/// The sizes of a root's loops.
KernelBuilder::Values getLoopSizes(KernelBuilder &builder,
                                   mlir::linalg::GenericOp root);

} // namespace invar

#endif // INVAR_LIB_CODEGEN_CONTRACTION_H
