// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NestWriter.h"

using namespace mlir;
using namespace invar;

using Values = KernelBuilder::Values;

/// The intended cost of a unit, and the least cost of a range of units, in sixteenths of
/// cycles. Units are small enough that threads end together; ranges are long compared
/// with waking a thread.
static constexpr int64_t unitWork = 16 * 8192, rangeWork = 16 * 32768;

NestWriter::NestWriter(KernelBuilder &builder, const LoopNest &nest,
                       const Schedule &schedule)
    : b(builder), nest(nest), schedule(schedule) {
  layOutScratch();
}

//===----------------------------------------------------------------------===//
// Units and memory
//===----------------------------------------------------------------------===//

UnitTiling NestWriter::makeTiling() {
  UnitTiling tiling;
  tiling.work = b.index(0);
  for (const StepGroup &group : schedule.groups) {
    Value cost = b.index(group.cost);
    for (auto *loops : {&group.parallel, &group.reduced})
      for (unsigned loop : *loops)
        cost = b.mul(cost, nest.getSize(b, loop));
    tiling.work = b.add(tiling.work, cost);
  }
  size_t count = schedule.shared.size();
  tiling.sizes.resize(count);
  tiling.tiles.resize(count);
  tiling.counts.resize(count);
  for (size_t depth = count; depth-- > 0;) {
    unsigned loop = schedule.shared[depth];
    Value size = tiling.sizes[depth] = nest.getSize(b, loop);
    Value tile = b.ceilDiv(b.index(unitWork), b.max(tiling.work, b.index(1)));
    if (loop == schedule.vectorLoop) {
      // All tiles but the last consist of several whole vectors, on each processor.
      Value step = b.index(256);
      tile = b.mul(b.ceilDiv(tile, step), step);
    }
    tile = tiling.tiles[depth] = b.max(b.min(tile, size), b.index(1));
    tiling.counts[depth] = b.ceilDiv(size, tile);
    tiling.work = b.mul(tiling.work, tile);
  }
  return tiling;
}

/// Whether a tensor that a step of the group computes is read from scratch memory later.
bool NestWriter::needsScratch(const StepGroup &group, Value tensor) const {
  if (!nest.getTargets(tensor).empty())
    return false;
  llvm::SmallBitVector loops =
      nest.getProducingOperand(tensor).getLoops(nest.getNumLoops());
  return llvm::any_of(loops.set_bits(),
                      [&](unsigned loop) { return !nest.isShared(loop); }) &&
         llvm::any_of(tensor.getUsers(), [&](Operation *user) {
           return llvm::none_of(group.steps, [&](const NestStep *step) {
             return step->operation == user;
           });
         });
}

void NestWriter::layOutScratch() {
  scratchSize = b.index(0);
  for (const StepGroup &group : schedule.groups)
    for (const NestStep *step : group.steps)
      for (Value tensor : step->operation->getResults()) {
        if (!needsScratch(group, tensor))
          continue;
        Scratch &place = scratch[tensor];
        place.offset = scratchSize;
        // Only axes that vary within a unit, for all points that are processed at once.
        Values sizes;
        unsigned before = 0;
        for (const Coordinate &axis :
             nest.getProducingOperand(tensor).coordinates) {
          Value size = b.index(1);
          for (; before <= axis.axis; ++before)
            size = b.mul(size, b.getSize(tensor, before));
          auto isShared = [&](unsigned loop) {
            return nest.isShared(loop) && axis.place.isFunctionOfDim(loop);
          };
          if (llvm::any_of(schedule.shared, isShared))
            continue;
          sizes.push_back(size);
          place.coordinates.push_back(axis);
        }
        const VectorShape &vector = schedule.vector;
        Value points =
            b.index(std::max(1u, vector.lanes) * std::max(1u, vector.unroll));
        for (Value stride : b.getStrides(sizes))
          place.strides.push_back(b.mul(stride, points));
        Type memory = getMemoryType(getElementTypeOrSelf(tensor));
        Value bytes = b.mul(b.mul(b.product(sizes), points),
                            b.index(memory.getIntOrFloatBitWidth() / 8));
        scratchSize = b.add(scratchSize, b.alignScratch(bytes));
      }
}

