// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Conversion/ONNXToLinalg/Lowerings.h"
#include "invar/Dialect/ONNX/Ops/Training.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static LogicalResult lower(GradientOp, Lowering &to) {
  return to.decline("derivatives of a graph are not computed");
}

void invar::onnx::addTrainingLowerings(LoweringTable &table) {
  table.addCall<AdagradOp>();
  table.addCall<AdamOp>();
  table.add<GradientOp>(lower);
  table.addCall<MomentumOp>();
}
