// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The window of a convolution or pool as kernels take it, when all its sizes are numbers.
#ifndef INVAR_DIALECT_ONNX_KERNELWINDOW_H
#define INVAR_DIALECT_ONNX_KERNELWINDOW_H

#include "invar/Dialect/ONNX/Folding.h"
#include "invar/Dialect/ONNX/SlidingWindow.h"
#include "invar/Kernels/Convolution.h"

namespace invar::onnx {

using KernelWindow = llvm::SmallVector<kernels::WindowAxis, 4>;

/// The window over an image of these sizes. Fails where kernels could not count with its
/// sizes.
llvm::Expected<KernelWindow>
toKernelWindow(const llvm::FailureOr<SlidingWindow> &window,
               llvm::ArrayRef<int64_t> image);

/// What a kernel takes of a window.
inline kernels::Window refer(const KernelWindow &window) {
  return {window.data(), window.size()};
}

/// The convolution of constants, computed when first read: x is N x C x D…, w has as many
/// groups as `groups` says, and `bias` may be left out. All have one element type; sums of
/// floats are made in double and rounded to `to`, and integers wrap.
llvm::Expected<Elements> convolve(const Folding &fold, KernelWindow window,
                                  int64_t groups, bool transposed,
                                  const Elements &x, const Elements &w,
                                  const std::optional<Elements> &bias,
                                  DataType to);

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_KERNELWINDOW_H
