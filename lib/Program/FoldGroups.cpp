// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FoldGroups.h"

#include "invar/Dialect/Const/Reads.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace invar;

/// What is made of nothing is made again for each who needs it.
static bool isShareable(Operation *op) { return op->getNumOperands() > 0; }

/// Adds all operations that a value comes from.
static void addSlice(Value value, SetVector<Operation *> &slice) {
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitUsesFromAbove = false;
  // It fails for operations with several blocks, of which there are none in a program.
  (void)getBackwardSlice(value, &slice, options);
}

static OwningOpRef<func::FuncOp> makeGroup(func::FuncOp fold,
                                           ArrayRef<unsigned> results) {
  Block &body = fold.getBody().front();
  SetVector<Operation *> slice;
  SetVector<Value> read;
  SmallVector<Value> returned;
  for (unsigned result : results) {
    returned.push_back(body.getTerminator()->getOperand(result));
    addSlice(returned.back(), slice);
  }
  read.insert_range(returned);
  for (Operation *op : slice)
    read.insert_range(getRead(op));
  SmallVector<BlockArgument> arguments;
  llvm::copy_if(body.getArguments(), std::back_inserter(arguments),
                [&](Value argument) { return read.contains(argument); });

  OpBuilder builder(fold.getContext());
  auto types = llvm::map_to_vector(
      arguments, [](Value argument) { return argument.getType(); });
  OwningOpRef<func::FuncOp> group =
      func::FuncOp::create(fold.getLoc(), fold.getName(),
                           builder.getFunctionType(types, TypeRange(returned)));
  Block *copy = group->addEntryBlock();
  builder.setInsertionPointToStart(copy);
  IRMapping mapping;
  for (auto [number, argument] : llvm::enumerate(arguments)) {
    mapping.map(argument, copy->getArgument(number));
    group->setArgAttrs(number, ArrayRef(function_interface_impl::getArgAttrs(
                                   fold, argument.getArgNumber())));
  }
  for (Operation &op : body.without_terminator())
    if (slice.contains(&op))
      builder.clone(op, mapping);
  auto copies = llvm::map_to_vector(
      returned, [&](Value value) { return mapping.lookup(value); });
  func::ReturnOp::create(builder, fold.getLoc(), copies);
  for (auto [number, result] : llvm::enumerate(results))
    group->setResultAttrs(
        number,
        ArrayRef(function_interface_impl::getResultAttrs(fold, result)));
  return group;
}

std::vector<OwningOpRef<func::FuncOp>>
invar::splitIntoGroups(func::FuncOp fold) {
  Operation *end = fold.getBody().front().getTerminator();
  unsigned count = end->getNumOperands();
  llvm::IntEqClasses classes(count);
  llvm::DenseMap<Operation *, unsigned> owners;
  for (unsigned result = 0; result < count; ++result) {
    SetVector<Operation *> slice;
    addSlice(end->getOperand(result), slice);
    for (Operation *op : slice)
      if (isShareable(op))
        classes.join(owners.try_emplace(op, result).first->second, result);
  }
  llvm::MapVector<unsigned, SmallVector<unsigned>> groups;
  for (unsigned result = 0; result < count; ++result)
    groups[classes.findLeader(result)].push_back(result);
  std::vector<OwningOpRef<func::FuncOp>> made;
  for (auto &[leader, results] : groups)
    made.push_back(makeGroup(fold, results));
  return made;
}
