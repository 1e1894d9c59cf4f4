// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sequences and optionals are handled by calls of the runtime.
#include "invar/Conversion/ONNXToLinalg/GraphLowering.h"
#include "invar/Conversion/ONNXToLinalg/Lowerings.h"
#include "invar/Dialect/ONNX/Ops/Sequence.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// The result's type contains the attribute `type`.
static LogicalResult lower(OptionalOp op, Lowering &to) {
  Type type = to.getGraph().convertType(op.getOutput().getType());
  if (!type)
    return to.decline("its type is not known");
  return to.set(op.getOutput(),
                to.call("Optional", to.get(op.getInput()), type).front());
}

void invar::onnx::addSequenceLowerings(LoweringTable &table) {
  table.addCall<ConcatFromSequenceOp>();
  table.addCall<OptionalGetElementOp>();
  table.addCall<OptionalHasElementOp>();
  table.addAnyRank<OptionalOp>(lower);
  table.addCall<SequenceAtOp>();
  table.addCall<SequenceConstructOp>();
  table.addCall<SequenceEmptyOp>();
  table.addCall<SequenceEraseOp>();
  table.addCall<SequenceInsertOp>();
  table.addCall<SequenceLengthOp>();
  table.addCall<SplitToSequenceOp>();
}
