// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Postpone.h"

#include "invar/Constness/Constness.h"
#include "invar/Dialect/Const/Reads.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace invar;

//===-- Cost ------------------------------------------------------------------===//

static uint64_t countElements(RankedTensorType type) {
  uint64_t count = 1;
  for (int64_t size : type.getShape())
    count = ShapedType::isDynamic(size)
                ? UINT64_MAX
                : llvm::SaturatingMultiply(count, uint64_t(size));
  return count;
}

Cost &Cost::addMoved(RankedTensorType type) {
  Type element = type.getElementType();
  uint64_t width = element.isIntOrFloat()
                       ? llvm::divideCeil(element.getIntOrFloatBitWidth(), 8)
                       : sizeof(int64_t);
  bytes = llvm::SaturatingMultiplyAdd(countElements(type), width, bytes);
  return *this;
}

Cost &Cost::addComputed(RankedTensorType type) {
  elements = llvm::SaturatingAdd(elements, countElements(type));
  return addMoved(type);
}

//===-- Rewriting -------------------------------------------------------------===//

Postponement::Postponement(Operation *root, const ConstnessAnalysis &analysis)
    : rewriter(root->getContext(), this) {
  auto addIfConstant = [&](Value value) {
    if (analysis.isConstant(value))
      constants.insert(value);
  };
  root->walk([&](Operation *op) {
    llvm::for_each(op->getResults(), addIfConstant);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), addIfConstant);
  });
}

Operation *Postponement::takeNext() {
  llvm::append_range(toVisit, llvm::reverse(inserted));
  inserted.clear();
  return toVisit.empty() ? nullptr : toVisit.pop_back_val();
}

void Postponement::notifyOperationInserted(Operation *op,
                                           OpBuilder::InsertPoint) {
  // Skip operations in a body that is not attached yet: a body is built before its
  // operation.
  if (!op->getParentOp())
    return;
  inserted.push_back(op);
  if (isMemoryEffectFree(op) && areConstant(getRead(op).getArrayRef()))
    constants.insert_range(op->getResults());
}

void Postponement::notifyOperationErased(Operation *op) {
  llvm::erase(inserted, op);
  llvm::erase(toVisit, op);
  for (Value result : op->getResults())
    constants.erase(result);
}

void Postponement::replace(Operation *op, Value made) {
  SetVector<Operation *> makers;
  auto addMakers = [&](Operation *reader) {
    for (Value value : getRead(reader))
      if (Operation *maker = value.getDefiningOp())
        makers.insert(maker);
  };
  addMakers(op);
  rewriter.replaceOp(op, made);
  while (!makers.empty()) {
    Operation *maker = makers.pop_back_val();
    if (!isOpTriviallyDead(maker))
      continue;
    addMakers(maker);
    rewriter.eraseOp(maker);
  }
}
