// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that reduces windows, channel by channel: depthwise convolutions and pools.
//
//   Y(n, h, w, c) += X(n, h * s + i * d, w * s + j * d, c) * W(i, j, c)
//   Y(n, h, w, c) max= X(n, h * s + i * d, w * s + j * d, c)
//
// Vectors lie along c. A tile consists of several neighbors along w. Their windows
// overlap, and elements that several windows share are loaded once.
#ifndef INVAR_LIB_CODEGEN_WINDOW_H
#define INVAR_LIB_CODEGEN_WINDOW_H

#include "Epilogue.h"

namespace invar {

struct Window {
  /// An operand that the body reads. Operands that only define sizes are not inputs.
  struct Input {
    Access access;
    mlir::BlockArgument element;
    /// Whether the reduction can skip the border.
    bool isNeutral;
  };

  /// Matches `kernel`; fails if it does not have this form.
  static llvm::FailureOr<Window> get(mlir::func::FuncOp kernel);

  mlir::linalg::GenericOp root;
  Epilogue epilogue;
  llvm::SmallVector<Input, 2> inputs = {};
  unsigned vectorLoop = 0, tileLoop = 0;
  /// All other parallel loops.
  llvm::SmallVector<unsigned> outer = {};
  /// The loops over the window. If the loop that moves along the axis of the tile has a
  /// small static size, it is unrolled and is `unrolledTap` instead.
  llvm::SmallVector<unsigned> taps = {};
  std::optional<unsigned> unrolledTap = {};
};

} // namespace invar

#endif // INVAR_LIB_CODEGEN_WINDOW_H
