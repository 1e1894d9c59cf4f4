// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The window of a convolution or pool in the form that kernels take, if all its sizes
// are numbers.
#ifndef INVAR_DIALECT_ONNX_KERNELWINDOW_H
#define INVAR_DIALECT_ONNX_KERNELWINDOW_H

#include "invar/Dialect/ONNX/Folding.h"
#include "invar/Dialect/ONNX/SlidingWindow.h"
#include "invar/Kernels/Convolution.h"

namespace invar::onnx {

using KernelWindow = llvm::SmallVector<kernels::WindowAxis, 4>;

/// Returns the window over an image of these sizes. Fails if the sizes would overflow
/// in kernels.
llvm::Expected<KernelWindow>
toKernelWindow(const llvm::FailureOr<SlidingWindow> &window,
               llvm::ArrayRef<int64_t> image);

/// Converts a window to the form that kernels take.
inline kernels::Window refer(const KernelWindow &window) {
  return {window.data(), window.size()};
}

/// Returns the convolution of constants, computed when first read. x is N x C x D…, w
/// has `groups` groups, and `bias` is optional. All have one element type. Sums of
/// floats are computed in double and rounded to `to`; integers wrap.
llvm::Expected<Elements> convolve(const Folding &fold, KernelWindow window,
                                  int64_t groups, bool transposed,
                                  const Elements &x, const Elements &w,
                                  const std::optional<Elements> &bias,
                                  DataType to);

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_KERNELWINDOW_H
