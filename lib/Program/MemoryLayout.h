// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assigns places to the tensors of a function, in blocks of memory. Tensors of static
// sizes are in the first block. Tensors whose sizes are a factor times the same product
// of open sizes form a block, in units of the product. For example, these are all
// multiples of batch * length:
//
//   tensor<?x?x768xf32>, tensor<?x?x12x64xf32>, tensor<?x?x3072xf32>
//
// Blocks share no memory with each other. So open sizes are planned only if, for sample
// sizes, all blocks together are not much larger than all tensors at the fullest moment.
// Otherwise the sizes are not comparable enough, and the runtime, which knows them,
// allocates these tensors.
#ifndef INVAR_LIB_PROGRAM_MEMORYLAYOUT_H
#define INVAR_LIB_PROGRAM_MEMORYLAYOUT_H

#include "Lifetimes.h"
#include "invar/ConstStore/MemoryReport.h"

namespace invar {

class MemoryLayout {
public:
  explicit MemoryLayout(mlir::func::FuncOp main);

  /// The offset is in units of the block.
  struct Place {
    uint32_t block;
    uint64_t offset;
  };
  /// The place of a tensor; null if it is not planned.
  const Place *find(mlir::Value tensor) const;
  size_t getNumBlocks() const { return report.blocks.size(); }
  uint64_t getBlockBytes(uint32_t block) const {
    return report.blocks[block].plan.size;
  }
  bool isOpen(uint32_t block) const {
    return !report.blocks[block].unit.empty();
  }
  /// The constant factor in the product of a planned tensor's dynamic sizes: the product
  /// divided by the open sizes.
  uint64_t getFactorOfSizes(mlir::Value tensor) const;

  const Lifetimes &getLifetimes() const { return lifetimes; }
  MemoryReport takeReport() { return std::move(report); }

private:
  using Members = std::vector<uint32_t>;

  void addBlock(const Members &members);
  bool areComparable(llvm::ArrayRef<Members> all) const;
  std::vector<BufferUse> getUses(const Members &members) const;
  double getUnit(const Lifetime &lifetime) const;
  void countOthers(mlir::func::FuncOp main);

  Sizes sizes;
  Lifetimes lifetimes;
  /// For each lifetime, the first lifetime that has the same memory.
  std::vector<uint32_t> owners;
  llvm::DenseMap<mlir::Value, Place> places;
  MemoryReport report;
};

} // namespace invar

#endif // INVAR_LIB_PROGRAM_MEMORYLAYOUT_H