KernelPlan NestWriter::writePlan() {
  UnitTiling tiling = makeTiling();
  Value work = b.max(tiling.work, b.index(1));
  return {b.product(tiling.counts), b.ceilDiv(b.index(rangeWork), work),
          scratchSize};
}

//===----------------------------------------------------------------------===//
// Views of operands
//===----------------------------------------------------------------------===//

OperandView NestWriter::makeScratchView(Value tensor,
                                        const NestOperand &operand) {
  const Scratch &place = scratch.find(tensor)->second;
  SmallVector<Coordinate> coordinates;
  for (const Coordinate &local : place.coordinates)
    for (const Coordinate &coordinate : operand.coordinates)
      if (coordinate.axis == local.axis)
        coordinates.push_back(coordinate);
  Type element = getElementTypeOrSelf(tensor);
  OperandView view(b.getScratch(element, place.offset), element, coordinates,
                   place.strides, b.index(0));
  if (schedule.vectorLoop)
    view.setContiguous(b.index(schedule.vector.lanes));
  return view;
}

void NestWriter::makeReadView(const NestOperand &operand) {
  Value tensor = operand.value;
  if (!operand.isTensor() || LoopNest::getSplat(tensor) ||
      tensor.getDefiningOp<tensor::EmptyOp>())
    return;
  if (!nest.getProducer(tensor))
    reads.emplace(&operand, OperandView::ofArgument(b, operand));
  else if (SmallVector<Value> targets = nest.getTargets(tensor);
           !targets.empty())
    reads.emplace(&operand,
                  OperandView::ofArgument(b, operand, targets.front()));
  else if (scratch.contains(tensor))
    reads.emplace(&operand, makeScratchView(tensor, operand));
}

