// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A convolution of 3 x 3 whose filter is given transformed (WinogradFilter.h), and how it is
// cut up:
//
//   Y(n, h, w, o) += X(n, h + i, w + j, c) * W(o, c, i, j)        beginning with 0
//
//   tile     m x m results, and the (m + 2) x (m + 2) elements that they need
//   place    one of the (m + 2)^2 elements of a transformed tile
//   block    some tiles. Their transformed elements are a matrix for each place, tiles by
//            channels, which stays in the second cache
//   group    some columns o. Block and group together are a work unit: a product of two
//            matrices for each place, whose results stay in the second cache too
#ifndef INVAR_LIB_CODEGEN_WINOGRADCONVOLUTION_H
#define INVAR_LIB_CODEGEN_WINOGRADCONVOLUTION_H

#include "Epilogue.h"
#include "WinogradFilter.h"

namespace invar {

struct WinogradConvolution {
  /// What `kernel` computes; fails where that is not of this form.
  static llvm::FailureOr<WinogradConvolution> get(mlir::func::FuncOp kernel);

  unsigned getTile() const { return filter.form.getTile(); }
  unsigned getResults() const { return filter.form.results; }
  unsigned getPlaces() const { return getTile() * getTile(); }

  mlir::linalg::GenericOp root;
  WinogradFilter filter;
  /// The image, as the root's loops walk over it, and the transformed filter, as the loops
  /// o, c, i, j, a and b of what gives it back do.
  Access image, transformed;
  Epilogue epilogue;
  /// Loops of the root: n, h, w, o, i and j.
  unsigned count, height, width, columns, tapRow, tapColumn;
  /// Elements of an image at one place, and columns.
  int64_t channels, columnCount;
};

struct WinogradTiling {
  /// Elements of a line of the cache.
  static constexpr int64_t line = 16;

  static WinogradTiling get(const WinogradConvolution &convolution,
                            const CpuTarget &target);

  unsigned getStrip() const { return vectors * lanes; }
  unsigned getGroup() const { return strips * getStrip(); }

  /// What is summed up in registers: `rows` tiles by `vectors` vectors; in the last strip
  /// `tailVectors`, unless that is 0.
  unsigned lanes = 0, vectors = 0, rows = 0, tailVectors = 0;
  /// Strips of a group.
  unsigned strips = 1;
  /// Tiles of a block, and whether there are a known number of them in all.
  int64_t blockTiles = 0;
  bool isStatic = false;
  /// Elements between two places, of tiles and of products.
  int64_t tileStride = 0, productStride = 0;
  /// Whether there is so much of the filter that what comes next is to be fetched.
  bool prefetches = false;
};

} // namespace invar

#endif // INVAR_LIB_CODEGEN_WINOGRADCONVOLUTION_H
