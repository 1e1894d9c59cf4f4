// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LogicFormulas.h"
#include "invar/Conversion/ONNXToLinalg/Lowerings.h"
#include "invar/Dialect/ONNX/Ops/Logic.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static LogicalResult lower(BitShiftOp op, Lowering &to) {
  return op.getDirection() == "LEFT" ? to.apply(formula::ShiftLeft())
                                     : to.apply(formula::ShiftRight());
}

void invar::onnx::addLogicLowerings(LoweringTable &table) {
  table.add<AndOp>(formula::And());
  table.addAnyRank<BitShiftOp>(lower);
  table.add<BitwiseAndOp>(formula::And());
  table.add<BitwiseNotOp>(formula::BitwiseNot());
  table.add<BitwiseOrOp>(formula::Or());
  table.add<BitwiseXorOp>(formula::Xor());
  table.add<NotOp>(formula::Not());
  table.add<OrOp>(formula::Or());
  table.add<XorOp>(formula::Xor());
}
