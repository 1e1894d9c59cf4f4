// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is multiplied with or added to the result of a convolution or a matrix product goes
// into its weights and its bias. The weights are computed once, and an operator is gone;
// rounding differs by some units in the last place.
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/Arithmetic.h"
#include "invar/Dialect/ONNX/Ops/Constant.h"
#include "invar/Dialect/ONNX/Ops/Conv.h"
#include "invar/Dialect/ONNX/Ops/MatMul.h"
#include "invar/Dialect/ONNX/Ops/Normalize.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

namespace {
/// A product with weights, seen through its parts, and how they are put together again.
struct Product {
  Operation *op;
  Value weight, bias;
  /// The axis of the weights that is the result's channels, and how they lie in it.
  int64_t channelAxis, channels, groups;
  /// The axis of the result that is the channels, and its rank.
  int64_t resultAxis, resultRank;
  bool takesBias;
  /// Nothing else uses the bias.
  bool ownsBias = false;
};
} // namespace

/// Whether the bytes of a constant are in the model, moved at most: what is scaled then takes
/// their place. A weight that is dequantized or filled would only become big.
static bool isStored(Value value, Rewriting &rewriting) {
  while (!value.getDefiningOp<ConstantOp>()) {
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
  }
  return true;
}

/// The product that made `value`, if its weights are constants that nothing else uses, nor
/// anything else its result.
static std::optional<Product> findProduct(Value value, Rewriting &rewriting) {
  Operation *op = value.getDefiningOp();
  std::optional<int64_t> rank = getRank(value);
  if (!op || !rank || !value.hasOneUse())
    return std::nullopt;
  Product product{op, {}, {}, 0, 0, 1, 1, *rank, true};
  if (auto conv = dyn_cast<ConvOp>(op)) {
    product.weight = conv.getW();
    product.bias = conv.getB();
  } else if (auto conv = dyn_cast<ConvTransposeOp>(op)) {
    product.weight = conv.getW();
    product.bias = conv.getB();
    product.channelAxis = 1;
    product.groups = conv.getGroup();
  } else if (auto gemm = dyn_cast<GemmOp>(op)) {
    product.weight = gemm.getB();
    product.bias = gemm.getC();
    product.channelAxis = gemm.getTransB() ? 0 : 1;
    product.takesBias = gemm.getAlpha() == 1 && gemm.getBeta() == 1;
  } else if (auto matMul = dyn_cast<MatMulOp>(op)) {
    product.weight = matMul.getB();
    product.resultAxis = *rank - 1;
    product.takesBias = false;
  } else {
    return std::nullopt;
  }
  const Elements *weight = rewriting.getConstant(product.weight);
  if (!weight || weight->getRank() < 2 || !product.weight.hasOneUse() ||
      !isStored(product.weight, rewriting) ||
      (product.bias && !rewriting.isConstant(product.bias)))
    return std::nullopt;
  product.ownsBias = product.bias && product.bias.hasOneUse();
  if (isa<MatMulOp>(op))
    product.channelAxis = weight->getRank() - 1;
  product.channels = weight->getShape()[product.channelAxis] * product.groups;
  return product;
}

/// A constant that is the same along all axes of a product's result but the channels, as a
/// vector of channels or of one element; null if it isn't.
static Value asChannels(Value value, const Product &product,
                        Rewriting &rewriting) {
  const Elements *content = rewriting.getConstant(value);
  if (!content || content->getRank() > product.resultRank)
    return {};
  int64_t first = product.resultRank - content->getRank();
  for (auto [i, size] : llvm::enumerate(content->getShape()))
    if (size != 1 &&
        (int64_t(i) + first != product.resultAxis || size != product.channels))
      return {};
  return rewriting.make<ReshapeOp>(
      value, rewriting.makeInts(content->numElements()), IntegerAttr());
}

/// Weights times (or over) a vector of channels, each where it belongs.
template <typename Op>
static Value scaleWeight(const Product &product, Value factor,
                         Rewriting &rewriting) {
  const Elements &weight = *rewriting.getConstant(product.weight);
  SmallVector<int64_t> shape(weight.getRank(), 1);
  bool isOne = rewriting.getConstant(factor)->numElements() == 1;
  if (!isOne)
    shape[product.channelAxis] = product.channels;
  if (isOne || product.groups == 1) {
    Value aligned = rewriting.make<ReshapeOp>(factor, rewriting.makeInts(shape),
                                              IntegerAttr());
    return aligned ? rewriting.make<Op>(product.weight, aligned) : Value();
  }
  // The weights of a grouped transposed convolution are inputs x channels of a group: the
  // groups lie along the inputs.
  SmallVector<int64_t> split(weight.getShape()), perGroup(split.size() + 1, 1);
  split.front() /= product.groups;
  split.insert(split.begin(), product.groups);
  perGroup[0] = product.groups;
  perGroup[2] = product.channels / product.groups;
  Value groups = rewriting.make<ReshapeOp>(
      product.weight, rewriting.makeInts(split), IntegerAttr());
  Value aligned = rewriting.make<ReshapeOp>(
      factor, rewriting.makeInts(perGroup), IntegerAttr());
  Value scaled =
      groups && aligned ? rewriting.make<Op>(groups, aligned) : Value();
  return scaled
             ? rewriting.make<ReshapeOp>(
                   scaled, rewriting.makeInts(weight.getShape()), IntegerAttr())
             : Value();
}

