// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that sums products (matrix products, batched or not, and convolutions) or
// squares of differences, for example between the rows of two matrices. The role of a
// loop follows from the operands that it moves:
//
//   moves           left   right   result
//   columns          -       x       x      vectors lie along these
//   rows             x       -       x
//   batch                    x       x      all other loops of the result
//   reduced          x       x       -
//
//   C(b, m, n) += A(b, m, k) * B(b, k, n)     rows m, columns n, batch b, reduced k
//   Y(n, h, w, o) += X(n, h + i, w + j, c) * W(i, j, c, o)
//                                             rows n h w, columns o, reduced i j c
//
// Loops of one role that are dense in all operands act as one loop: the loops m if A
// has several row axes, or n, h and w of a convolution whose window is one element.
#ifndef INVAR_LIB_CODEGEN_CONTRACTION_H
#define INVAR_LIB_CODEGEN_CONTRACTION_H

#include "Epilogue.h"

namespace invar {

/// Loops that act as one, the innermost last.
using LoopGroup = llvm::SmallVector<unsigned, 2>;

/// A factor of the products, or a side of the differences: an operand, and the
/// computation that is applied to each of its elements first.
struct Factor {
  /// Another operand of this computation, such as a zero point.
  struct Parameter {
    mlir::BlockArgument argument;
    Access access;
  };

  Access access;
  /// In the root's body: the argument for the element, and the value that is
  /// multiplied.
  mlir::BlockArgument element;
  mlir::Value value;
  llvm::SmallVector<Parameter, 1> parameters;
  /// Whether the factor fits into a signed integer of 16 bits.
  bool isNarrow = false;

  /// Emits `value` for an element or a vector of elements, given the values of the
  /// parameters.
  mlir::Value emit(KernelBuilder &builder, mlir::Value element,
                   mlir::ValueRange parameterValues = {}) const;
};

struct Contraction {
  /// Matches `kernel`; fails if it is not a contraction.
  static llvm::FailureOr<Contraction> get(mlir::func::FuncOp kernel);

  mlir::Type getSumType() const {
    return mlir::getElementTypeOrSelf(root->getResult(0));
  }
  /// The innermost reduced loop, unless it is a tap.
  std::optional<unsigned> getInnerLoop() const {
    return reduced.size() > taps ? std::optional(reduced.back().back())
                                 : std::nullopt;
  }
  /// The number of groups of reduced loops around the innermost one.
  unsigned getOuterLevels() const {
    return reduced.size() - (reduced.size() > taps);
  }

  mlir::linalg::GenericOp root;
  /// Each element of the left operand is combined with whole vectors of the right one.
  Factor left, right;
  /// Whether squares of differences are summed instead of products.
  bool sumsSquares;
  Epilogue epilogue;
  llvm::SmallVector<LoopGroup> batch = {}, rows = {};
  LoopGroup columns = {};
  /// Outermost first. The first `taps` of them move along axes with a border.
  llvm::SmallVector<LoopGroup> reduced = {};
  unsigned taps = 0;
  /// The same loops, grouped for rows whose taps are all inside the argument.
  llvm::SmallVector<LoopGroup> reducedInside = {};
  /// Whether the border of the left operand contributes 0 to the sums.
  bool hasNeutralBorder = false;
};

/// The only operation of a kernel that reduces; null if there is none or more than one.
mlir::linalg::GenericOp findRoot(mlir::func::FuncOp kernel);

/// The sizes of a root's loops.
KernelBuilder::Values getLoopSizes(KernelBuilder &builder,
                                   mlir::linalg::GenericOp root);

} // namespace invar

#endif // INVAR_LIB_CODEGEN_CONTRACTION_H
