// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Combines matrix products with their summands, and with transposes of their operands,
// into one Gemm. Nothing is reshaped for it, and no weight is copied: a transposed
// weight is read as it is stored.
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/Arithmetic.h"
#include "invar/Dialect/ONNX/Ops/MatMul.h"
#include "invar/Dialect/ONNX/Ops/Quantize.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "invar/Dialect/ONNX/Ops/Transpose.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Whether a value is a matrix of floats. Dequantized matrices are excluded, because
/// engines recognize quantized products by their form.
static bool isMatrix(Value value) {
  return getRank(value) == 2 &&
         isa<FloatType>(getElementTypeOrSelf(value.getType())) &&
         !value.getDefiningOp<DequantizeLinearOp>();
}

/// Whether a summand broadcasts to a matrix without changing its shape.
static bool isWithin(Value summand, Value matrix) {
  auto type = dyn_cast<RankedTensorType>(summand.getType());
  if (!type || type.getRank() > 2)
    return false;
  int64_t first = 2 - type.getRank();
  return llvm::all_of(llvm::seq(type.getRank()), [&](int64_t axis) {
    return type.getDimSize(axis) == 1 ||
           haveSameSize(summand, axis, matrix, first + axis);
  });
}

static Value makeGemm(Value a, Value b, Value c, bool transposesB,
                      Rewriting &rewriting) {
  return rewriting.make<GemmOp>(
      a, b, c, FloatAttr(), FloatAttr(), IntegerAttr(),
      transposesB ? rewriting.getBuilder().getI64IntegerAttr(1)
                  : IntegerAttr());
}

/// The product with a summand; null if `product` is no matrix product, or has a summand
/// already.
static Value addSummand(Value product, Value summand, Rewriting &rewriting) {
  Operation *op = product.getDefiningOp();
  if (!isa_and_nonnull<MatMulOp, GemmOp>(op) || !product.hasOneUse() ||
      !isMatrix(op->getOperand(0)) || !isMatrix(op->getOperand(1)) ||
      !isWithin(summand, product))
    return {};
  if (isa<MatMulOp>(op))
    return makeGemm(op->getOperand(0), op->getOperand(1), summand,
                    /*transposesB=*/false, rewriting);
  auto gemm = cast<GemmOp>(op);
  if (gemm.getC() || gemm.getBeta() != 1)
    return {};
  return rewriting.makeLike(gemm, {gemm.getA(), gemm.getB(), summand});
}

static constexpr StringLiteral makeGemmPattern =
    "Add(MatMul(x, w), b) -> Gemm(x, w, b) [matrices; an operator less]";
static LogicalResult makeGemmOfSum(AddOp op, Rewriting &rewriting) {
  Value gemm = addSummand(op.getA(), op.getB(), rewriting);
  if (!gemm)
    gemm = addSummand(op.getB(), op.getA(), rewriting);
  return rewriting.tryReplace(op, gemm);
}

/// The matrix whose transpose is `value`, if a product should read that instead: the
/// product is the only user of the transpose, or the transposed constant would be
/// stored in addition.
static Value getTransposed(Value value, Rewriting &rewriting) {
  auto transpose = value.getDefiningOp<TransposeOp>();
  if (!transpose || getRank(value) != 2 || !isMatrix(transpose.getData()))
    return {};
  auto order = transpose.getPerm();
  if (order && *order == ArrayRef<int64_t>{0, 1})
    return {};
  bool isBetter = rewriting.isConstant(value) ? !transpose.getData().hasOneUse()
                                              : value.hasOneUse();
  return isBetter ? transpose.getData() : Value();
}

static constexpr StringLiteral makeGemmOfTransposedPattern =
    "MatMul(x, Transpose(w)) -> Gemm(x, w) [opset 11, matrices; an operator "
    "less]";
static LogicalResult makeGemmOfTransposed(MatMulOp op, Rewriting &rewriting) {
  if (rewriting.getOpset() < 11 || !isMatrix(op.getA()))
    return failure();
  Value weight = getTransposed(op.getB(), rewriting);
  return weight ? rewriting.tryReplace(op, makeGemm(op.getA(), weight, Value(),
                                                    /*transposesB=*/true,
                                                    rewriting))
                : failure();
}

static constexpr StringLiteral summandUpPattern =
    "Add(Reshape(MatMul(x, w)), b) -> Reshape(Add(MatMul(x, w), b)) [matrices, "
    "b along the last axis; b goes up]";
