// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KnownMasks.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include <numeric>

using namespace llvm;

/// Whether a lane is stored; an undefined lane is not.
static bool isStored(const Constant &mask, unsigned lane) {
  Constant *element = mask.getAggregateElement(lane);
  return element && element->isOneValue();
}

/// Stores `count` lanes, beginning at `first`.
static void storePiece(IRBuilder<> &builder, Value *vector, Value *pointer,
                       unsigned first, unsigned count) {
  Type *element = cast<FixedVectorType>(vector->getType())->getElementType();
  Value *piece;
  if (count == 1) {
    piece = builder.CreateExtractElement(vector, first);
  } else {
    SmallVector<int> lanes(count);
    std::iota(lanes.begin(), lanes.end(), int(first));
    piece = builder.CreateShuffleVector(vector, lanes);
  }
  Value *address = builder.CreateConstInBoundsGEP1_64(element, pointer, first);
  const DataLayout &layout = builder.GetInsertBlock()->getDataLayout();
  builder.CreateAlignedStore(piece, address, layout.getABITypeAlign(element));
}

void invar::splitKnownMasks(Function &function) {
  for (Instruction &instruction :
       make_early_inc_range(instructions(function))) {
    auto *store = dyn_cast<IntrinsicInst>(&instruction);
    if (!store || store->getIntrinsicID() != Intrinsic::masked_store)
      continue;
    auto *mask =
        dyn_cast<Constant>(store->getArgOperand(store->arg_size() - 1));
    if (!mask)
      continue;
    Value *vector = store->getArgOperand(0), *pointer = store->getArgOperand(1);
    unsigned lanes = cast<FixedVectorType>(vector->getType())->getNumElements();
    IRBuilder<> builder(store);
    for (unsigned lane = 0; lane < lanes;) {
      unsigned count = 0;
      while (lane + count < lanes && isStored(*mask, lane + count))
        ++count;
      if (!count) {
        ++lane;
        continue;
      }
      count = llvm::bit_floor(count);
      storePiece(builder, vector, pointer, lane, count);
      lane += count;
    }
    store->eraseFromParent();
  }
}