/// Views are made before the loops, so that all loops can use them.
void NestWriter::makeViews() {
  for (const NestStep &step : nest.getSteps()) {
    for (const NestOperand &operand : step.operands)
      makeReadView(operand);
    for (auto [tensor, operand] :
         llvm::zip_equal(step.operation->getResults(), step.getOutputs())) {
      for (Value target : nest.getTargets(tensor))
        writes[tensor].push_back(OperandView::ofArgument(b, operand, target));
      if (scratch.contains(tensor))
        writes[tensor].push_back(makeScratchView(tensor, operand));
    }
  }
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void NestWriter::writeRun() {
  UnitTiling tiling = makeTiling();
  makeViews();
  b.loop(b.getFrom(), b.getTo(), 1, [&](Value unit) {
    State state;
    state.indices.resize(nest.getNumLoops());
    writeShared(tiling, b.delinearize(unit, tiling.counts), 0, state);
  });
}

void NestWriter::writeShared(const UnitTiling &tiling, ArrayRef<Value> unit,
                             unsigned depth, State &state) {
  for (const StepGroup &group : schedule.groups)
    loadAhead(group, state);
  if (depth == schedule.shared.size()) {
    for (const StepGroup &group : schedule.groups)
      writeParallel(group, 0, state);
    return;
  }
  unsigned loop = schedule.shared[depth];
  Value begin = b.mul(unit[depth], tiling.tiles[depth]);
  Value end = b.min(b.add(begin, tiling.tiles[depth]), tiling.sizes[depth]);
  if (loop == schedule.vectorLoop) {
    alongVectors(begin, end, loop, schedule.vector, state,
                 [&](MutableArrayRef<State> states) {
                   for (const StepGroup &group : schedule.groups)
                     writeParallel(group, 0, states);
                 });
    return;
  }
  auto writeInner = [&](Value index) {
    State inner = state;
    inner.indices[loop] = index;
    writeShared(tiling, unit, depth + 1, inner);
  };
  if (isConstantIntValue(tiling.tiles[depth], 1))
    writeInner(begin);
  else
    b.loop(begin, end, 1, writeInner);
}

/// Whether vectors along the loop are always full.
bool NestWriter::isWhole(unsigned loop, unsigned lanes) const {
  int64_t size = nest.getStaticSize(loop);
  return !ShapedType::isDynamic(size) && size % lanes == 0;
}

NestWriter::States NestWriter::makeStates(const State &state, unsigned loop,
                                          Value index, unsigned lanes,
                                          unsigned count, Value mask) {
  States states(count, state);
  for (auto [number, made] : llvm::enumerate(states)) {
    made.indices[loop] = b.add(index, b.index(number * lanes));
    made.vectorLoop = loop;
    made.lanes = lanes;
    made.mask = mask;
    made.slot = number;
  }
  return states;
}

void NestWriter::alongVectors(
    Value begin, Value end, unsigned loop, const VectorShape &shape,
    const State &state, llvm::function_ref<void(MutableArrayRef<State>)> body) {
  auto write = [&](Value from, Value to, unsigned lanes, unsigned count) {
    b.loop(from, to, std::max(1u, lanes) * count, [&](Value index) {
      body(makeStates(state, loop, index, lanes, count));
    });
  };
  if (!shape.lanes)
    return write(begin, end, 0, 1);
  auto writeWhole = [&](unsigned count) {
    Value step = b.index(shape.lanes * count);
    Value middle = b.add(begin, b.mul(b.div(b.sub(end, begin), step), step));
    write(begin, middle, shape.lanes, count);
    begin = middle;
  };
  if (shape.unroll > 1)
    writeWhole(shape.unroll);
  writeWhole(1);
  if (isWhole(loop, shape.lanes))
    return;
  if (shape.hasScalarTail)
    return write(begin, end, 0, 1);
  Value left = b.sub(end, begin);
  Value any = b.isLess(b.index(0), left);
  b.ifThen(any, [&] {
    body(makeStates(state, loop, begin, shape.lanes, 1,
                    b.mask(left, shape.lanes)));
  });
}

void NestWriter::writeParallel(const StepGroup &group, unsigned depth,
                               MutableArrayRef<State> states) {
  for (State &state : states)
    loadAhead(group, state);
  if (depth == group.parallel.size())
    return writeReductions(group, states);
  unsigned loop = group.parallel[depth];
  Value size = nest.getSize(b, loop);
  if (loop == group.vectorLoop)
    return alongVectors(
        b.index(0), size, loop, group.vector, states.front(),
        [&](MutableArrayRef<State> inner) { writeReductions(group, inner); });
  b.loop(b.index(0), size, 1, [&](Value index) {
    States inner(states.begin(), states.end());
    for (State &state : inner)
      state.indices[loop] = index;
    writeParallel(group, depth + 1, inner);
  });
}

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

/// Writes the bodies of a group's steps. Takes and returns the partial results of its
/// reductions.
Values NestWriter::writePoint(const StepGroup &group, State &state,
                              ArrayRef<Value> soFar) {
  Values next;
  for (const NestStep *step : group.steps) {
    Block &body = step->getBody();
    bool isReduction = step->reductions.any();
    Values arguments;
    for (auto [operand, argument] :
         llvm::zip_equal(step->operands, body.getArguments())) {
      bool isOutput = arguments.size() >= step->getInputs().size();
      if (isReduction && isOutput)
        arguments.push_back(
            soFar[next.size() + arguments.size() - step->getInputs().size()]);
      else if (argument.use_empty())
        arguments.push_back(b.zero(argument.getType()));
      else
        arguments.push_back(read(operand, state));
    }
    auto index = [&](int64_t dim) {
      return getIndex(step->iterators[dim], state);
    };
    auto extract = [&](tensor::ExtractOp op, ValueRange indices) {
      return this->extract(*step, op, indices, state);
    };
    Values results = cloneBody(b, body, arguments, {index, extract});
    for (auto [number, result] : llvm::enumerate(results)) {
      if (!isReduction) {
        write(step->operation->getResult(number), result, state);
        continue;
      }
      Value before = soFar[next.size()];
      Value after = b.splat(result, getLanes(before));
      // Inactive lanes keep their previous value.
      if (state.mask && group.vectorLoop && step->reductions[*group.vectorLoop])
        after = arith::SelectOp::create(b, state.mask, after, before);
      next.push_back(after);
    }
  }
  return next;
}

/// Loads all operands of the group that do not change in further loops.
void NestWriter::loadAhead(const StepGroup &group, State &state) {
  for (const NestStep *step : group.steps)
    for (auto [operand, argument] :
         llvm::zip_equal(step->operands, step->getBody().getArguments())) {
      if (argument.use_empty() || !operand.isTensor() ||
          nest.getProducer(operand.value) || !reads.count(&operand) ||
          state.loaded.contains(&operand) ||
          !state.knows(operand.getLoops(nest.getNumLoops())))
        continue;
      state.loaded[&operand] = reads.at(&operand).load(b, state);
    }
}

Value NestWriter::read(const NestOperand &operand, State &state) {
  if (!operand.isTensor())
    return b.getScalar(operand.value);
  if (Value splat = LoopNest::getSplat(operand.value))
    return b.getScalar(splat);
  if (Value computed = state.computed.lookup(operand.value))
    return computed;
  if (Value loaded = state.loaded.lookup(&operand))
    return loaded;
  auto view = reads.find(&operand);
  // An operand that was never written can have any value.
  return view == reads.end() ? b.zero(getElementTypeOrSelf(operand.value))
                             : view->second.load(b, state);
}

void NestWriter::write(Value tensor, Value value, State &state) {
  state.computed[tensor] = value;
  for (const OperandView &view : writes[tensor])
    view.store(b, value, state);
}

Value NestWriter::getIndex(unsigned loop, const State &state) {
  Value index = state.indices[loop];
  if (!index) // The loop has size 1.
    return b.index(0);
  if (!state.lanes || state.vectorLoop != loop)
    return index;
  auto type = cast<VectorType>(getRegisterType(b.getIndexType(), state.lanes));
  return b.add(b.splat(index, state.lanes), vector::StepOp::create(b, type));
}

/// An element that a body extracts from an argument, at indices that it has computed.
Value NestWriter::extract(const NestStep &step, tensor::ExtractOp op,
                          ValueRange indices, const State &state) {
  Value tensor = op.getTensor();
  Type element = op.getType();
  Value buffer = b.getBuffer(tensor);
  Values strides = b.getStrides(b.getSizes(tensor));
  unsigned lanes = 0;
  for (Value index : indices)
    lanes = std::max(lanes, getLanes(index));
  if (!lanes)
    return b.load(buffer, b.offset(llvm::to_vector_of<Value>(indices), strides),
                  element);
  if (readsNext(step, op, *state.vectorLoop)) {
    Values first = llvm::to_vector_of<Value>(indices);
    first.back() = vector::ExtractOp::create(b, first.back(), 0);
    return b.loadVector(buffer, b.offset(first, strides), element, lanes,
                        state.mask);
  }
  Value offsets = b.splat(b.index(0), lanes);
  for (auto [index, stride] : llvm::zip_equal(indices, strides))
    offsets =
        b.add(offsets, b.mul(b.splat(index, lanes), b.splat(stride, lanes)));
  Values elements;
  for (unsigned lane = 0; lane < lanes; ++lane)
    elements.push_back(
        b.load(buffer, vector::ExtractOp::create(b, offsets, lane), element));
  return vector::FromElementsOp::create(
      b, cast<VectorType>(getRegisterType(element, lanes)), elements);
}
