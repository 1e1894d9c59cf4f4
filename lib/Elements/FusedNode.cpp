// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Node.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/MathExtras.h"

using namespace invar;

namespace {
/// Assembles a program from operands and their programs.
class ProgramBuilder {
public:
  /// Returns the number of the value that `operand` computes.
  unsigned addOperand(const NodeRef &operand);
  unsigned addStep(const ElementwiseFunction &function,
                   llvm::SmallVector<unsigned, 3> operands);
  NodeRef finish();

private:
  unsigned addInput(const NodeRef &input);
  void assignSlots();

  // While inputs are being added, steps are numbered from here on.
  static constexpr unsigned stepBase = 1u << 30;
  Program program;
  std::vector<NodeRef> inputs;
  llvm::DenseMap<Hash128, unsigned>
      steps; // The number of each step, by a hash of what it computes.
};
} // namespace

static bool isSameInput(const ElementsNode &a, const ElementsNode &b) {
  if (&a == &b)
    return true;
  const auto *viewA = llvm::dyn_cast<ViewNode>(&a);
  const auto *viewB = llvm::dyn_cast<ViewNode>(&b);
  return viewA && viewB && viewA->isSameAs(*viewB);
}

unsigned ProgramBuilder::addInput(const NodeRef &input) {
  for (auto [i, known] : llvm::enumerate(inputs))
    if (isSameInput(*known, *input))
      return unsigned(i);
  inputs.push_back(input);
  return unsigned(inputs.size() - 1);
}

unsigned ProgramBuilder::addStep(const ElementwiseFunction &function,
                                 llvm::SmallVector<unsigned, 3> operands) {
  Hasher key;
  key.add(function.getHash());
  for (unsigned number : operands)
    key.add(uint64_t(number));
  auto [known, isNew] = steps.try_emplace(
      key.finish(), stepBase + unsigned(program.steps.size()));
  if (isNew)
    program.steps.push_back({function, std::move(operands)});
  return known->second;
}

unsigned ProgramBuilder::addOperand(const NodeRef &operand) {
  const auto *fused = llvm::dyn_cast<FusedNode>(operand.get());
  if (!fused)
    return addInput(operand);
  llvm::SmallVector<unsigned, 16> numbers;
  for (const NodeRef &input : fused->getInputs())
    numbers.push_back(addInput(input));
  for (const Program::Step &step : fused->getProgram().steps) {
    llvm::SmallVector<unsigned, 3> operands;
    for (unsigned number : step.operands)
      operands.push_back(numbers[number]);
    numbers.push_back(addStep(step.function, std::move(operands)));
  }
  return numbers.back();
}

/// Assigns each result memory that is no longer read. The operands' memory is freed
/// only after the result's is chosen, so a result never overlaps its operands.
void ProgramBuilder::assignSlots() {
  std::vector<unsigned> lastUse(program.numInputs + program.steps.size(), 0);
  for (auto [i, step] : llvm::enumerate(program.steps))
    for (unsigned number : step.operands)
      lastUse[number] = unsigned(i);
  llvm::SmallVector<unsigned, 8> freeSlots;
  for (auto [i, step] : llvm::enumerate(program.steps)) {
    step.slot =
        freeSlots.empty() ? program.numSlots++ : freeSlots.pop_back_val();
    llvm::SmallVector<unsigned, 3> operands = step.operands;
    llvm::sort(operands);
    operands.erase(llvm::unique(operands), operands.end());
    for (unsigned number : operands)
      if (number >= program.numInputs && lastUse[number] == i)
        freeSlots.push_back(program.steps[number - program.numInputs].slot);
  }
}

NodeRef ProgramBuilder::finish() {
  program.numInputs = unsigned(inputs.size());
  Hasher hasher;
  hasher.add(uint64_t(program.numInputs));
  for (Program::Step &step : program.steps) {
    for (unsigned &number : step.operands)
      if (number >= stepBase)
        number = number - stepBase + program.numInputs;
    hasher.add(step.function.getHash()).add(uint64_t(step.operands.size()));
    for (unsigned number : step.operands)
      hasher.add(uint64_t(number));
    program.maxLane =
        std::max(program.maxLane, getLaneSize(step.function.getResultType()));
  }
  for (const NodeRef &input : inputs)
    program.maxLane = std::max(program.maxLane, getLaneSize(input->type));
  program.hash = hasher.finish();
  assignSlots();
  return std::make_shared<FusedNode>(
      std::make_shared<const Program>(std::move(program)), std::move(inputs));
}

NodeRef invar::makeFused(const ElementwiseFunction &function,
                         llvm::ArrayRef<NodeRef> operands) {
  ProgramBuilder builder;
  llvm::SmallVector<unsigned, 3> numbers;
  for (const NodeRef &operand : operands)
    numbers.push_back(builder.addOperand(operand));
  builder.addStep(function, std::move(numbers));
  return builder.finish();
}

