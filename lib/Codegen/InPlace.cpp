// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "InPlace.h"

#include "KernelBuilder.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace invar;

/// Whether axis i is indexed by loop i or by a constant.
static bool isInOrder(AffineMap map) {
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    if (loop ? loop.getPosition() != i : !isa<AffineConstantExpr>(expr))
      return false;
  }
  return true;
}

static unsigned getWidth(Type tensor) {
  return getMemoryType(getElementTypeOrSelf(tensor)).getIntOrFloatBitWidth();
}

namespace {
/// A kernel of one result, which its last step writes element by element.
class Overwriting {
public:
  static std::optional<Overwriting> get(func::FuncOp kernel);

  bool isAllowed(BlockArgument argument) const;

private:
  Overwriting(Block &body, BlockArgument target) : body(body), target(target) {}

  linalg::GenericOp getReader(OpOperand &use) const;

  Block &body;
  BlockArgument target;
};
} // namespace

std::optional<Overwriting> Overwriting::get(func::FuncOp kernel) {
  Block &body = kernel.front();
  if (kernel.getNumResults() != 1 || kernel.getNumArguments() < 2)
    return std::nullopt;
  auto last =
      body.getTerminator()->getOperand(0).getDefiningOp<linalg::GenericOp>();
  if (!last || last.getNumParallelLoops() != last.getNumLoops() ||
      last->getNumResults() != 1)
    return std::nullopt;
  for (Operation *op = last->getNextNode(); op; op = op->getNextNode())
    if (isa<linalg::LinalgOp>(op))
      return std::nullopt;
  BlockArgument target = kernel.getArguments().back();
  OpOperand *init = last.getDpsInitOperand(0);
  bool isOnlyWritten = init->get() == target && target.hasOneUse() &&
                       last.getMatchingBlockArgument(init).use_empty();
  if (!isOnlyWritten || !last.getMatchingIndexingMap(init).isIdentity())
    return std::nullopt;
  return Overwriting(body, target);
}

/// The step that reads a tensor by its loops; null for any other use.
linalg::GenericOp Overwriting::getReader(OpOperand &use) const {
  auto step = dyn_cast<linalg::GenericOp>(use.getOwner());
  return step && step->getBlock() == &body ? step : nullptr;
}

bool Overwriting::isAllowed(BlockArgument argument) const {
  auto type = dyn_cast<RankedTensorType>(argument.getType());
  auto written = cast<RankedTensorType>(target.getType());
  if (!type || type.getShape() != written.getShape() ||
      getWidth(type) != getWidth(written))
    return false;
  // All steps that depend on the argument.
  llvm::SmallSetVector<Operation *, 8> steps;
  for (OpOperand &use : argument.getUses()) {
    if (isa<tensor::DimOp>(use.getOwner()))
      continue;
    linalg::GenericOp step = getReader(use);
    if (!step || !step.isDpsInput(&use) ||
        !step.getMatchingIndexingMap(&use).isIdentity())
      return false;
    steps.insert(step);
  }
  for (size_t i = 0; i < steps.size(); ++i) {
    auto step = cast<linalg::GenericOp>(steps[i]);
    for (OpResult result : step->getResults()) {
      if (!isInOrder(step.getIndexingMapMatchingResult(result)))
        return false;
      for (OpOperand &use : result.getUses()) {
        if (use.getOwner() == body.getTerminator())
          continue;
        linalg::GenericOp next = getReader(use);
        if (!next || !isInOrder(next.getMatchingIndexingMap(&use)))
          return false;
        steps.insert(next);
      }
    }
  }
  return true;
}

SmallVector<int64_t> invar::findOverwritable(func::FuncOp kernel) {
  SmallVector<int64_t> numbers;
  if (std::optional<Overwriting> overwriting = Overwriting::get(kernel))
    for (BlockArgument argument : kernel.getArguments().drop_back())
      if (overwriting->isAllowed(argument))
        numbers.push_back(argument.getArgNumber());
  return numbers;
}
