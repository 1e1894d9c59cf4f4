// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that reduces windows, channel by channel: depthwise convolutions and pools.
//
//   Y(n, h, w, c) += X(n, h * s + i * d, w * s + j * d, c) * W(i, j, c)
//   Y(n, h, w, c) max= X(n, h * s + i * d, w * s + j * d, c)
//
// Vectors lie along c. A tile is some neighbors along w; their windows overlap, and what
// lies in several of them is loaded once.
#ifndef INVAR_LIB_CODEGEN_WINDOW_H
#define INVAR_LIB_CODEGEN_WINDOW_H

#include "Epilogue.h"

namespace invar {

struct Window {
  /// What the body reads of an operand; operands that only give sizes are none.
  struct Input {
    Access access;
    mlir::BlockArgument element;
    /// Whether what lies in the border can be left out.
    bool isNeutral;
  };

  /// What `kernel` computes; fails where that is not of this form.
  static llvm::FailureOr<Window> get(mlir::func::FuncOp kernel);

  mlir::linalg::GenericOp root;
  Epilogue epilogue;
  llvm::SmallVector<Input, 2> inputs = {};
  unsigned vectorLoop = 0, tileLoop = 0;
  /// All other loops that are parallel.
  llvm::SmallVector<unsigned> outer = {};
  /// Loops over the window, but for the one that moves along the axis of the tile, where
  /// its size is known and small: that one is unrolled.
  llvm::SmallVector<unsigned> taps = {};
  std::optional<unsigned> unrolledTap = {};
};

} // namespace invar

#endif // INVAR_LIB_CODEGEN_WINDOW_H
