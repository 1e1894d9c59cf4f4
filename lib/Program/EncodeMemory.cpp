// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Encodes the memory of tensors.
#include "Encoder.h"

using namespace mlir;
using namespace invar;

void invar::appendList(SmallVectorImpl<uint32_t> &operands,
                       ArrayRef<uint32_t> list) {
  operands.push_back(uint32_t(list.size()));
  llvm::append_range(operands, list);
}

/// A register with the product of a tensor's open sizes, without their constant factor.
uint32_t Encoder::multiplyOpenSizes(tensor::EmptyOp tensor) {
  uint32_t product = getLiteral(1);
  auto emit = [&](InvarOpcode opcode, uint32_t with) {
    uint32_t result = assembler.makeNumber();
    assembler.emit(opcode, {result, product, with});
    product = result;
  };
  for (Value size : tensor.getDynamicSizes())
    emit(INVAR_OP_MUL_SATURATED, get(size));
  // Remove the constant factor of these sizes: for 2 * batch, it is 2.
  if (uint64_t factor = layout->getFactorOfSizes(tensor); factor > 1)
    emit(INVAR_OP_DIV, getLiteral(int64_t(factor)));
  return product;
}

void Encoder::reserve(uint32_t block, uint32_t unit) {
  uint64_t bytes = layout->getBlockBytes(block);
  assembler.emit(INVAR_OP_RESERVE,
                 {block, uint32_t(bytes), uint32_t(bytes >> 32), unit});
  units[block] = unit;
}

void Encoder::beginMemory(const MemoryLayout *given) {
  layout = given;
  units.resize(layout ? layout->getNumBlocks() : 0);
  assembler.setNumBlocks(uint32_t(units.size()));
  // Static blocks are reserved before all branches.
  for (uint32_t block = 0; block < units.size(); ++block)
    if (!layout->isOpen(block)) {
      uint32_t one = assembler.makeNumber();
      assembler.emitNumber(one, 1);
      reserve(block, one);
    }
}

/// The register with the unit of a tensor's block. The first tensor of a block with open
/// sizes reserves it.
uint32_t Encoder::getUnit(Value tensor, uint32_t block) {
  if (!units[block])
    reserve(block, multiplyOpenSizes(tensor.getDefiningOp<tensor::EmptyOp>()));
  return *units[block];
}

void Encoder::allocate(Value tensor, uint32_t type, ArrayRef<uint32_t> sizes) {
  const MemoryLayout::Place *place = layout ? layout->find(tensor) : nullptr;
  SmallVector<uint32_t> operands = {get(tensor), type};
  if (place) {
    uint32_t unit = getUnit(tensor, place->block);
    operands.append({place->block, uint32_t(place->offset),
                     uint32_t(place->offset >> 32), unit});
  }
  appendList(operands, sizes);
  assembler.emit(place ? INVAR_OP_ALLOCATE_AT : INVAR_OP_ALLOCATE, operands);
}

void Encoder::allocateResults(Operation *call) {
  if (!layout)
    return;
  // Emit numbers first: nothing may come between the places and the call.
  SmallVector<std::pair<Value, SmallVector<uint32_t>>> planned;
  for (Value result : call->getResults()) {
    const MemoryLayout::Place *place = layout->find(result);
    if (!place)
      continue;
    (void)getUnit(result, place->block);
    SmallVector<uint32_t> sizes;
    for (int64_t size : cast<RankedTensorType>(result.getType()).getShape())
      sizes.push_back(getLiteral(size));
    planned.push_back({result, std::move(sizes)});
  }
  for (auto &[result, sizes] : planned)
    allocate(result, *getDataType(getElementTypeOrSelf(result)), sizes);
}
