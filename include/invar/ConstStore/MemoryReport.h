// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What became of a program's memory, for people: a table, and a picture with time to the
// right and addresses upwards, in which every buffer is a box.
#ifndef INVAR_CONSTSTORE_MEMORYREPORT_H
#define INVAR_CONSTSTORE_MEMORYREPORT_H

#include "invar/ConstStore/MemoryPlan.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>

namespace invar {

/// A buffer that has a place in a block.
struct ReportedBuffer {
  /// The node that makes it, and what does so: a kernel, or a function of the runtime.
  std::string node, maker;
  BufferUse use;
  uint64_t offset;
  /// The buffer whose memory it takes over.
  std::optional<size_t> inPlaceOf;
};

/// Buffers that were planned together. Bytes and offsets are times `unit`, a product of
/// sizes that are open; of all that is static it is empty.
struct ReportedBlock {
  std::string unit;
  std::vector<ReportedBuffer> buffers;
  MemoryPlan plan;
};

/// A constant of the store, or one that is computed at the first run; in both ranges they
/// lie in the order of their first use.
struct ReportedConstant {
  uint64_t offset, bytes;
  uint32_t first;
  bool isFolded;
};

struct MemoryReport {
  std::vector<ReportedBlock> blocks;
  std::vector<ReportedConstant> constants;
  /// How many steps the program has: times go up to it.
  uint32_t steps = 0;
  /// Bytes of outputs whose sizes are known: they are the caller's, and in no block.
  uint64_t outputBytes = 0;
  /// What is allocated when it is needed: outputs; other tensors, most of them since their
  /// sizes are open and not comparable; and what outlives a loop or branch, or is open there.
  size_t outputs = 0, open = 0, nested = 0;

  /// The block of all that is static; null where nothing is.
  const ReportedBlock *getStatic() const;
  /// Its bytes, and its lower bound.
  uint64_t getSize() const;
  uint64_t getBound() const;
  /// Those of constants of the store, or of those that are computed.
  uint64_t getConstantBytes(bool areFolded) const;

  void print(llvm::raw_ostream &os) const;
  void printPicture(llvm::raw_ostream &os) const;
  llvm::json::Object toJson() const;
};

} // namespace invar

#endif // INVAR_CONSTSTORE_MEMORYREPORT_H
