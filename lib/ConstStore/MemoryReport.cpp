// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/ConstStore/MemoryReport.h"

#include "invar/Files/Printable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

using namespace invar;
using llvm::StringRef;

const ReportedBlock *MemoryReport::getStatic() const {
  return !blocks.empty() && blocks.front().unit.empty() ? &blocks.front()
                                                        : nullptr;
}
uint64_t MemoryReport::getSize() const {
  return getStatic() ? getStatic()->plan.size : 0;
}
uint64_t MemoryReport::getBound() const {
  return getStatic() ? getStatic()->plan.bound : 0;
}

uint64_t MemoryReport::getConstantBytes(bool areFolded) const {
  uint64_t bytes = 0;
  for (const ReportedConstant &constant : constants)
    bytes += constant.isFolded == areFolded ? constant.bytes : 0;
  return bytes;
}

static double getRatio(const MemoryPlan &plan) {
  return plan.bound ? double(plan.size) / double(plan.bound) : 1;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

/// A truncated name ends in an ellipsis, which has three bytes but takes one column.
static void printCell(llvm::raw_ostream &os, StringRef name, size_t width) {
  std::string cell = makePrintable(name, width);
  size_t places = cell.size() > width ? width : cell.size();
  os << cell << std::string(width - std::min(places, width) + 1, ' ');
}

static void printBlock(const ReportedBlock &block, llvm::raw_ostream &os) {
  if (!block.unit.empty())
    os << "\nbytes and offsets are times " << makePrintable(block.unit, 60)
       << "\n";
  os << "buffer           bytes          offset     first..last  in place of  "
        "made by                  node\n";
  for (auto [i, buffer] : llvm::enumerate(block.buffers)) {
    os << llvm::format(
        "%6zu %15llu %15llu %7u..%-7u", i, (unsigned long long)buffer.use.bytes,
        (unsigned long long)buffer.offset, buffer.use.first, buffer.use.last);
    if (buffer.inPlaceOf)
      os << llvm::format(" %11zu  ", *buffer.inPlaceOf);
    else
      os << std::string(14, ' ');
    printCell(os, buffer.maker, 24);
    os << makePrintable(buffer.node, 60) << "\n";
  }
  os << llvm::format("total %llu bytes, lower bound %llu, ratio %.3f",
                     (unsigned long long)block.plan.size,
                     (unsigned long long)block.plan.bound, getRatio(block.plan))
     << " (" << block.plan.order << ")\n";
}

void MemoryReport::print(llvm::raw_ostream &os) const {
  if (blocks.empty())
    os << "no memory is planned\n";
  for (const ReportedBlock &block : blocks)
    printBlock(block, os);
  os << "not planned: " << outputs << " outputs (" << outputBytes
     << " bytes of known sizes), " << open << " tensors, most of open sizes, "
     << nested << " in loops and branches\n";
  os << "constants: " << constants.size()
     << " in the order of their first use, " << getConstantBytes(false)
     << " bytes of the store and " << getConstantBytes(true)
     << " that the first run computes\n";
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

llvm::json::Object MemoryReport::toJson() const {
  using llvm::json::Array;
  using llvm::json::Object;
  Array open;
  size_t inPlace = 0, planned = 0;
  for (const ReportedBlock &block : blocks) {
    planned += block.buffers.size();
    inPlace += size_t(llvm::count_if(block.buffers, [](const auto &buffer) {
      return buffer.inPlaceOf.has_value();
    }));
    if (!block.unit.empty())
      open.push_back(Object{{"unit", llvm::json::fixUTF8(block.unit)},
                            {"bytes", int64_t(block.plan.size)},
                            {"bound", int64_t(block.plan.bound)},
                            {"buffers", int64_t(block.buffers.size())}});
  }
  return Object{{"bytes", int64_t(getSize())},
                {"bound", int64_t(getBound())},
                {"order", getStatic() ? getStatic()->plan.order : "none"},
                {"buffers", int64_t(planned)},
                {"in_place", int64_t(inPlace)},
                {"open_blocks", std::move(open)},
                {"outputs", int64_t(outputs)},
                {"output_bytes", int64_t(outputBytes)},
                {"not_planned", int64_t(this->open)},
                {"nested", int64_t(nested)},
                {"constants", int64_t(constants.size())},
                {"stored_bytes", int64_t(getConstantBytes(false))},
                {"folded_bytes", int64_t(getConstantBytes(true))}};
}
