// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the products of transformed tiles with a transformed filter
// (WinogradConvolution.h). For each place, multiplies a matrix of tiles by channels with
// one of channels by columns. Only a group of columns is computed at once.
//
//   tiles      [place][tile][channel]                    given
//   filter     [panel][place][channel][column of panel]  an argument of the kernel
//   products   [place][tile][column of the group]        written
#ifndef INVAR_LIB_CODEGEN_WINOGRADPRODUCTS_H
#define INVAR_LIB_CODEGEN_WINOGRADPRODUCTS_H

#include "WinogradConvolution.h"

namespace invar {

class WinogradProducts {
public:
  using Values = KernelBuilder::Values;

  /// `tiles` and `products` are buffers.
  WinogradProducts(KernelBuilder &builder,
                   const WinogradConvolution &convolution,
                   const WinogradTiling &tiling, mlir::Value tiles,
                   mlir::Value products);

  /// Writes the products of `count` tiles with a group of columns.
  void write(mlir::Value group, mlir::Value count);

private:
  /// Some columns of the filter at one place.
  struct Strip {
    mlir::Value place;
    /// The offset of the place in the filter.
    mlir::Value begin;
    /// The index of the strip in the group, and its first column.
    mlir::Value slot, column;
    unsigned vectors;
  };
  /// Prefetches during the computation of sums: each round of the innermost loop fetches
  /// `lines` lines from each of these offsets on.
  struct Fetch {
    Values from;
    int64_t lines = 0;
  };

  void write(const Strip &strip, mlir::Value count);
  mlir::Value getPanel(const Strip &strip, mlir::Value column);
  Values getVectors(const Strip &strip);
  Fetch getFetch(const Strip &strip, unsigned rows, mlir::Value firstRow);
  Values sumUp(llvm::ArrayRef<mlir::Value> rows,
               llvm::ArrayRef<mlir::Value> vectors, const Fetch &fetch);
  Values addSteps(int64_t count, llvm::ArrayRef<mlir::Value> rows,
                  llvm::ArrayRef<mlir::Value> vectors, mlir::Value channel,
                  mlir::Value shift, Values sums);

  KernelBuilder &builder;
  const WinogradConvolution &convolution;
  const WinogradTiling &tiling;
  mlir::Type element;
  Walk filter;
  /// The layout of the filter's columns.
  const Access::Tile &panels;
  mlir::Value panelStride;
  mlir::Value tiles, products;
};

} // namespace invar

#endif // INVAR_LIB_CODEGEN_WINOGRADPRODUCTS_H
