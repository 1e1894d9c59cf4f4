// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Product.h"

#include "Rules.h"
#include "invar/Dialect/ONNX/Ops/Constant.h"
#include "invar/Dialect/ONNX/Ops/Conv.h"
#include "invar/Dialect/ONNX/Ops/MatMul.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Whether the bytes of a constant are stored in the model, possibly moved, and have no
/// other reader, so that scaled weights can replace them. A dequantized or filled
/// weight would only become bigger, and one that is tied to another would be stored
/// twice.
static bool canBeReplaced(Value value, const Rewriting &rewriting) {
  // If only a part of a constant is used, others may read the rest.
  bool isWhole = true;
  while (true) {
    if (isWhole && !value.hasOneUse())
      return false;
    if (value.getDefiningOp<ConstantOp>())
      return true;
    Operation *op = value.getDefiningOp();
    if (!op)
      return false;
    uint64_t bytes = rewriting.getConstant(value)->sizeInBytes();
    const auto *source =
        llvm::find_if(op->getOpOperands(), [&](OpOperand &use) {
          const Elements *content = rewriting.getConstant(use.get());
          return content && content->sizeInBytes() >= bytes;
        });
    if (source == op->getOpOperands().end())
      return false;
    value = source->get();
    isWhole &= rewriting.getConstant(value)->sizeInBytes() == bytes;
  }
}

std::optional<Product> invar::readProduct(Operation *op,
                                          const Rewriting &rewriting) {
  if (!isa_and_nonnull<ConvOp, ConvTransposeOp, GemmOp, MatMulOp>(op))
    return std::nullopt;
  std::optional<int64_t> rank = getRank(op->getResult(0));
  Value weight = op->getOperand(1);
  Value bias = op->getNumOperands() > 2 ? op->getOperand(2) : Value();
  const Elements *content = rewriting.getConstant(weight);
  if (!rank || !content || content->getRank() < 2 ||
      !canBeReplaced(weight, rewriting) ||
      (bias && !rewriting.isConstant(bias)))
    return std::nullopt;
  ChannelAxis result{1, *rank, 0, 0};
  bool takesBias = true;
  if (auto conv = dyn_cast<ConvTransposeOp>(op)) {
    result.weightAxis = 1;
    result.groups = conv.getGroup();
  } else if (auto gemm = dyn_cast<GemmOp>(op)) {
    result.weightAxis = gemm.getTransB() ? 0 : 1;
    takesBias = gemm.getAlpha() == 1 && gemm.getBeta() == 1;
  } else if (isa<MatMulOp>(op)) {
    result.axis = *rank - 1;
    result.weightAxis = content->getRank() - 1;
    // With a bias, it becomes a Gemm.
    takesBias = getRank(op->getOperand(0)) == 2 && content->getRank() == 2 &&
                getKind(content->getType()) == NumberKind::Float;
  }
  result.channels = content->getShape()[result.weightAxis] * result.groups;
  return Product{op, weight, bias, result, takesBias, bias && bias.hasOneUse()};
}

std::optional<Product> invar::findProduct(Value value,
                                          const Rewriting &rewriting) {
  return value.hasOneUse() ? readProduct(value.getDefiningOp(), rewriting)
                           : std::nullopt;
}

std::optional<ChannelAxis> invar::getOperandAxis(const Product &product,
                                                 const Rewriting &rewriting) {
  std::optional<int64_t> rank = getRank(product.op->getOperand(0));
  if (!rank)
    return std::nullopt;
  const Elements &weight = *rewriting.getConstant(product.weight);
  ChannelAxis axis{1, *rank, 1, 0};
  if (auto conv = dyn_cast<ConvOp>(product.op)) {
    axis.groups = conv.getGroup();
  } else if (isa<ConvTransposeOp>(product.op)) {
    axis.weightAxis = 0;
  } else if (auto gemm = dyn_cast<GemmOp>(product.op)) {
    axis.axis = gemm.getTransA() ? 0 : 1;
    axis.weightAxis = gemm.getTransB() ? 1 : 0;
  } else {
    axis.axis = *rank - 1;
    axis.weightAxis = weight.getRank() - 2;
  }
  axis.channels = weight.getShape()[axis.weightAxis] * axis.groups;
  return axis;
}

Value invar::asChannels(Value value, const ChannelAxis &axis,
                        Rewriting &rewriting) {
  const Elements *content = rewriting.getConstant(value);
  if (!content || content->getRank() > axis.rank)
    return {};
  int64_t first = axis.rank - content->getRank();
  for (auto [i, size] : llvm::enumerate(content->getShape()))
    if (size != 1 && (int64_t(i) + first != axis.axis || size != axis.channels))
      return {};
  return rewriting.make<ReshapeOp>(
      value, rewriting.makeInts(content->numElements()), IntegerAttr());
}

AlignedWeight invar::alignWeight(Value weight, Value factor,
                                 const ChannelAxis &axis,
                                 Rewriting &rewriting) {
  auto reshape = [&](Value value, ArrayRef<int64_t> shape) {
    return rewriting.make<ReshapeOp>(value, rewriting.makeInts(shape),
                                     IntegerAttr());
  };
  const Elements &content = *rewriting.getConstant(weight);
  SmallVector<int64_t> shape(content.getRank(), 1);
  bool isOne = rewriting.getConstant(factor)->numElements() == 1;
  if (!isOne)
    shape[axis.weightAxis] = axis.channels;
  if (isOne || axis.groups == 1)
    return {weight, reshape(factor, shape), std::nullopt};
  SmallVector<int64_t> whole(content.getShape()), split = whole;
  if (split.front() % axis.groups != 0)
    return {};
  split.front() /= axis.groups;
  split.insert(split.begin(), axis.groups);
  SmallVector<int64_t> perGroup(split.size(), 1);
  perGroup[0] = axis.groups;
  perGroup[axis.weightAxis + 1] = axis.channels / axis.groups;
  return {reshape(weight, split), reshape(factor, perGroup), whole};
}

Value invar::asBias(Value value, const Product &product, Rewriting &rewriting) {
  if (!value || rewriting.getConstant(value)->numElements() != 1 ||
      isa<GemmOp, MatMulOp>(product.op) || product.result.channels == 1)
    return value;
  Value zeros = rewriting.makeConstant(llvm::cantFail(ElementsBuilder().splat(
      rewriting.getConstant(value)->getType(), {product.result.channels},
      WideNum::ofDouble(0))));
  // x - 0 is x for all x; x + 0 would lose the sign of -0.
  return rewriting.make<SubOp>(value, zeros);
}

Value invar::remake(const Product &product, Value x, Value weight, Value bias,
                    Rewriting &rewriting) {
  SmallVector<Value> operands = {x, weight};
  if (bias)
    operands.push_back(bias);
  // The new weight keeps the name of the old one.
  rewriting.passName(product.weight, weight);
  if (product.ownsBias && bias)
    rewriting.passName(product.bias, bias);
  if (bias && isa<MatMulOp>(product.op))
    return rewriting.make<GemmOp>(x, weight, bias, FloatAttr(), FloatAttr(),
                                  IntegerAttr(), IntegerAttr());
  return rewriting.makeLike(product.op, operands);
}