/// The same product with another weight and bias.
static Value remake(const Product &product, Value weight, Value bias,
                    Rewriting &rewriting) {
  SmallVector<Value> operands = {product.op->getOperand(0), weight};
  if (bias)
    operands.push_back(bias);
  // What a weight has become is known by its name.
  rewriting.passName(product.weight, weight);
  if (product.ownsBias && bias)
    rewriting.passName(product.bias, bias);
  return rewriting.makeLike(product.op, operands);
}

/// A bias for all channels, which convolutions want; a matrix product takes one element
/// too.
static Value asBias(Value value, const Product &product, Rewriting &rewriting) {
  if (!value || rewriting.getConstant(value)->numElements() != 1 ||
      isa<GemmOp>(product.op) || product.channels == 1)
    return value;
  Value zeros = rewriting.makeConstant(llvm::cantFail(
      ElementsBuilder().splat(rewriting.getConstant(value)->getType(),
                              {product.channels}, WideNum::ofDouble(0))));
  // A sum with nothing is the value itself, but for the sign of zeros.
  return rewriting.make<SubOp>(value, zeros);
}

/// The operand of a commutative operator that is a product's result, and the other one.
template <typename Op>
static std::optional<std::pair<Product, Value>>
findOperands(Op op, Rewriting &rewriting) {
  if (auto product = findProduct(op.getA(), rewriting))
    return std::pair(*product, op.getB());
  if constexpr (!std::is_same_v<Op, DivOp>)
    if (auto product = findProduct(op.getB(), rewriting))
      return std::pair(*product, op.getA());
  return std::nullopt;
}

// Pattern: Mul(Conv(x, w, b), c) -> Conv(x, w*c, b*c) [c by channel; one operator less]
// Pattern: Div(Conv(x, w, b), c) -> Conv(x, w/c, b/c) [c by channel; one operator less]
template <typename Op>
static LogicalResult fuseScale(Op op, Rewriting &rewriting) {
  auto found = findOperands(op, rewriting);
  if (!found)
    return failure();
  auto &[product, scale] = *found;
  Value factor = asChannels(scale, product, rewriting);
  if (!factor)
    return failure();
  Value weight = scaleWeight<Op>(product, factor, rewriting);
  Value bias =
      product.bias ? rewriting.make<Op>(product.bias, factor) : Value();
  if (!weight || (product.bias && !bias))
    return failure();
  Value result = remake(product, weight, bias, rewriting);
  if (!result)
    return failure();
  rewriting.replace(op, result);
  return success();
}

// Pattern: Add(Conv(x, w, b), c) -> Conv(x, w, b+c) [c by channel; one operator less]
static LogicalResult fuseShift(AddOp op, Rewriting &rewriting) {
  auto found = findOperands(op, rewriting);
  if (!found || !found->first.takesBias)
    return failure();
  auto &[product, summand] = *found;
  Value shift = asChannels(summand, product, rewriting);
  if (shift && product.bias)
    shift = rewriting.make<AddOp>(product.bias, shift);
  if (shift)
    shift = asBias(shift, product, rewriting);
  Value result =
      shift ? remake(product, product.weight, shift, rewriting) : Value();
  if (!result)
    return failure();
  rewriting.replace(op, result);
  return success();
}

// Pattern: BatchNormalization(Conv(x, w, b), ...) -> Conv(x, w*s, b*s+t) [one operator less]
static LogicalResult fuseBatchNormalization(BatchNormalizationOp op,
                                            Rewriting &rewriting) {
  auto product = findProduct(op.getX(), rewriting);
  if (!isInference(op) || !product || !product->takesBias)
    return failure();
  auto parts = getScaleAndShift(op, rewriting);
  if (!parts)
    return failure();
  auto [scale, shift] = *parts;
  Value weight = scaleWeight<MulOp>(*product, scale, rewriting);
  Value bias = shift;
  if (product->bias) {
    Value scaled = rewriting.make<MulOp>(product->bias, scale);
    bias = scaled ? rewriting.make<AddOp>(scaled, shift) : Value();
  }
  Value result =
      weight && bias ? remake(*product, weight, bias, rewriting) : Value();
  if (!result)
    return failure();
  rewriting.replace(op, result);
  return success();
}

void invar::addFuseRules(std::vector<Rule> &rules) {
  using enum RuleGroup;
  rules.push_back(RuleFor<fuseBatchNormalization>::get(
      "fuse-batchnorm", Fuse,
      "BatchNormalization(Conv(x, w, b), ...) -> Conv(x, w*s, b*s+t) [one "
      "operator less]"));
  rules.push_back(
      RuleFor<fuseScale<MulOp>>::get("fuse-mul", Fuse,
                                     "Mul(Conv(x, w, b), c) -> Conv(x, w*c, "
                                     "b*c) [c by channel; one operator less]"));
  rules.push_back(
      RuleFor<fuseScale<DivOp>>::get("fuse-div", Fuse,
                                     "Div(Conv(x, w, b), c) -> Conv(x, w/c, "
                                     "b/c) [c by channel; one operator less]"));
  rules.push_back(
      RuleFor<fuseShift>::get("fuse-add", Fuse,
                              "Add(Conv(x, w, b), c) -> Conv(x, w, b+c) [c by "
                              "channel; one operator less]"));
}
