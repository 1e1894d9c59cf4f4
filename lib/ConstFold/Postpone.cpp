// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Postpone.h"

#include "invar/ConstFold/Constness.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace invar;

//===-- Constants -------------------------------------------------------------===//

ConstantValues::ConstantValues(Operation *root,
                               const ConstnessAnalysis &analysis) {
  auto addIfConstant = [&](Value value) {
    if (analysis.isConstant(value))
      add(value);
  };
  root->walk([&](Operation *op) {
    llvm::for_each(op->getResults(), addIfConstant);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), addIfConstant);
  });
}

void ConstantValues::notifyOperationErased(Operation *op) {
  for (Value result : op->getResults())
    values.erase(result);
}

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
    : constants(root, analysis), rewriter(root->getContext(), &constants) {}

void Postponement::replace(Operation *op, Value made) {
  llvm::SetVector<Operation *> makers;
  auto addMakers = [&](Operation *reader) {
    SetVector<Value> read(reader->operand_begin(), reader->operand_end());
    getUsedValuesDefinedAbove(reader->getRegions(), read);
    for (Value value : read)
      if (Operation *maker = value.getDefiningOp())
        makers.insert(maker);
  };
  addMakers(op);
  if (constants.contains(op->getResult(0)))
    constants.add(made);
  rewriter.replaceOp(op, made);
  while (!makers.empty()) {
    Operation *maker = makers.pop_back_val();
    if (!isOpTriviallyDead(maker))
      continue;
    addMakers(maker);
    rewriter.eraseOp(maker);
  }
}
