// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the loops of a nest that reduce.
//
// A float that is added to a much larger sum is rounded away, fully or in part. So a long
// sum that is carried through all of its terms drifts: a million terms of one sign lose
// three digits. Sums of floats are therefore sums of partial sums, each of at most
// `mostTerms` terms.
#include "NestWriter.h"

using namespace mlir;
using namespace invar;

using Values = KernelBuilder::Values;

/// The largest number of terms that are added to a partial sum, one after the other.
static constexpr int64_t mostTerms = 512;

/// The reductions of a group: the step, and the index of its output.
static SmallVector<std::pair<const NestStep *, unsigned>>
getReductions(const StepGroup &group) {
  SmallVector<std::pair<const NestStep *, unsigned>> all;
  for (const NestStep *step : group.steps)
    if (step->reductions.any())
      for (unsigned index = 0; index < step->getOutputs().size(); ++index)
        all.push_back({step, index});
  return all;
}

//===----------------------------------------------------------------------===//
// Partial results
//===----------------------------------------------------------------------===//

PartialResults PartialResults::get(const StepGroup &group) {
  PartialResults made;
  for (auto [step, index] : getReductions(group)) {
    std::optional<Combiner> combiner = getCombiner(*step, index);
    if (!combiner)
      return {};
    made.parts.push_back(
        {*combiner, getElementTypeOrSelf(step->operation->getResult(index))});
  }
  return made;
}

bool PartialResults::areSumsOfFloats() const {
  return llvm::any_of(parts, [](const Part &part) {
    return part.combiner.kind == arith::AtomicRMWKind::addf;
  });
}

Values PartialResults::getNeutral(KernelBuilder &b, unsigned lanes,
                                  size_t states) const {
  Values once;
  for (const Part &part : parts) {
    TypedAttr attribute = arith::getIdentityValueAttr(
        part.combiner.kind, part.element, b, b.getLoc());
    once.push_back(b.splat(arith::ConstantOp::create(b, attribute), lanes));
  }
  Values all;
  for (size_t state = 0; state < states; ++state)
    llvm::append_range(all, once);
  return all;
}

Values PartialResults::combine(KernelBuilder &b, ValueRange one,
                               ValueRange other) const {
  Values both;
  for (auto [number, pair] : llvm::enumerate(llvm::zip_equal(one, other)))
    both.push_back(arith::getReductionOp(
        parts[number % parts.size()].combiner.kind, b, b.getLoc(),
        std::get<0>(pair), std::get<1>(pair)));
  return both;
}

