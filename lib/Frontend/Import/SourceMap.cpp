// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Frontend/Import/SourceMap.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/Hashing.h"

using namespace mlir;
using namespace invar;

uint64_t Fingerprints::ofValue(Value value) {
  if (StringRef name = nameOf(value); !name.empty())
    return llvm::hash_value(name);
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return 0;
  return llvm::hash_combine(of(result.getOwner()), result.getResultNumber());
}

uint64_t Fingerprints::ofBlock(Block &block) {
  llvm::hash_code hash = llvm::hash_value(block.getNumArguments());
  for (BlockArgument argument : block.getArguments())
    hash = llvm::hash_combine(hash, nameOf(argument));
  for (Operation &op : block)
    hash = llvm::hash_combine(hash, of(&op));
  return hash;
}

uint64_t Fingerprints::of(Operation *op) {
  // An operand without a name is represented by the operation that computes it. A chain
  // of these may be too long for recursion.
  SmallVector<Operation *> todo = {op};
  while (!todo.empty()) {
    Operation *last = todo.back();
    size_t count = todo.size();
    if (!known.contains(last))
      for (Value operand : last->getOperands())
        if (Operation *producer = operand.getDefiningOp();
            producer && nameOf(operand).empty() && !known.contains(producer))
          todo.push_back(producer);
    if (todo.size() > count)
      continue;
    todo.pop_back();
    if (!known.contains(last))
      known[last] = compute(last);
  }
  return known.lookup(op);
}

uint64_t Fingerprints::compute(Operation *op) {
  llvm::hash_code hash = llvm::hash_combine(
      op->getName().getAsOpaquePointer(), op->hashProperties(),
      op->getDiscardableAttrDictionary().getAsOpaquePointer(),
      op->getNumResults());
  for (Value operand : op->getOperands())
    hash = llvm::hash_combine(hash, ofValue(operand));
  for (Value result : op->getResults())
    hash = llvm::hash_combine(hash, nameOf(result));
  for (Region &region : op->getRegions())
    for (Block &block : region)
      hash = llvm::hash_combine(hash, ofBlock(block));
  return hash;
}

uint64_t SourceMap::formOf(Operation *op) {
  return llvm::hash_combine(op->getName().getAsOpaquePointer(),
                            op->hashProperties(), op->getNumOperands(),
                            op->getNumResults());
}

StringRef SourceMap::find(Operation *op, Fingerprints &fingerprints) const {
  auto it = operations.find(op);
  if (it == operations.end() || it->second.refersToFiles ||
      it->second.fingerprint != fingerprints.of(op))
    return {};
  return it->second.message;
}

StringRef SourceMap::findDefault(Attribute value, StringRef name) const {
  DefaultOrigin origin = defaults.lookup(value);
  return origin.name == name ? origin.message : StringRef();
}
