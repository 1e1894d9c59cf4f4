// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A common view of convolutions and matrix products with constant weights. Rules use it
// to move a scale or shift of the operand's or result's channels into weights and bias.
#ifndef INVAR_LIB_SIMPLIFY_PRODUCT_H
#define INVAR_LIB_SIMPLIFY_PRODUCT_H

#include "invar/Dialect/ONNX/Ops/Arithmetic.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "invar/Simplify/Rule.h"

namespace invar {

/// The channels of a product's operand or result, and their axis in the weights.
struct ChannelAxis {
  /// The axis in the operand or result, which has `rank` axes.
  int64_t axis, rank;
  /// The axis in the weights.
  int64_t weightAxis;
  /// The number of channels of all groups together.
  int64_t channels;
  /// If greater than one, `weightAxis` has the channels of one group, and the first
  /// axis of the weights has the groups.
  int64_t groups = 1;
};

struct Product {
  mlir::Operation *op;
  mlir::Value weight, bias;
  ChannelAxis result;
  bool takesBias;
  /// Whether the product is the only user of the bias.
  bool ownsBias;
};

/// Reads a product whose weights are constants with no other user.
std::optional<Product> readProduct(mlir::Operation *op,
                                   const Rewriting &rewriting);
/// Reads the product that computes `value`, if `value` has one use.
std::optional<Product> findProduct(mlir::Value value,
                                   const Rewriting &rewriting);
/// The channels of a product's first operand.
std::optional<ChannelAxis> getOperandAxis(const Product &product,
                                          const Rewriting &rewriting);

/// Converts a constant that varies at most along the channels to a vector of channels,
/// or of one element. Null for other constants.
mlir::Value asChannels(mlir::Value value, const ChannelAxis &axis,
                       Rewriting &rewriting);
/// Weights and a factor, reshaped so that they broadcast, and the shape to restore for
/// the weights if it changed. The values are null if they cannot be made.
struct AlignedWeight {
  mlir::Value weight, factor;
  std::optional<llvm::SmallVector<int64_t>> shape;
};
AlignedWeight alignWeight(mlir::Value weight, mlir::Value factor,
                          const ChannelAxis &axis, Rewriting &rewriting);

/// Multiplies (or divides) weights by a vector of channels.
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

/// Expands a bias of one element to all channels if the operator is a convolution.
/// Matrix products accept one element.
mlir::Value asBias(mlir::Value value, const Product &product,
                   Rewriting &rewriting);
/// Creates the same product with operand `x`, and another weight and bias.
mlir::Value remake(const Product &product, mlir::Value x, mlir::Value weight,
                   mlir::Value bias, Rewriting &rewriting);

} // namespace invar

#endif // INVAR_LIB_SIMPLIFY_PRODUCT_H