static LogicalResult moveSummandUp(AddOp op, Rewriting &rewriting) {
  auto reshape = op.getA().getDefiningOp<ReshapeOp>();
  Value summand = op.getB();
  const Elements *content = rewriting.getConstant(summand);
  if (!reshape || !op.getA().hasOneUse() || !content || content->getRank() != 1)
    return failure();
  Value product = reshape.getData();
  std::optional<int64_t> rank = getRank(op.getA());
  if (!isa_and_nonnull<MatMulOp, GemmOp>(product.getDefiningOp()) ||
      !product.hasOneUse() || getRank(product) != 2 || !rank || *rank < 2 ||
      !haveSameSize(op.getA(), *rank - 1, product, 1) ||
      !isWithin(summand, product))
    return failure();
  Value sum = rewriting.make<AddOp>(product, summand);
  return sum ? rewriting.tryReplace(
                   op, rewriting.makeLike(reshape, {sum, reshape.getShape()}))
             : failure();
}

//===-- Rows of a matrix ------------------------------------------------------===//

/// Whether a bias is the same for all rows.
static bool isRowBias(Value bias) {
  auto type = dyn_cast<RankedTensorType>(bias.getType());
  return type && (type.getRank() < 2 || type.getDimSize(0) == 1);
}

/// The number of leading axes that `result` shares with `x`, if these are all but its
/// last one; none otherwise.
static std::optional<int64_t> countRowAxes(Value x, Value result) {
  std::optional<int64_t> rank = getRank(x), newRank = getRank(result);
  if (!rank || !newRank || *newRank < 3 || *rank < *newRank ||
      !llvm::all_of(
          llvm::seq(*newRank - 1),
          [&](int64_t axis) { return haveSameSize(x, axis, result, axis); }))
    return std::nullopt;
  return *newRank - 1;
}

static constexpr StringLiteral multiplyRowsPattern =
    "Reshape(Gemm(Reshape(x), W, b), s) -> Add(MatMul(x, W), b) [x's axes "
    "kept; an operator or a variable less]";
static LogicalResult multiplyRows(ReshapeOp op, Rewriting &rewriting) {
  auto gemm = op.getData().getDefiningOp<GemmOp>();
  if (!gemm || !op.getData().hasOneUse() || gemm.getTransA() ||
      gemm.getAlpha() != 1)
    return failure();
  Value bias = gemm.getC(), weight = gemm.getB();
  if (bias && (!isRowBias(bias) || gemm.getBeta() != 1))
    return failure();
  Operation *rows = gemm.getA().getDefiningOp();
  if (!isa_and_nonnull<ReshapeOp, FlattenOp>(rows))
    return failure();
  Value x = rows->getOperand(0), result = op.getReshaped();
  auto shape = cast<ShapedType>(gemm.getA().getType());
  std::optional<int64_t> kept = countRowAxes(x, result);
  if (!kept || shape.isDynamicDim(1) ||
      !haveSameSize(result, *kept, gemm.getY(), 1))
    return failure();
  // Several remaining axes need another Reshape. With a bias, that pays off only if the
  // old target is computed at run time.
  auto sizes = cast<ShapedType>(x.getType()).getShape().drop_front(*kept);
  if (ShapedType::isDynamicShape(sizes) ||
      ShapedType::getNumElements(sizes) != shape.getDimSize(1))
    return failure();
  if (sizes.size() > 1) {
    if (bias && rewriting.isConstant(op.getShape()))
      return failure();
    SmallVector<int64_t> target(*kept, 0);
    target.push_back(shape.getDimSize(1));
    x = rewriting.make<ReshapeOp>(x, rewriting.makeInts(target), IntegerAttr());
  }
  if (gemm.getTransB()) {
    // A shared weight would be stored in both forms.
    if (!rewriting.isConstant(weight) || !weight.hasOneUse())
      return failure();
    weight = rewriting.make<TransposeOp>(
        weight, rewriting.getBuilder().getDenseI64ArrayAttr({1, 0}));
  }
  Value product = x && weight ? rewriting.make<MatMulOp>(x, weight) : Value();
  if (!product || !bias)
    return rewriting.tryReplace(op, product);
  return rewriting.tryReplace(op, rewriting.make<AddOp>(product, bias));
}

void invar::addGemmRules(std::vector<Rule> &rules) {
  using enum RuleGroup;
  rules.push_back(
      RuleFor<makeGemmOfSum>::get("make-gemm", Fuse, makeGemmPattern));
  rules.push_back(
      RuleFor<moveSummandUp>::get("summand-up", Fuse, summandUpPattern));
  rules.push_back(RuleFor<makeGemmOfTransposed>::get(
      "make-gemm-of-transposed", Fuse, makeGemmOfTransposedPattern));
  rules.push_back(
      RuleFor<multiplyRows>::get("multiply-rows", Fuse, multiplyRowsPattern));
}
