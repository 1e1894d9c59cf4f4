// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions and matrix products with constant weights, seen alike: what scales or shifts
// their operand or their result by channel goes into weights and bias.
#ifndef INVAR_LIB_SIMPLIFY_PRODUCT_H
#define INVAR_LIB_SIMPLIFY_PRODUCT_H

#include "invar/Dialect/ONNX/Ops/Arithmetic.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "invar/Simplify/Rule.h"

namespace invar {

/// Channels of a product's operand or result, and where they are in its weights.
struct ChannelAxis {
  /// In the operand or result, which has `rank` axes.
  int64_t axis, rank;
  /// In the weights.
  int64_t weightAxis;
  /// In all groups.
  int64_t channels;
  /// More than one where channels of a group lie along `weightAxis`, and the groups along
  /// the first axis of the weights.
  int64_t groups = 1;
};

/// A product, seen through its parts.
struct Product {
  mlir::Operation *op;
  mlir::Value weight, bias;
  ChannelAxis result;
  bool takesBias;
  /// Nothing else uses the bias.
  bool ownsBias;
};

/// A product whose weights are constants that nothing else uses.
std::optional<Product> readProduct(mlir::Operation *op,
                                   const Rewriting &rewriting);
/// The product that made `value`, if nothing else uses that.
std::optional<Product> findProduct(mlir::Value value,
                                   const Rewriting &rewriting);
/// The channels of a product's first operand.
std::optional<ChannelAxis> getOperandAxis(const Product &product,
                                          const Rewriting &rewriting);

/// A constant that is the same along all other axes, as a vector of channels or of one
/// element; null if it isn't.
mlir::Value asChannels(mlir::Value value, const ChannelAxis &axis,
                       Rewriting &rewriting);
/// Two constants that broadcast when a vector of channels is put where it belongs in
/// weights, and the shape that the weights get back; null values if they cannot be made.
struct AlignedWeight {
  mlir::Value weight, factor;
  std::optional<llvm::SmallVector<int64_t>> shape;
};
AlignedWeight alignWeight(mlir::Value weight, mlir::Value factor,
                          const ChannelAxis &axis, Rewriting &rewriting);

/// Weights times (or over) a vector of channels, each where it belongs.
template <typename Op>
mlir::Value scaleWeight(mlir::Value weight, mlir::Value factor,
                        const ChannelAxis &axis, Rewriting &rewriting) {
  AlignedWeight aligned = alignWeight(weight, factor, axis, rewriting);
  if (!aligned.weight || !aligned.factor)
    return {};
  mlir::Value scaled = rewriting.make<Op>(aligned.weight, aligned.factor);
  if (!scaled || !aligned.shape)
    return scaled;
  return rewriting.make<onnx::ReshapeOp>(
      scaled, rewriting.makeInts(*aligned.shape), mlir::IntegerAttr());
}

/// A bias for all channels, which convolutions want; a matrix product takes one element
/// too.
mlir::Value asBias(mlir::Value value, const Product &product,
                   Rewriting &rewriting);
/// The same product of `x` with another weight and bias.
mlir::Value remake(const Product &product, mlir::Value x, mlir::Value weight,
                   mlir::Value bias, Rewriting &rewriting);

} // namespace invar

#endif // INVAR_LIB_SIMPLIFY_PRODUCT_H
