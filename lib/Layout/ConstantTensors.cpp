// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ConstantTensors.h"

#include "invar/Constness/Constness.h"
#include "invar/Dialect/Const/Const.h"
#include "invar/Dialect/Const/TensorBytes.h"
#include "invar/Winograd/Winograd.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace invar;

/// Whether an operation restores a packed or transformed tensor.
static bool isReadThrough(Operation *op) {
  return op &&
         (isa<linalg::UnPackOp>(op) || op->hasAttr(restoredFilterAttribute));
}

/// Whether an operand gives more than its shape, as the window of a pool does.
static bool isRead(OpOperand &operand) {
  auto op = cast<linalg::LinalgOp>(operand.getOwner());
  return !op.getMatchingBlockArgument(&operand).use_empty();
}

bool invar::canChangeForm(OpOperand &operand,
                          const ConstnessAnalysis &analysis) {
  Value tensor = operand.get();
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  return type && type.hasStaticShape() &&
         !isReadThrough(tensor.getDefiningOp()) && isRead(operand) &&
         analysis.isConstant(tensor);
}

double invar::countConstantBytes(Operation *function,
                                 const ConstnessAnalysis &analysis) {
  double bytes = 0;
  auto add = [&](Value constant) {
    if (auto type = dyn_cast<RankedTensorType>(constant.getType()))
      bytes += double(getTensorBytes(type).value_or(0));
  };
  function->walk([&](Operation *op) {
    if (isa<constants::RefOp>(op) || op->hasTrait<OpTrait::ConstantLike>())
      add(op->getResult(0));
  });
  for (BlockArgument argument :
       cast<FunctionOpInterface>(function).getArguments())
    if (analysis.isConstant(argument))
      add(argument);
  return bytes;
}
