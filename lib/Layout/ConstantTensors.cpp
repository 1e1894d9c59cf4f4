// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ConstantTensors.h"

#include "invar/Dialect/Const/Const.h"
#include "invar/Dialect/Const/Reads.h"
#include "invar/Support/Winograd.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace invar;

/// Whether an operation restores a packed or transformed tensor.
static bool isReadThrough(Operation *op) {
  return op &&
         (isa<linalg::UnPackOp>(op) || op->hasAttr(restoredFilterAttribute));
}

bool ConstantTensors::contains(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() &&
         !isReadThrough(value.getDefiningOp()) &&
         find(value) == Origin::Weights;
}

ConstantTensors::Origin ConstantTensors::find(Value value) {
  Operation *root = value.getDefiningOp();
  if (!root)
    return Origin::Variable;
  // Chains may be too long for recursion, so use a list.
  SmallVector<Operation *> open = {root};
  while (!open.empty()) {
    Operation *op = open.back();
    if (known.contains(op)) {
      open.pop_back();
      continue;
    }
    if (isa<constants::RefOp>(op)) {
      known[op] = Origin::Weights;
      continue;
    }
    if (!isMemoryEffectFree(op)) {
      known[op] = Origin::Variable;
      continue;
    }
    Origin origin = Origin::Literals;
    size_t before = open.size();
    for (Value operand : getRead(op)) {
      Operation *maker = operand.getDefiningOp();
      auto found = maker ? known.find(maker) : known.end();
      if (!maker || (found != known.end() && found->second == Origin::Variable))
        origin = Origin::Variable;
      else if (found == known.end())
        open.push_back(maker);
      else if (origin != Origin::Variable)
        origin = std::max(origin, found->second);
    }
    if (origin != Origin::Variable && open.size() != before)
      continue;
    open.truncate(before);
    known[op] = origin;
  }
  return known.lookup(root);
}
