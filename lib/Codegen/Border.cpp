// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Border.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

static bool isZero(Value value) {
  return matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_Zero());
}

/// Whether no number is less than `value` in the comparison of the maximum `op`.
static bool isLowest(Value value, Operation *op) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return isa<arith::MaxUIOp>(op) ? number.isZero()
                                   : number.isMinSignedValue();
  return matchPattern(value, m_NegInfFloat());
}

static bool areSame(Value lhs, Value rhs) {
  Attribute left, right;
  return lhs == rhs || (matchPattern(lhs, m_Constant(&left)) &&
                        matchPattern(rhs, m_Constant(&right)) && left == right);
}

bool invar::isNeutral(Value border, BlockArgument element) {
  Value given = element.getOwner()->getArguments().back();
  // Follow the element to the operation that combines it with the accumulator.
  Value current = element;
  bool isNothing = isZero(border);
  while (current.hasOneUse()) {
    OpOperand &use = *current.use_begin();
    Operation *op = use.getOwner();
    Value other = op->getNumOperands() == 2
                      ? op->getOperand(1 - use.getOperandNumber())
                      : Value();
    if (isa<arith::SubIOp, arith::SubFOp>(op) && use.getOperandNumber() == 0 &&
        current == element && areSame(border, other))
      isNothing = true;
    else if (isa<arith::AddFOp, arith::AddIOp>(op) && other == given)
      return isNothing && op->getResult(0).hasOneUse();
    else if (isa<arith::MaximumFOp, arith::MaxNumFOp, arith::MaxSIOp,
                 arith::MaxUIOp>(op) &&
             other == given)
      return current == element && isLowest(border, op);
    else if (!isNothing ||
             !isa<arith::MulFOp, arith::MulIOp, arith::ExtFOp, arith::ExtSIOp,
                  arith::ExtUIOp, arith::SIToFPOp, arith::UIToFPOp>(op))
      return false;
    if (op->getNumResults() != 1)
      return false;
    current = op->getResult(0);
  }
  return false;
}