Values PartialResults::reduceLanes(KernelBuilder &b, ValueRange vectors) const {
  Values whole;
  for (auto [part, vector] : llvm::zip_equal(parts, vectors))
    whole.push_back(
        vector::ReductionOp::create(b, part.combiner.vectorKind, vector));
  return whole;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The number of iterations of a loop after which a partial sum is set aside, if an
/// iteration adds `terms` terms to it; none if that is never needed. A dynamic size may
/// be of any value.
static std::optional<int64_t> getBlock(const PartialResults &partial,
                                       int64_t iterations, int64_t terms) {
  if (!partial.areSumsOfFloats())
    return std::nullopt;
  if (ShapedType::isDynamic(terms) || terms >= mostTerms)
    return 1;
  int64_t block = mostTerms / std::max<int64_t>(terms, 1);
  if (!ShapedType::isDynamic(iterations) && iterations <= block)
    return std::nullopt;
  return block;
}

/// A loop that combines the results of its iterations in blocks of `block` iterations.
static Values loopInBlocks(KernelBuilder &b, const PartialResults &partial,
                           std::optional<int64_t> block, Value from, Value to,
                           int64_t step, ValueRange soFar, ValueRange neutral,
                           KernelBuilder::CarryingBody body) {
  if (!block)
    return b.loop(from, to, step, soFar, body);
  if (*block == 1)
    return b.loop(from, to, step, soFar, [&](Value index, ValueRange carried) {
      return partial.combine(b, carried, body(index, neutral));
    });
  int64_t length = *block * step;
  return b.loop(from, to, length, soFar, [&](Value first, ValueRange carried) {
    Value last = b.min(b.add(first, b.index(length)), to);
    return partial.combine(b, carried,
                           b.loop(first, last, step, neutral, body));
  });
}

/// The number of terms that the reduced loops inside of `depth` add to one sum. The loop
/// with vectors does not count: its lanes are combined before they are added.
int64_t NestWriter::countTerms(const StepGroup &group, unsigned depth) const {
  int64_t terms = 1;
  for (unsigned loop : ArrayRef(group.reduced).drop_front(depth + 1)) {
    if (loop == group.vectorLoop)
      continue;
    int64_t size = nest.getStaticSize(loop);
    if (ShapedType::isDynamic(size))
      return ShapedType::kDynamic;
    terms = std::min(terms * std::min(size, mostTerms), mostTerms);
  }
  return terms;
}

void NestWriter::writeReductions(const StepGroup &group,
                                 MutableArrayRef<State> states) {
  auto reductions = getReductions(group);
  Values soFar;
  for (State &state : states)
    for (auto [step, index] : reductions)
      soFar.push_back(
          b.splat(read(step->getOutputs()[index], state), state.lanes));
  soFar = writeReduced(group, 0, states, soFar);
  auto next = soFar.begin();
  for (State &state : states)
    for (auto [step, index] : reductions)
      write(step->operation->getResult(index), *next++, state);
}

Values NestWriter::writeReduced(const StepGroup &group, unsigned depth,
                                MutableArrayRef<State> states, Values soFar) {
  for (State &state : states)
    loadAhead(group, state);
  if (depth == group.reduced.size()) {
    Values next;
    size_t each = soFar.size() / states.size();
    for (auto [number, state] : llvm::enumerate(states))
      llvm::append_range(
          next,
          writePoint(group, state, ArrayRef(soFar).slice(number * each, each)));
    return next;
  }
  unsigned loop = group.reduced[depth];
  if (loop == group.vectorLoop)
    return writeReducedByVectors(group, loop, states.front(), soFar);
  PartialResults partial = PartialResults::get(group);
  std::optional<int64_t> block =
      getBlock(partial, nest.getStaticSize(loop), countTerms(group, depth));
  Values neutral;
  if (block)
    neutral = partial.getNeutral(b, states.front().lanes, states.size());
  return loopInBlocks(b, partial, block, b.index(0), nest.getSize(b, loop), 1,
                      soFar, neutral, [&](Value index, ValueRange carried) {
                        States inner(states.begin(), states.end());
                        for (State &state : inner)
                          state.indices[loop] = index;
                        return writeReduced(group, depth + 1, inner,
                                            llvm::to_vector_of<Value>(carried));
                      });
}

/// Computes several vectors of partial results, and combines them at the end.
Values NestWriter::writeReducedByVectors(const StepGroup &group, unsigned loop,
                                         const State &state, Values soFar) {
  const VectorShape &shape = group.vector;
  PartialResults partial = PartialResults::get(group);
  auto write = [&](Value from, Value to, unsigned lanes, unsigned count,
                   int64_t iterations, ValueRange init) {
    int64_t step = std::max(1u, lanes) * count;
    std::optional<int64_t> block = getBlock(partial, iterations, 1);
    return loopInBlocks(
        b, partial, block, from, to, step, init,
        partial.getNeutral(b, lanes, count),
        [&](Value index, ValueRange carried) {
          States states = makeStates(state, loop, index, lanes, count);
          return writeReduced(group, group.reduced.size(), states,
                              llvm::to_vector_of<Value>(carried));
        });
  };

  Value begin = b.index(0), end = nest.getSize(b, loop);
  Values sums = partial.getNeutral(b, shape.lanes, 1);
  auto advance = [&](unsigned count, int64_t iterations, ValueRange init) {
    Value step = b.index(shape.lanes * count);
    Value middle = b.add(begin, b.mul(b.div(b.sub(end, begin), step), step));
    Values made = write(begin, middle, shape.lanes, count, iterations, init);
    begin = middle;
    return made;
  };
  int64_t iterations = nest.getStaticSize(loop);
  if (!ShapedType::isDynamic(iterations))
    iterations /= shape.lanes * shape.unroll;
  if (shape.unroll > 1) {
    Values made = advance(shape.unroll, iterations,
                          partial.getNeutral(b, shape.lanes, shape.unroll));
    size_t each = sums.size();
    for (unsigned number = 0; number < shape.unroll; ++number)
      sums =
          partial.combine(b, sums, ArrayRef(made).slice(number * each, each));
    iterations = shape.unroll - 1;
  }
  sums = advance(1, iterations, sums);
  if (!isWhole(loop, shape.lanes) && !shape.hasScalarTail) {
    Value left = b.sub(end, begin);
    sums = b.ifThen(
        b.isLess(b.index(0), left),
        [&] {
          States states = makeStates(state, loop, begin, shape.lanes, 1,
                                     b.mask(left, shape.lanes));
          return writeReduced(group, group.reduced.size(), states, sums);
        },
        sums);
  }
  soFar = partial.combine(b, soFar, partial.reduceLanes(b, sums));
  if (!isWhole(loop, shape.lanes) && shape.hasScalarTail)
    soFar = write(begin, end, 0, 1, shape.lanes - 1, soFar);
  return soFar;
}
