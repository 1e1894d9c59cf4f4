// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generates the text of matrix products, convolutions and pools from their sizes. Tests
// and the benchmark of kernels (bench/Kernels.cpp) share it.
#ifndef INVAR_UNITTESTS_CODEGEN_HOTKERNELS_H
#define INVAR_UNITTESTS_CODEGEN_HOTKERNELS_H

#include <cstdint>
#include <string>
#include <vector>

namespace invar {

/// A kernel, and the dynamic sizes of its arguments, in order.
struct KernelCase {
  std::string text;
  std::vector<int64_t> sizes;
};

/// The operations after the sums.
enum class Finish { None, Relu, BiasRelu, Residual, Long };

/// C(batch, rows, columns) = A(batch, rows, reduced) * B(batch, reduced, columns)
struct Product {
  enum Right { Packed, Rows, Columns };

  KernelCase get() const;

  int64_t batch, rows, reduced, columns;
  /// The layout of B: in panels, row by row, or column by column. All batches share the
  /// panels.
  Right right = Packed;
  int64_t panel = 64;
  bool isLeftTransposed = false;
  bool hasDynamicRows = false, hasDynamicReduced = false,
       hasDynamicColumns = false;
  Finish finish = Finish::None;
  std::string type = "f32";
  /// Whether to sum squares of differences instead of products: (A - B)².
  bool sumsSquares = false;
};

/// The same for bytes with zero points, accumulated in 32 bits; B is stored row by row.
KernelCase getByteProduct(int64_t rows, int64_t reduced, int64_t columns);

/// A convolution or a pool of an image (count, height, width, channels). Stride, dilation
/// and border are the same for both spatial axes.
struct Image {
  /// Whether the window fits.
  bool isValid() const {
    return getLeft(height, windowHeight) >= 0 &&
           getLeft(width, windowWidth) >= 0;
  }
  int64_t getOutHeight() const { return getOut(height, windowHeight); }
  int64_t getOutWidth() const { return getOut(width, windowWidth); }

  /// Weights are packed in panels.
  KernelCase getConvolution(int64_t results, int64_t panel, int64_t groups = 1,
                            Finish finish = Finish::None) const;
  KernelCase getDepthwise(Finish finish = Finish::None) const;
  /// `body` computes %r from %x_ and %y_, starting with `init`.
  KernelCase getPool(std::string body, std::string init,
                     std::string border) const;

  int64_t count, height, width, channels, windowHeight, windowWidth;
  int64_t stride = 1, dilation = 1, border = 0;
  bool isDynamic = false;
  /// The size of a Winograd tile's result along an axis; 0 if the filter is not
  /// transformed.
  int64_t winograd = 0;
  std::string borderValue = "0.0";
  std::string type = "f32";

private:
  int64_t getLeft(int64_t size, int64_t window) const {
    return size + 2 * border - dilation * (window - 1) - 1;
  }
  int64_t getOut(int64_t size, int64_t window) const {
    return getLeft(size, window) / stride + 1;
  }
};

} // namespace invar

#endif // INVAR_UNITTESTS_CODEGEN_HOTKERNELS_H
