// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers that are dequantized and quantized again with the same scale s and zero point
// z do not change, even if they are moved in between. With n = q - z, the first
// operator computes n*s and the second n*s/s + z. Each rounds by a relative error of at
// most e = 2^-24 for float (2^-11 for float16), and nothing overflows or underflows for
// the scales below. So n*s/s differs from n by about 2*n*e. As |n| is below 2^16 (2^8),
// that is less than one half: the quotient is rounded to n, and n + z = q needs no
// saturation.
//
// In the opposite order, quantizing and dequantizing rounds a value: such pairs stay.
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/Concat.h"
#include "invar/Dialect/ONNX/Ops/Expand.h"
#include "invar/Dialect/ONNX/Ops/Gather.h"
#include "invar/Dialect/ONNX/Ops/Pool.h"
#include "invar/Dialect/ONNX/Ops/Quantize.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "invar/Dialect/ONNX/Ops/Slice.h"
#include "invar/Dialect/ONNX/Ops/Transpose.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// The number of bits of a quantized integer; 0 for other types.
static unsigned getIntegerBits(Value value) {
  auto type = dyn_cast<IntegerType>(getElementTypeOrSelf(value.getType()));
  return type && type.getWidth() <= 16 ? type.getWidth() : 0;
}

/// Whether integers with this number of bits survive all of these scales.
static bool isReversible(Value scale, unsigned bits, Rewriting &rewriting) {
  static constexpr int64_t mostScales = 1 << 16;
  const Elements *content = rewriting.getConstant(scale);
  if (!content || content->numElements() > mostScales)
    return false;
  double least, most;
  if (content->getType() == DataType::Float32) {
    least = 0x1p-100, most = 0x1p100;
  } else if (content->getType() == DataType::Float16 && bits <= 8) {
    least = 0x1p-14, most = 0x1p7;
  } else {
    return false;
  }
  SmallVector<WideNum> numbers(content->numElements());
  content->readWideNums(0, numbers);
  return llvm::all_of(numbers, [&](WideNum number) {
    return least <= number.f && number.f <= most;
  });
}

/// Whether `op` restores the operand of `inner`: both have the same scale and zero
/// point. If there are several scales, the caller must check that both have the same
/// axis.
static bool isReversal(QuantizeLinearOp op, DequantizeLinearOp inner,
                       Rewriting &rewriting) {
  Type element = getElementTypeOrSelf(inner.getX().getType());
  unsigned bits = getIntegerBits(inner.getX());
  if (!bits || element != getElementTypeOrSelf(op.getY().getType()) ||
      getElementTypeOrSelf(inner.getY().getType()) !=
          getElementTypeOrSelf(inner.getXScale().getType()) ||
      op.getYScale() != inner.getXScale() || op.getPrecision() != 0 ||
      op.getBlockSize() != 0 || inner.getBlockSize() != 0)
    return false;
  // A missing zero point is zero.
  auto isZero = [&](Value point) {
    return !point || rewriting.getSplat(point) == 0;
  };
  if (op.getYZeroPoint() != inner.getXZeroPoint() &&
      !(isZero(op.getYZeroPoint()) && isZero(inner.getXZeroPoint())))
    return false;
  return isReversible(op.getYScale(), bits, rewriting);
}

/// Whether one scale applies to the whole tensor.
static bool isPerTensor(QuantizeLinearOp op, Rewriting &rewriting) {
  const Elements *scale = rewriting.getConstant(op.getYScale());
  return scale && scale->numElements() == 1;
}

static constexpr StringLiteral dropRequantizePattern =
    "QuantizeLinear(DequantizeLinear(q, s, z), s, z) -> q [an operator less]";
static LogicalResult dropRequantize(QuantizeLinearOp op, Rewriting &rewriting) {
  auto inner = op.getX().getDefiningOp<DequantizeLinearOp>();
  std::optional<int64_t> rank = getRank(op.getX());
  if (!inner || !isReversal(op, inner, rewriting))
    return failure();
  if (!isPerTensor(op, rewriting) &&
      (!rank || normalizeAxis(op.getAxis(), *rank) !=
                    normalizeAxis(inner.getAxis(), *rank)))
    return failure();
  rewriting.replace(op, inner.getX());
  return success();
}

/// Whether an operator only moves elements of its first operands, or selects some by
/// comparing them.
static bool movesQuantized(Operation *op, unsigned bits, Rewriting &rewriting) {
  if (auto pool = dyn_cast<MaxPoolOp>(op)) // Supports bytes since opset 12.
    return pool->getNumResults() == 1 && bits == 8 &&
           rewriting.getOpset() >= 12;
  // Integers of other widths cannot be moved in between.
  return (bits == 8 || bits == 16) &&
         isa<ReshapeOp, FlattenOp, SqueezeOp, UnsqueezeOp, TransposeOp, SliceOp,
             GatherOp, ExpandOp, TileOp, ConcatOp>(op);
}

/// Creates `value` without the dequantization above it. Null if another operator than a
/// movement without other users is in between.
static Value moveQuantized(QuantizeLinearOp op, Value value, unsigned depth,
                           Rewriting &rewriting) {
  static constexpr unsigned mostDepth = 16;
  Operation *moved = value.getDefiningOp();
  if (!moved || depth > mostDepth)
    return {};
  if (auto inner = dyn_cast<DequantizeLinearOp>(moved))
    return isReversal(op, inner, rewriting) ? inner.getX() : Value();
  if (!value.hasOneUse() ||
      !movesQuantized(moved, getIntegerBits(op.getY()), rewriting))
    return {};
  SmallVector<Value> operands(moved->getOperands());
  unsigned count = isa<ConcatOp>(moved) ? operands.size() : 1;
  for (Value &operand : MutableArrayRef(operands).take_front(count)) {
    operand = moveQuantized(op, operand, depth + 1, rewriting);
    if (!operand)
      return {};
  }
  return rewriting.makeLike(moved, operands);
}

static constexpr StringLiteral requantizeMovedPattern =
    "QuantizeLinear(Reshape(DequantizeLinear(q, s, z)), s, z) -> Reshape(q) "
    "[one less]";
static LogicalResult requantizeMoved(QuantizeLinearOp op,
                                     Rewriting &rewriting) {
  if (op.getX().getDefiningOp<DequantizeLinearOp>() ||
      !isPerTensor(op, rewriting))
    return failure();
  return rewriting.tryReplace(op, moveQuantized(op, op.getX(), 0, rewriting));
}

void invar::addQuantizeRules(std::vector<Rule> &rules) {
  using enum RuleGroup;
  rules.push_back(RuleFor<dropRequantize>::get("drop-requantize", Exact,
                                               dropRequantizePattern));
  rules.push_back(RuleFor<requantizeMoved>::get("requantize-moved", Exact,
                                                requantizeMovedPattern));
}
