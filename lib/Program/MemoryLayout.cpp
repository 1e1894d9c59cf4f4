// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MemoryLayout.h"

#include "invar/Dialect/Const/Const.h"
#include "invar/Dialect/Runtime/Runtime.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace mlir;
using namespace invar;

MemoryLayout::MemoryLayout(func::FuncOp main)
    : sizes(main), lifetimes(main, sizes) {
  std::map<SmallVector<uint32_t, 3>, Members> byUnit;
  for (auto [i, lifetime] : llvm::enumerate(lifetimes.get())) {
    owners.push_back(lifetime.inPlaceOf ? owners[*lifetime.inPlaceOf]
                                        : uint32_t(i));
    byUnit[lifetime.bytes.open].push_back(uint32_t(i));
  }
  // The static block comes first: it has no open sizes.
  std::vector<Members> open;
  for (auto &[unit, members] : byUnit) {
    if (unit.empty())
      addBlock(members);
    else
      open.push_back(std::move(members));
  }
  report.steps = lifetimes.getNumSteps();
  if (areComparable(open))
    for (const Members &members : open)
      addBlock(members);
  countOthers(main);
}

const MemoryLayout::Place *MemoryLayout::find(Value tensor) const {
  auto found = places.find(tensor);
  return found == places.end() ? nullptr : &found->second;
}

uint64_t MemoryLayout::getFactorOfSizes(Value tensor) const {
  auto type = cast<RankedTensorType>(tensor.getType());
  uint64_t fixed = 1;
  for (int64_t size : type.getShape())
    fixed *= ShapedType::isDynamic(size) ? 1 : uint64_t(size);
  return sizes.getBytes(tensor)->factor / fixed /
         *Sizes::getBytesOfElement(type.getElementType());
}

/// One use for each piece of memory. It covers all tensors that take over this memory.
std::vector<BufferUse> MemoryLayout::getUses(const Members &members) const {
  llvm::MapVector<uint32_t, BufferUse> uses;
  for (uint32_t i : members) {
    const Lifetime &lifetime = lifetimes.get()[i];
    auto [use, isNew] =
        uses.try_emplace(owners[i], BufferUse{lifetime.bytes.factor,
                                              lifetime.first, lifetime.last});
    use->second.first = std::min(use->second.first, lifetime.first);
    use->second.last = std::max(use->second.last, lifetime.last);
  }
  auto each = llvm::make_second_range(uses);
  return {each.begin(), each.end()};
}

/// The product of a lifetime's open sizes, for sample sizes.
double MemoryLayout::getUnit(const Lifetime &lifetime) const {
  double unit = 1;
  for (uint32_t size : lifetime.bytes.open)
    unit *= double(std::max<int64_t>(sizes.getSample(size), 0));
  return unit;
}

bool MemoryLayout::areComparable(ArrayRef<Members> all) const {
  constexpr double most = 1.25;
  double apart = 0;
  std::vector<double> together(lifetimes.getNumSteps() + 1, 0);
  for (const Members &members : all) {
    double unit = getUnit(lifetimes.get()[members.front()]);
    std::vector<uint64_t> live = getLiveBytes(getUses(members));
    for (auto [time, bytes] : llvm::enumerate(live))
      together[time] += double(bytes) * unit;
    apart += double(*llvm::max_element(live)) * unit;
  }
  return apart <= most * *llvm::max_element(together);
}

/// The operation that computes a tensor: for an allocated tensor, the call that writes
/// it.
static Operation *findMaker(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  if (!isa<tensor::EmptyOp>(op))
    return op;
  for (Operation *user : tensor.getUsers()) {
    if (auto cast = dyn_cast<tensor::CastOp>(user); cast && !cast->use_empty())
      user = *cast->user_begin();
    if (isa<func::CallOp>(user))
      return user;
  }
  return op;
}

static std::string describeMaker(Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return call.getCallee().str();
  if (auto call = dyn_cast<rt::CallOp>(op))
    return call.getCallee().str();
  if (isa<constants::DecodeOp>(op))
    return "Decode";
  return isa<tensor::ConcatOp>(op) ? "Concat" : "numbers";
}

void MemoryLayout::addBlock(const Members &members) {
  ReportedBlock block;
  ArrayRef<Lifetime> all = lifetimes.get();
  block.unit = llvm::join(
      llvm::map_range(all[members.front()].bytes.open,
                      [&](uint32_t open) { return sizes.getName(open); }),
      " * ");
  block.plan = planMemory(getUses(members));
  llvm::DenseMap<uint32_t, uint64_t> offsets;
  llvm::DenseMap<uint32_t, size_t> rows;
  for (uint32_t i : members)
    offsets.try_emplace(owners[i], offsets.size());
  auto number = uint32_t(report.blocks.size());
  for (uint32_t i : members) {
    const Lifetime &lifetime = all[i];
    uint64_t offset = block.plan.offsets[offsets[owners[i]]];
    places[lifetime.tensor] = {number, offset};
    Operation *maker = findMaker(lifetime.tensor);
    auto node = dyn_cast<NameLoc>(maker->getLoc());
    std::optional<size_t> inPlaceOf;
    if (lifetime.inPlaceOf)
      inPlaceOf = rows[*lifetime.inPlaceOf];
    rows[i] = block.buffers.size();
    block.buffers.push_back(
        {node ? node.getName().str() : "",
         describeMaker(maker),
         {lifetime.bytes.factor, lifetime.first, lifetime.last},
         offset,
         inPlaceOf});
  }
  report.blocks.push_back(std::move(block));
}

/// Counts the tensors that are allocated when they are needed.
void MemoryLayout::countOthers(func::FuncOp main) {
  Block &body = main.getBody().front();
  main.walk([&](Operation *op) {
    if (!isa<tensor::EmptyOp, tensor::ConcatOp, constants::DecodeOp,
             rt::CallOp>(op))
      return;
    for (Value result : op->getResults()) {
      if (places.contains(result) || !isa<TensorType>(result.getType()))
        continue;
      if (op->getBlock() != &body)
        ++report.nested;
      else if (!lifetimes.escapes(result))
        ++report.open;
    }
  });
  report.outputs = body.getTerminator()->getNumOperands();
  for (Value output : body.getTerminator()->getOperands()) {
    auto bytes = sizes.getBytes(output);
    if (bytes && bytes->open.empty())
      report.outputBytes += bytes->factor;
  }
}
