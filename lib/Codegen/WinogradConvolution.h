// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A convolution with a 3 x 3 filter that is given in transformed form (WinogradFilter.h),
// and how it is split up:
//
//   Y(n, h, w, o) += X(n, h + i, w + j, c) * W(o, c, i, j)        beginning with 0
//
//   tile     m x m results, and the (m + 2) x (m + 2) elements that they need
//   place    one of the (m + 2)^2 elements of a transformed tile
//   block    some tiles. For each place, their transformed elements form a matrix of tiles
//            by channels, which stays in the second-level cache
//   group    some columns o. A work unit is a block and a group: for each place, a product
//            of two matrices, whose results stay in the second-level cache too
#ifndef INVAR_LIB_CODEGEN_WINOGRADCONVOLUTION_H
#define INVAR_LIB_CODEGEN_WINOGRADCONVOLUTION_H

#include "Epilogue.h"
#include "WinogradFilter.h"

namespace invar {

struct WinogradConvolution {
  /// Matches `kernel`; fails if it does not have this form.
  static llvm::FailureOr<WinogradConvolution> get(mlir::func::FuncOp kernel);

  unsigned getTile() const { return filter.form.getTile(); }
  unsigned getResults() const { return filter.form.results; }
  unsigned getPlaces() const { return getTile() * getTile(); }

  mlir::linalg::GenericOp root;
  WinogradFilter filter;
  /// The image, as the root's loops walk over it, and the transformed filter, as the
  /// loops o, c, i, j, a and b of the operation that restores the filter walk over it.
  Access image, transformed;
  Epilogue epilogue;
  /// Loops of the root: n, h, w, o, i and j.
  unsigned count, height, width, columns, tapRow, tapColumn;
  /// The number of elements of an image at one position, and the number of columns.
  int64_t channels, columnCount;
};

struct WinogradTiling {
  static WinogradTiling get(const WinogradConvolution &convolution,
                            const CpuTarget &target);

  unsigned getStrip() const { return vectors * lanes; }
  unsigned getGroup() const { return strips * getStrip(); }

  /// Elements of a cache line.
  int64_t line = 0;
  /// The sums in registers: `rows` tiles by `vectors` vectors, or by `tailVectors`
  /// vectors in the last strip if that is not 0.
  unsigned lanes = 0, vectors = 0, rows = 0, tailVectors = 0;
  /// Strips of a group.
  unsigned strips = 1;
  /// The number of tiles of a block, and whether the total number of tiles is static.
  int64_t blockTiles = 0;
  bool isStatic = false;
  /// The distance between two places, in elements, for tiles and for products.
  int64_t tileStride = 0, productStride = 0;
  /// Whether the filter is so large that the next part of it is prefetched.
  bool prefetches = false;
};

} // namespace invar

#endif // INVAR_LIB_CODEGEN_WINOGRADCONVOLUTION_H
