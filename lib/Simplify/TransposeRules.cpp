// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Merges adjacent transposes, and replaces transposes by operators that can do their
// work: a Reshape if nothing moves in memory, and matrix products.
#include "Order.h"
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/MatMul.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "invar/Dialect/ONNX/Ops/Transpose.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- One after the other ---------------------------------------------------===//

static constexpr StringLiteral dropTransposePattern =
    "Transpose(x) -> x [axes in their order; an operator less]";
static LogicalResult dropTranspose(TransposeOp op, Rewriting &rewriting) {
  std::optional<int64_t> rank = getRank(op.getData());
  if (!rank || !isInOrder(op.getPermutation(*rank)))
    return failure();
  rewriting.replace(op, op.getData());
  return success();
}

static constexpr StringLiteral mergeTransposesPattern =
    "Transpose(Transpose(x)) -> Transpose(x) [a transpose of a transpose less]";
static LogicalResult mergeTransposes(TransposeOp op, Rewriting &rewriting) {
  auto inner = op.getData().getDefiningOp<TransposeOp>();
  std::optional<int64_t> rank = getRank(op.getData());
  if (!inner || !rank)
    return failure();
  Order both = compose(inner.getPermutation(*rank), op.getPermutation(*rank));
  return rewriting.tryReplace(op,
                              makeTranspose(inner.getData(), both, rewriting));
}

//===-- Reshapes --------------------------------------------------------------===//

/// Whether a Transpose moves only axes of size one, so that elements keep their places
/// in memory.
static bool movesOnes(TransposeOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getData().getType());
  if (!type)
    return false;
  Order others = op.getPermutation(type.getRank());
  llvm::erase_if(others,
                 [&](int64_t axis) { return type.getDimSize(axis) == 1; });
  return llvm::is_sorted(others);
}

/// Reshapes `x` to the shape of `like`. `target` is the target of a Reshape of another
/// operand; a 0 in it copies a size of that operand.
static Value reshape(Value x, ArrayRef<int64_t> target, Value like,
                     Rewriting &rewriting) {
  auto type = dyn_cast<RankedTensorType>(like.getType());
  if (!type || type.getRank() != int64_t(target.size()))
    return {};
  SmallVector<int64_t> sizes(target);
  for (auto [axis, size] : llvm::enumerate(sizes)) {
    if (size != 0 || haveSameSize(x, axis, like, axis))
      continue;
    size = type.getDimSize(axis);
    if (size == 0 || ShapedType::isDynamic(size))
      return {};
  }
  return rewriting.make<ReshapeOp>(x, rewriting.makeInts(sizes), IntegerAttr());
}

static constexpr StringLiteral reshapeTransposedPattern =
    "Reshape(Transpose(x)) -> Reshape(x) [only ones are moved; an operator "
    "less]";
static LogicalResult reshapeTransposed(ReshapeOp op, Rewriting &rewriting) {
  auto inner = op.getData().getDefiningOp<TransposeOp>();
  auto target = inner ? rewriting.getInts(op.getShape()) : std::nullopt;
  if (!target || op.getAllowzero() || !movesOnes(inner))
    return failure();
  return rewriting.tryReplace(
      op, reshape(inner.getData(), *target, op.getReshaped(), rewriting));
}

static constexpr StringLiteral transposeReshapedPattern =
    "Transpose(Reshape(x)) -> Reshape(x) [only ones are moved; an operator "
    "less]";
static LogicalResult transposeReshaped(TransposeOp op, Rewriting &rewriting) {
  auto inner = op.getData().getDefiningOp<ReshapeOp>();
  auto target = inner ? rewriting.getInts(inner.getShape()) : std::nullopt;
  if (!target || inner.getAllowzero() || !movesOnes(op) ||
      getRank(op.getData()) != int64_t(target->size()))
    return failure();
  Order order = op.getPermutation(target->size());
  return rewriting.tryReplace(op,
                              reshape(inner.getData(), compose(*target, order),
                                      op.getTransposed(), rewriting));
}

//===-- Products --------------------------------------------------------------===//

/// The matrix whose transpose is `value`, if `value` has one use; otherwise null.
static Value getTransposedMatrix(Value value) {
  auto transpose = value.getDefiningOp<TransposeOp>();
  std::optional<int64_t> rank = getRank(value);
  if (!transpose || !rank || *rank < 2 || !value.hasOneUse())
    return {};
  Order swapped = getOrderOfMatrices(*rank);
  return transpose.getPermutation(*rank) == swapped ? transpose.getData()
                                                    : Value();
}

static constexpr StringLiteral swapMatmulPattern =
    "MatMul(Transpose(a), Transpose(b)) -> Transpose(MatMul(b, a)) [a "
    "transpose less]";
static LogicalResult swapMatMul(MatMulOp op, Rewriting &rewriting) {
  Value a = getTransposedMatrix(op.getA()), b = getTransposedMatrix(op.getB());
  if (!a || !b)
    return failure();
  Value product = rewriting.make<MatMulOp>(b, a);
  std::optional<int64_t> rank = product ? getRank(product) : std::nullopt;
  if (!rank)
    return failure();
  return rewriting.tryReplace(
      op, makeTranspose(product, getOrderOfMatrices(*rank), rewriting));
}

static constexpr StringLiteral transposeGemmPattern =
    "Gemm(Transpose(a), b) -> Gemm(a, b) [transposed by itself; an operator "
    "less]";
static LogicalResult transposeGemm(GemmOp op, Rewriting &rewriting) {
  SmallVector<Value> operands(op->getOperands());
  SmallVector<NamedAttribute> changed;
  Builder &builder = rewriting.getBuilder();
  auto take = [&](unsigned number, StringAttr name, bool isTransposed) {
    Value matrix = getTransposedMatrix(operands[number]);
    if (!matrix)
      return;
    operands[number] = matrix;
    changed.push_back({name, builder.getI64IntegerAttr(!isTransposed)});
  };
  take(0, op.getTransAAttrName(), op.getTransA());
  take(1, op.getTransBAttrName(), op.getTransB());
  if (changed.empty())
    return failure();
  return rewriting.tryReplace(op, rewriting.makeLike(op, operands, changed));
}

void invar::addTransposeRules(std::vector<Rule> &rules) {
  using enum RuleGroup;
  rules.push_back(RuleFor<dropTranspose>::get("drop-transpose", Exact,
                                              dropTransposePattern));
  rules.push_back(RuleFor<mergeTransposes>::get("merge-transposes", Exact,
                                                mergeTransposesPattern));
  rules.push_back(RuleFor<reshapeTransposed>::get("reshape-transposed", Exact,
                                                  reshapeTransposedPattern));
  rules.push_back(RuleFor<transposeReshaped>::get("transpose-reshaped", Exact,
                                                  transposeReshapedPattern));
  rules.push_back(
      RuleFor<swapMatMul>::get("swap-matmul", Fuse, swapMatmulPattern));
  rules.push_back(RuleFor<transposeGemm>::get("transpose-gemm", Fuse,
                                              transposeGemmPattern));
}
