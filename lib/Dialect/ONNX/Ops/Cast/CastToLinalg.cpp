// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Conversion/ONNXToLinalg/GraphLowering.h"
#include "invar/Conversion/ONNXToLinalg/Lowerings.h"
#include "invar/Dialect/ONNX/Ops/Cast.h"
#include "invar/Elements/IR/DataTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Loops convert the types that they can compute with. All other casts are calls of the
/// runtime, with the attributes that matter only there.
template <typename Op> static LogicalResult lowerCast(Op op, Lowering &to) {
  RankedTensorType from = to.getType(op.getInput());
  Type made = to.getGraph().convertType(op.getOutput().getType());
  Type element = getElementTypeOrSelf(made);
  if (from && canCompute(from.getElementType()) && canCompute(element)) {
    FailureOr<Value> cast = to.cast(to.get(op.getInput()), element);
    return succeeded(cast) ? to.set(op.getOutput(), *cast) : failure();
  }
  return to.call(op.describeCall());
}

static LogicalResult lower(CastOp op, Lowering &to) {
  return lowerCast(op, to);
}
static LogicalResult lower(CastLikeOp op, Lowering &to) {
  return lowerCast(op, to);
}

/// Reinterprets the bits of an element as another type. A bool is a byte.
static Value castBits(ImplicitLocOpBuilder &b, Value element, Type type) {
  if (element.getType().isInteger(1) || type.isInteger(1))
    return toElement(toNumber(b, b.getLoc(), element), type);
  auto integerOf = [&](Type other) {
    return b.getIntegerType(other.getIntOrFloatBitWidth());
  };
  Value bits =
      isa<FloatType>(element.getType())
          ? arith::BitcastOp::create(b, integerOf(element.getType()), element)
                .getResult()
          : toNumber(b, b.getLoc(), element).getValue();
  if (isa<FloatType>(type))
    return arith::BitcastOp::create(b, type, bits);
  return toElement(Number(b, b.getLoc(), bits), type);
}

static LogicalResult lower(BitCastOp op, Lowering &to) {
  Value input = to.get(op.getInput());
  RankedTensorType from = to.getType(op.getInput());
  Type type = getElementTypeOrSelf(op.getOutput().getType());
  if (!from || !canCompute(from.getElementType()) || !canCompute(type))
    return to.call(op.describeCall());
  FailureOr<Value> made =
      to.combine(input, to.sizesOf(input), type,
                 [&](ImplicitLocOpBuilder &b, ArrayRef<Value> in) {
                   return castBits(b, in[0], type);
                 });
  return succeeded(made) ? to.set(op.getOutput(), *made) : failure();
}

void invar::onnx::addCastLowerings(LoweringTable &table) {
  table.addAnyRank<BitCastOp>(lower);
  table.addAnyRank<CastLikeOp>(lower);
  table.addAnyRank<CastOp>(lower);
}
