// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FoldGroups.h"

#include "invar/Dialect/Const/Reads.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace invar;

/// An operation without operands is copied to each group that needs it.
static bool isShareable(Operation *op) { return op->getNumOperands() > 0; }

/// Visits all operations that a value depends on. `enter` returns whether to continue
/// with the operands of an operation. `reach`, if given, is called with arguments.
static void goUp(Value value, llvm::function_ref<bool(Operation *)> enter,
                 llvm::function_ref<void(BlockArgument)> reach = nullptr) {
  SmallVector<Value> open = {value};
  while (!open.empty()) {
    Value next = open.pop_back_val();
    if (Operation *op = next.getDefiningOp()) {
      if (enter(op))
        llvm::append_range(open, getRead(op));
    } else if (reach) {
      reach(cast<BlockArgument>(next));
    }
  }
}

static OwningOpRef<func::FuncOp> makeGroup(func::FuncOp fold,
                                           ArrayRef<unsigned> results) {
  Block &body = fold.getBody().front();
  SetVector<Operation *> slice;
  SetVector<BlockArgument> read;
  SmallVector<Value> returned;
  for (unsigned result : results) {
    returned.push_back(body.getTerminator()->getOperand(result));
    goUp(
        returned.back(), [&](Operation *op) { return slice.insert(op); },
        [&](BlockArgument argument) { read.insert(argument); });
  }
  SmallVector<Operation *> operations = slice.takeVector();
  llvm::sort(operations,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  SmallVector<BlockArgument> arguments = read.takeVector();
  llvm::sort(arguments, [](BlockArgument a, BlockArgument b) {
    return a.getArgNumber() < b.getArgNumber();
  });

  OpBuilder builder(fold.getContext());
  auto types = llvm::map_to_vector(
      arguments, [](Value argument) { return argument.getType(); });
  OwningOpRef<func::FuncOp> group =
      func::FuncOp::create(fold.getLoc(), fold.getName(),
                           builder.getFunctionType(types, TypeRange(returned)));
  Block *copy = group->addEntryBlock();
  builder.setInsertionPointToStart(copy);
  IRMapping mapping;
  SmallVector<DictionaryAttr> attributes;
  for (auto [number, argument] : llvm::enumerate(arguments)) {
    mapping.map(argument, copy->getArgument(number));
    attributes.push_back(fold.getArgAttrDict(argument.getArgNumber()));
  }
  group->setAllArgAttrs(attributes);
  for (Operation *op : operations)
    builder.clone(*op, mapping);
  auto copies = llvm::map_to_vector(
      returned, [&](Value value) { return mapping.lookup(value); });
  func::ReturnOp::create(builder, fold.getLoc(), copies);
  group->setAllResultAttrs(llvm::map_to_vector(results, [&](unsigned result) {
    return fold.getResultAttrDict(result);
  }));
  return group;
}

std::vector<OwningOpRef<func::FuncOp>>
invar::splitIntoGroups(func::FuncOp fold) {
  Operation *end = fold.getBody().front().getTerminator();
  unsigned count = end->getNumOperands();
  llvm::IntEqClasses classes(count);
  llvm::DenseMap<Operation *, unsigned> owners;
  for (unsigned result = 0; result < count; ++result)
    goUp(end->getOperand(result), [&](Operation *op) {
      if (!isShareable(op))
        return true;
      auto [owner, isNew] = owners.try_emplace(op, result);
      classes.join(owner->second, result);
      return isNew; // Otherwise, everything above it is joined already.
    });
  llvm::MapVector<unsigned, SmallVector<unsigned>> groups;
  for (unsigned result = 0; result < count; ++result)
    groups[classes.findLeader(result)].push_back(result);
  std::vector<OwningOpRef<func::FuncOp>> made;
  for (auto &[leader, results] : groups)
    made.push_back(makeGroup(fold, results));
  return made;
}
