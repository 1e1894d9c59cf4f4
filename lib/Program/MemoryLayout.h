// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the tensors of a function lie in its blocks. Those of known sizes are in the first
// block. Of those whose sizes are open, all that are the same product of open sizes times a
// factor form a block, in units of the product: as many batch * length are
//
//   tensor<?x?x768xf32>, tensor<?x?x12x64xf32>, tensor<?x?x3072xf32>
//
// Blocks share no memory with each other. So open sizes are planned only if blocks are
// together not much larger than all tensors at the fullest moment, for sample sizes; else
// sizes are not comparable enough, and the runtime, which knows them, allocates these.
#ifndef INVAR_LIB_PROGRAM_MEMORYLAYOUT_H
#define INVAR_LIB_PROGRAM_MEMORYLAYOUT_H

#include "Lifetimes.h"
#include "invar/ConstStore/MemoryReport.h"

namespace invar {

class MemoryLayout {
public:
  explicit MemoryLayout(mlir::func::FuncOp main);

  /// A place is times the block's unit.
  struct Place {
    uint32_t block;
    uint64_t offset;
  };
  /// Where a tensor lies; null for one that is not planned.
  const Place *find(mlir::Value tensor) const;
  size_t getNumBlocks() const { return report.blocks.size(); }
  uint64_t getBlockBytes(uint32_t block) const {
    return report.blocks[block].plan.size;
  }
  bool isOpen(uint32_t block) const {
    return !report.blocks[block].unit.empty();
  }
  /// What is left of the product of a planned tensor's dynamic sizes without the open ones.
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
  /// For each lifetime, the first whose memory it has.
  std::vector<uint32_t> owners;
  llvm::DenseMap<mlir::Value, Place> places;
  MemoryReport report;
};

} // namespace invar

#endif // INVAR_LIB_PROGRAM_MEMORYLAYOUT_H
