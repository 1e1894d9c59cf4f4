// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Common parts of all convolutions: dividing results into blocks, and packing weights.
// The terms of a sum are ordered by taps, then channels, so that the position of a tap
// is computed once for all channels.
#ifndef INVAR_LIB_KERNELS_CONVOLUTIONBLOCKS_H
#define INVAR_LIB_KERNELS_CONVOLUTIONBLOCKS_H

#include "BlockProduct.h"
#include "invar/Kernels/Convolution.h"

namespace invar::kernels {

/// Some features of a group, at some positions of an image.
struct ConvolutionBlock {
  int64_t image, group, feature, features, place, places;
};

struct ConvolutionBlocks {
  int64_t places, rowBlocks, columnBlocks;

  explicit ConvolutionBlocks(const Convolution &c)
      : places(countOver(c.window, &WindowAxis::output)),
        rowBlocks((c.features + matMulBlockRows - 1) / matMulBlockRows),
        columnBlocks((places + matMulBlockColumns - 1) / matMulBlockColumns) {}

  ConvolutionBlock get(const Convolution &c, int64_t number) const {
    ConvolutionBlock block;
    block.place = number % columnBlocks * matMulBlockColumns;
    number /= columnBlocks;
    block.feature = number % rowBlocks * matMulBlockRows;
    number /= rowBlocks;
    block.group = number % c.groups;
    block.image = number / c.groups;
    block.places = std::min(matMulBlockColumns, places - block.place);
    block.features = std::min(matMulBlockRows, c.features - block.feature);
    return block;
  }
};

/// The strides of the weights by group, feature and channel.
struct WeightStrides {
  int64_t group, feature, channel;

  WeightStrides(const Convolution &c, int64_t taps)
      : group(c.features * c.channels * taps),
        feature(c.transposed ? taps : c.channels * taps),
        channel(c.transposed ? c.features * taps : taps) {}
};

/// Computes blocks [from, to). `pack(block, first, count, from, terms, panel)` packs
/// the elements under the window, as for BlockProduct::compute().
template <typename T, typename Result, typename Pack>
void convolveBlocks(const Convolution &c, const T *w, const T *bias,
                    int64_t from, int64_t to, Result *y, Pack pack) {
  using Sum = SumType<T>;
  using Product = BlockProduct<Sum>;
  ConvolutionBlocks blocks(c);
  int64_t taps = countOver(c.window, &WindowAxis::kernel);
  int64_t depth = taps * c.channels;
  WeightStrides strides(c, taps);
  Product product(std::min(c.features, Product::maxRows),
                  std::min(blocks.places, Product::maxColumns),
                  std::min(depth, Product::maxDepth));
  for (int64_t number = from; number < to; ++number) {
    ConvolutionBlock block = blocks.get(c, number);
    const T *weights =
        w + block.group * strides.group + block.feature * strides.feature;
    auto packWeights = [&](int64_t first, int64_t count, int64_t from,
                           int64_t terms, Sum *panel) {
      for (int64_t i = 0; i < count; ++i) {
        const T *own = weights + (first + i) * strides.feature;
        for (int64_t term = 0; term < terms; ++term) {
          int64_t channel = (from + term) % c.channels;
          int64_t tap = (from + term) / c.channels;
          panel[term * Product::tileRows + i] =
              Sum(own[channel * strides.channel + tap]);
        }
      }
    };
    auto packElements = [&](int64_t first, int64_t count, int64_t from,
                            int64_t terms, Sum *panel) {
      pack(block, first, count, from, terms, panel);
    };
    product.compute(block.features, block.places, depth, packWeights,
                    packElements);
    for (int64_t row = 0; row < block.features; ++row) {
      int64_t feature = block.group * c.features + block.feature + row;
      Sum shift = bias ? Sum(bias[feature]) : Sum(0);
      const Sum *sums = product.getRow(row);
      Result *out =
          y + (block.image * c.groups * c.features + feature) * blocks.places +
          block.place;
      for (int64_t i = 0; i < block.places; ++i)
        out[i] = Result(sums[i] + shift);
    }
  }
}

} // namespace invar::kernels

#endif // INVAR_LIB_KERNELS_CONVOLUTIONBLOCKS_H