FusedNode::FusedNode(std::shared_ptr<const Program> what,
                     std::vector<NodeRef> from)
    : ElementsNode(Kind::Fused, what->steps.back().function.getResultType(),
                   from.front()->shape, maxOver(from, &ElementsNode::depth) + 1,
                   llvm::SaturatingAdd(unsigned(what->steps.size()),
                                       sumOver(from, &ElementsNode::cost)),
                   llvm::SaturatingAdd(1u, sumOver(from, &ElementsNode::size))),
      program(std::move(what)), inputs(std::move(from)) {}

void FusedNode::read(int64_t begin, int64_t n, uint8_t *lanes,
                     Evaluation &ev) const {
  // A tile of the widest lane takes 8 KiB: a few of them fit the L1 cache.
  const int64_t tile = std::max<int64_t>(512, 8192 / int64_t(program->maxLane));
  const size_t slotSize = size_t(std::min(tile, n)) * program->maxLane;

  // Inputs with distant elements are read many tiles at a time.
  llvm::SmallVector<bool, 8> isAhead;
  for (const NodeRef &input : inputs)
    isAhead.push_back(input->preferredRead() > tile);
  int64_t ahead = std::max(tile, preferredRead() / tile * tile);
  ahead = std::min(ahead, n);

  Scratch::Frame frame(ev.scratch);
  llvm::SmallVector<uint8_t *, 8> inputMemory;
  for (auto [i, input] : llvm::enumerate(inputs))
    inputMemory.push_back(
        frame.take(size_t(isAhead[i] ? ahead : std::min(tile, n)) *
                   getLaneSize(input->type)));
  uint8_t *slots = frame.take(program->numSlots * slotSize);

  llvm::SmallVector<const void *, 16> values(inputs.size() +
                                             program->steps.size());
  llvm::SmallVector<const void *, 4> operands;
  for (int64_t done = 0; done < n; done += tile) {
    int64_t here = std::min(tile, n - done);
    for (auto [i, input] : llvm::enumerate(inputs)) {
      if (isAhead[i]) {
        int64_t within = done % ahead;
        if (within == 0)
          input->read(begin + done, std::min(ahead, n - done), inputMemory[i],
                      ev);
        values[i] = inputMemory[i] + size_t(within) * getLaneSize(input->type);
      } else if (const uint8_t *there = input->inPlace(begin + done, here)) {
        values[i] = there;
      } else {
        input->read(begin + done, here, inputMemory[i], ev);
        values[i] = inputMemory[i];
      }
    }
    for (auto [i, step] : llvm::enumerate(program->steps)) {
      operands.clear();
      for (unsigned number : step.operands)
        operands.push_back(values[number]);
      bool isLast = i + 1 == program->steps.size();
      uint8_t *result = isLast ? lanes + size_t(done) * getLaneSize(type)
                               : slots + step.slot * slotSize;
      step.function(operands, result, size_t(here));
      values[inputs.size() + i] = result;
    }
  }
}

int64_t FusedNode::preferredRead() const {
  int64_t preferred = 0;
  for (const NodeRef &input : inputs)
    preferred = std::max(preferred, input->preferredRead());
  return preferred;
}

void FusedNode::prepareInputs(Evaluation &ev) const {
  for (const NodeRef &input : inputs)
    input->prepare(ev);
}

NodeRef FusedNode::view(const ViewOp &op) const {
  // Keep repeated elements instead of computing them again for each position.
  bool repeats = op.kind == ViewOp::Expand && *countElements(op.shape) > count;
  if (!repeats && size <= maxSize) {
    std::vector<NodeRef> viewed;
    for (const NodeRef &input : inputs)
      viewed.push_back(input->view(op));
    // An input that strides cannot reshape becomes deferred, and thereby deeper. Then
    // it is better to read the result in order than each input.
    bool staysFlat =
        llvm::all_of(llvm::zip_equal(viewed, inputs), [](auto pair) {
          return std::get<0>(pair)->depth <= std::get<1>(pair)->depth;
        });
    if (staysFlat || op.kind != ViewOp::Reshape)
      return std::make_shared<FusedNode>(program, std::move(viewed));
  }
  return makeDeferred(shared_from_this(), shape, /*alwaysKeep=*/repeats)
      ->view(op);
}

Hash128 FusedNode::computeRecipe(const EvalOptions &options) const {
  Hasher hasher;
  hasher.add("fused").add(program->hash);
  for (const NodeRef &input : inputs)
    hasher.add(input->getRecipe(options));
  return hasher.finish();
}
