// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces an Einsum by the single operator that computes it. Others are decomposed on
// request.
#include "Contraction.h"
#include "Rules.h"
#include "invar/Dialect/ONNX/Ops/Constant.h"
#include "invar/Dialect/ONNX/Ops/Reduce.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static constexpr StringLiteral decomposeEinsumPattern =
    "Einsum(x, y, ...) -> MatMul, Mul and ReduceSum of Transpose and Reshape "
    "[of known rank, equal sizes where sums are; decomposition, one way]";
static LogicalResult decomposeEinsum(EinsumOp op, Rewriting &rewriting) {
  return rewriting.tryReplace(op, contract(op, /*usesGemm=*/false, rewriting));
}

/// The single operator that computes an Einsum; null if several are needed.
static Expression findOne(EinsumOp op, Rewriting &rewriting) {
  // If a constant has other users, its transposed form would be stored in addition.
  bool ownsConstants = llvm::all_of(op.getInputs(), [&](Value input) {
    return !rewriting.isConstant(input) || input.hasOneUse();
  });
  Expression found = contract(op, /*usesGemm=*/true, rewriting);
  if (!found || llvm::is_contained(op.getInputs(), Value(found)))
    return found;
  auto isThere = [&](Value operand) {
    if (!operand || llvm::is_contained(op.getInputs(), operand) ||
        operand.getDefiningOp<ConstantOp>())
      return true;
    return ownsConstants && rewriting.isConstant(operand);
  };
  bool isOne =
      llvm::all_of(Value(found).getDefiningOp()->getOperands(), isThere);
  return isOne ? found : Expression();
}

static bool isExact(Value value) {
  return !isa_and_nonnull<MatMulOp, GemmOp, ReduceSumOp>(value.getDefiningOp());
}

static constexpr StringLiteral nameEinsumPattern =
    "Einsum(x) -> Transpose(x), Einsum(x, y) -> Mul(x, y) [if the equation "
    "says so; an equation less]";
static LogicalResult nameEinsum(EinsumOp op, Rewriting &rewriting) {
  Expression found = findOne(op, rewriting);
  if (!found || !isExact(found))
    return failure();
  return rewriting.tryReplace(op, found);
}

static constexpr StringLiteral nameProductPattern =
    "Einsum(x, y) -> MatMul(x, y), Einsum(x) -> ReduceSum(x) [if the equation "
    "says so; an equation less]";
static LogicalResult nameProduct(EinsumOp op, Rewriting &rewriting) {
  Expression found = findOne(op, rewriting);
  if (!found || isExact(found))
    return failure();
  return rewriting.tryReplace(op, found);
}

void invar::addEinsumRules(std::vector<Rule> &rules) {
  using enum RuleGroup;
  rules.push_back(
      RuleFor<nameEinsum>::get("name-einsum", Exact, nameEinsumPattern));
  rules.push_back(
      RuleFor<nameProduct>::get("name-product", Fuse, nameProductPattern));
  rules.push_back(RuleFor<decomposeEinsum>::get("decompose-einsum", Decompose,
                                                decomposeEinsumPattern)
                      .forLowering(true));
}
