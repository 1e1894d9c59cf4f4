// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule.h"

#include "OperandView.h"
#include "StepBody.h"

using namespace mlir;
using namespace invar;

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// Whether a step can be computed in the loops of a group.
static bool canJoin(const LoopNest &nest, const StepGroup &group,
                    const NestStep &step) {
  const NestStep &first = *group.steps.front();
  if (first.loops != step.loops)
    return false;
  // Reductions of a group end together.
  for (const NestStep *other : group.steps)
    if (other->reductions.any() && step.reductions.any() &&
        other->reductions != step.reductions)
      return false;
  for (const NestOperand &operand : step.operands) {
    const NestStep *producer = nest.getProducer(operand.value);
    if (!producer || !group.contains(producer))
      continue;
    if (producer->reductions.any() ||
        operand.coordinates !=
            nest.getProducingOperand(operand.value).coordinates)
      return false;
  }
  return true;
}

static SmallVector<StepGroup> makeGroups(const LoopNest &nest) {
  SmallVector<StepGroup> groups;
  for (const NestStep &step : nest.getSteps()) {
    if (groups.empty() || !canJoin(nest, groups.back(), step))
      groups.emplace_back();
    groups.back().steps.push_back(&step);
  }
  for (StepGroup &group : groups)
    for (unsigned loop : group.steps.front()->loops.set_bits()) {
      if (nest.isShared(loop))
        continue;
      bool isReduced = llvm::any_of(
          group.steps, [&](auto *step) { return step->reductions[loop]; });
      (isReduced ? group.reduced : group.parallel).push_back(loop);
    }
  return groups;
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

namespace {
/// Evaluates the use of vectors along a loop, for one or more groups.
class Candidate {
public:
  Candidate(const LoopNest &nest, const CpuTarget &target,
            ArrayRef<const NestStep *> steps, std::optional<unsigned> loop);

  /// The cost in accesses and operations, for as many elements as fill a vector.
  unsigned getCost() const { return cost; }
  VectorShape getShape() const { return shape; }

private:
  Motion getMotion(const NestOperand &operand) const;
  void addAccess(Motion motion, Type element, bool isStore);
  void addStep(const NestStep &step);
  bool fits(const NestStep &step) const;

  const LoopNest &nest;
  const CpuTarget &target;
  std::optional<unsigned> loop;
  VectorShape shape;
  unsigned lanes, cost = 0, cycles = 0;
};
} // namespace

/// How an operand moves. Along a shared loop, tensors between steps are stored
/// contiguously.
Motion Candidate::getMotion(const NestOperand &operand) const {
  if (!operand.isTensor() || LoopNest::getSplat(operand.value))
    return Motion::None;
  if (nest.getProducer(operand.value) && nest.isShared(*loop))
    return Motion::Next;
  return ::invar::getMotion(operand, *loop);
}

void Candidate::addAccess(Motion motion, Type element, bool isStore) {
  if (motion == Motion::None)
    return;
  if (motion == Motion::Next) {
    cost += 1;
    Type memory = getMemoryType(element);
    if (memory.getIntOrFloatBitWidth() < target.leastMaskedBits)
      shape.hasScalarTail = true;
    return;
  }
  cost += isStore ? lanes * 2 : lanes;
  shape.hasScalarTail = true;
}

void Candidate::addStep(const NestStep &step) {
  Block &body = step.getBody();
  cycles += getBodyCost(step);
  cost += getBodyCost(step);
  for (auto [index, operand] : llvm::enumerate(step.operands))
    if (!body.getArgument(index).use_empty() && operand.dependsOn(*loop))
      addAccess(getMotion(operand), getElementTypeOrSelf(operand.value), false);
  for (const NestOperand &operand : step.getOutputs())
    if (operand.dependsOn(*loop))
      addAccess(getMotion(operand), getElementTypeOrSelf(operand.value), true);
  for (tensor::ExtractOp extract : body.getOps<tensor::ExtractOp>())
    if (!isUniform(step, extract.getResult(), *loop))
      addAccess(readsNext(step, extract, *loop) ? Motion::Next : Motion::Any,
                extract.getType(), false);
  if (mustNotGuess(step, *loop))
    shape.hasScalarTail = true;
}

/// Whether the step can use vectors along the loop at all.
bool Candidate::fits(const NestStep &step) const {
  if (!step.reductions[*loop])
    return true;
  return llvm::all_of(
      llvm::seq<unsigned>(step.getOutputs().size()),
      [&](unsigned index) { return getCombiner(step, index).has_value(); });
}

Candidate::Candidate(const LoopNest &nest, const CpuTarget &target,
                     ArrayRef<const NestStep *> steps,
                     std::optional<unsigned> loop)
    : nest(nest), target(target), loop(loop) {
  unsigned bits = 8;
  for (const NestStep *step : steps)
    bits = std::max(bits, getWidestBits(*step));
  lanes = target.getLanes(bits);
  auto isGood = [&](const NestStep *step) { return fits(*step); };
  if (!loop || lanes < 2 || !llvm::all_of(steps, isGood)) {
    // Element by element.
    for (const NestStep *step : steps)
      cost += lanes * (getBodyCost(*step) + step->operands.size());
    return;
  }
  shape.lanes = lanes;
  for (const NestStep *step : steps)
    addStep(*step);
  // Vectors that are not full process fewer elements.
  int64_t size = nest.getStaticSize(*loop);
  if (!ShapedType::isDynamic(size) && size > 0 && size < 16 * lanes) {
    uint64_t vectors = llvm::divideCeil(size, lanes);
    cost = cost * vectors * lanes / size;
  }
  // Short bodies wait for each other in reductions, and for memory otherwise: unroll
  // them.
  shape.unroll = cycles <= 10 ? 4 : cycles <= 20 ? 2 : 1;
}

namespace {
struct Choice {
  std::optional<unsigned> loop;
  VectorShape shape;
  unsigned cost;
};
} // namespace

/// The best choice: vectors along one of `loops`, or no vectors.
static Choice choose(const LoopNest &nest, const CpuTarget &target,
                     ArrayRef<const NestStep *> steps,
                     ArrayRef<unsigned> loops) {
  auto make = [&](std::optional<unsigned> loop) {
    Candidate candidate(nest, target, steps, loop);
    return Choice{loop, candidate.getShape(), candidate.getCost()};
  };
  Choice best = make(std::nullopt);
  // Among equals, choose the innermost: its writes are adjacent.
  for (unsigned loop : llvm::reverse(loops))
    if (Choice other = make(loop); other.cost < best.cost)
      best = other;
  return best;
}

/// Moves the loop with vectors after the others of its kind.
static void moveToEnd(SmallVectorImpl<unsigned> &loops,
                      std::optional<unsigned> loop) {
  if (!loop || !llvm::is_contained(loops, *loop))
    return;
  llvm::erase(loops, *loop);
  loops.push_back(*loop);
}

Schedule Schedule::get(const LoopNest &nest, const CpuTarget &target) {
  Schedule schedule;
  schedule.groups = makeGroups(nest);
  SmallVector<const NestStep *> all;
  for (const NestStep &step : nest.getSteps())
    all.push_back(&step);
  for (unsigned loop = 0; loop < nest.getNumLoops(); ++loop)
    if (nest.isShared(loop))
      schedule.shared.push_back(loop);

  Choice shared = choose(nest, target, all, schedule.shared);
  unsigned localCost = 0;
  bool hasLocal = false;
  for (StepGroup &group : schedule.groups) {
    if (!group.hasLocalLoops())
      continue;
    SmallVector<unsigned> loops = group.parallel;
    llvm::append_range(loops, group.reduced);
    Choice local = choose(nest, target, group.steps, loops);
    group.vectorLoop = local.loop;
    group.vector = local.shape;
    localCost += local.cost;
    hasLocal = true;
  }
  if (!hasLocal || shared.cost < localCost) {
    schedule.vectorLoop = shared.loop;
    schedule.vector = shared.shape;
    moveToEnd(schedule.shared, shared.loop);
    for (StepGroup &group : schedule.groups) {
      group.vectorLoop = std::nullopt;
      group.vector = {};
    }
  }
  for (StepGroup &group : schedule.groups) {
    moveToEnd(group.parallel, group.vectorLoop);
    moveToEnd(group.reduced, group.vectorLoop);
    unsigned lanes = std::max({1u, group.vector.lanes, schedule.vector.lanes});
    unsigned cycles = 0;
    for (const NestStep *step : group.steps)
      cycles += getBodyCost(*step);
    group.cost = std::max(1u, cycles * 16 / lanes);
  }
  return schedule;
}
