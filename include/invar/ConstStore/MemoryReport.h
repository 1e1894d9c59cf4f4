// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports the memory of a program to people: as a table, and as a picture with time to
// the right and addresses upwards, in which every buffer is a box.
#ifndef INVAR_CONSTSTORE_MEMORYREPORT_H
#define INVAR_CONSTSTORE_MEMORYREPORT_H

#include "invar/ConstStore/MemoryPlan.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>

namespace invar {

/// A buffer with its offset in a block.
struct ReportedBuffer {
  /// The node that writes it, and the kernel or runtime function that does so.
  std::string node, maker;
  BufferUse use;
  uint64_t offset;
  /// The buffer whose memory it reuses.
  std::optional<size_t> inPlaceOf;
};

/// Buffers that were planned together. Bytes and offsets are multiples of `unit`, a
/// product of open sizes; it is empty for the block of static sizes.
struct ReportedBlock {
  std::string unit;
  std::vector<ReportedBuffer> buffers;
  MemoryPlan plan;
};

/// A constant of the store, or one that is computed at the first run. Both kinds are
/// ordered by first use.
struct ReportedConstant {
  uint64_t offset, bytes;
  uint32_t first;
  bool isFolded;
};

struct MemoryReport {
  std::vector<ReportedBlock> blocks;
  std::vector<ReportedConstant> constants;
  /// The number of steps of the program; all times are less.
  uint32_t steps = 0;
  /// The bytes of outputs with known sizes. The caller owns them, so they are in no
  /// block.
  uint64_t outputBytes = 0;
  /// The numbers of tensors that are allocated when needed: outputs; other tensors,
  /// mostly because their sizes are open and not comparable; and tensors that outlive a
  /// loop or branch, or have open sizes in it.
  size_t outputs = 0, open = 0, nested = 0;

  /// The block of all static sizes; null if there is none.
  const ReportedBlock *getStatic() const;
  /// The size of that block, and its lower bound.
  uint64_t getSize() const;
  uint64_t getBound() const;
  /// The bytes of constants of the store, or of those that the first run computes.
  uint64_t getConstantBytes(bool areFolded) const;

  void print(llvm::raw_ostream &os) const;
  void printPicture(llvm::raw_ostream &os) const;
  llvm::json::Object toJson() const;
};

} // namespace invar

#endif // INVAR_CONSTSTORE_MEMORYREPORT_H
