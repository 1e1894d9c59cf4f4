// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Instructions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace invar;

Value invar::emitMultiplyAdd(KernelBuilder &builder, Value lhs, Value rhs,
                             Value sum) {
  if (builder.getTarget().hasFusedMultiplyAdd)
    return vector::FMAOp::create(builder, lhs, rhs, sum);
  return arith::AddFOp::create(builder,
                               arith::MulFOp::create(builder, lhs, rhs), sum);
}

/// The products of the pairs' first or second numbers.
static Value multiplyHalves(KernelBuilder &builder, Value lhs, Value rhs,
                            bool isFirst) {
  Value width = builder.splat(
      arith::ConstantIntOp::create(builder, builder.getI32Type(), 16),
      getLanes(lhs));
  auto extract = [&](Value pairs) -> Value {
    if (isFirst)
      pairs = arith::ShLIOp::create(builder, pairs, width);
    return arith::ShRSIOp::create(builder, pairs, width);
  };
  return arith::MulIOp::create(builder, extract(lhs), extract(rhs));
}

Value invar::emitPairProduct(KernelBuilder &builder, Value lhs, Value rhs) {
  unsigned lanes = getLanes(lhs);
  auto getName = builder.getTarget().getPairProduct;
  StringRef intrinsic = getName ? getName(lanes) : "";
  if (intrinsic.empty())
    return arith::AddIOp::create(builder,
                                 multiplyHalves(builder, lhs, rhs, true),
                                 multiplyHalves(builder, lhs, rhs, false));
  Type type = getRegisterType(builder.getI16Type(), 2 * lanes);
  KernelBuilder::Values operands;
  for (Value pairs : {lhs, rhs})
    operands.push_back(vector::BitCastOp::create(builder, type, pairs));
  return LLVM::CallIntrinsicOp::create(
             builder, lhs.getType(), builder.getStringAttr(intrinsic), operands)
      .getResult(0);
}
