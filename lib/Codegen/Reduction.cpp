// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Reduction.h"

#include "Instructions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace invar;

using Values = KernelBuilder::Values;

static Value compare(KernelBuilder &builder, arith::CmpIPredicate predicate,
                     Value lhs, Value rhs) {
  return arith::CmpIOp::create(builder, predicate, lhs, rhs);
}

static Value makeAnd(KernelBuilder &builder, Value lhs, Value rhs) {
  return lhs ? Value(arith::AndIOp::create(builder, lhs, rhs)) : rhs;
}

/// Whether a position is on an axis. As an unsigned number, a position before it is
/// large.
static Value isOnAxis(KernelBuilder &builder, Value position, Value size) {
  return compare(builder, arith::CmpIPredicate::ult, position, size);
}

Reduction::Reduction(KernelBuilder &builder, const Contraction &contraction,
                     const Tiling &tiling, ArrayRef<Value> loopSizes)
    : builder(builder), contraction(contraction), tiling(tiling),
      sizes(loopSizes) {
  const Access &access = contraction.left.access;
  left = access.getWalk(builder);
  for (auto [index, axis] : llvm::enumerate(access.getAxes())) {
    if (!axis.isBordered)
      continue;
    Value size = builder.getSize(access.getTensor(), index);
    bordered.push_back({unsigned(index), size, findOrder(axis)});
  }
}

/// Rows are numbered through all their loops. The rows of a tile ascend along an axis
/// unless the loop that moves the axis restarts within the tile. `each` rows have the
/// same index in that loop, and the loop restarts after `all` rows. If it restarts within
/// a tile whose last row is not before the first one, the tile has at least `all - each +
/// 2` rows. Returns null if rows go back and forth in most tiles, or if several loops
/// move the axis.
Value Reduction::findOrder(const Access::Axis &axis) {
  auto moves = [&](unsigned loop) { return axis.steps[loop] != 0; };
  const LoopGroup *mover = nullptr;
  Value each = builder.index(1), all;
  for (const LoopGroup &group : llvm::reverse(contraction.rows)) {
    if (llvm::none_of(group, moves)) {
      if (!mover)
        each = builder.mul(each, getSize(group));
      continue;
    }
    if (mover || group.size() != 1 || axis.steps[group.back()] < 0)
      return nullptr;
    mover = &group;
    all = builder.mul(each, getSize(group));
  }
  if (!mover) // All rows are at one position.
    return arith::ConstantIntOp::create(builder, builder.getI1Type(), 1);
  if (mover == &contraction.rows.back())
    return nullptr;
  return compare(builder, arith::CmpIPredicate::sge,
                 builder.add(builder.sub(all, each), builder.index(1)),
                 builder.index(tiling.rows));
}

Value Reduction::getSize(const LoopGroup &group) {
  Value size = builder.index(1);
  for (unsigned loop : group)
    size = builder.mul(size, sizes[loop]);
  return size;
}

Value Reduction::getSpan() {
  Value span = builder.index(1);
  for (const LoopGroup &group :
       ArrayRef(contraction.reduced).drop_front(contraction.taps)) {
    Value last = builder.sub(getSize(group), builder.index(1));
    span = builder.add(span, builder.mul(last, left.steps[group.back()]));
  }
  return span;
}

void Reduction::move(LeftRow &row, unsigned loop, Value iterations) {
  ArrayRef<Access::Axis> axes = contraction.left.access.getAxes();
  row.offset =
      builder.add(row.offset, builder.mul(iterations, left.steps[loop]));
  for (auto [position, axis] : llvm::zip_equal(row.positions, bordered)) {
    Value step = builder.index(axes[axis.axis].steps[loop]);
    position = builder.add(position, builder.mul(iterations, step));
  }
}

Value Reduction::isInside(const LeftRow &row) {
  Value all;
  for (auto [position, axis] : llvm::zip_equal(row.positions, bordered))
    all = makeAnd(builder, all, isOnAxis(builder, position, axis.size));
  return all;
}

Value Reduction::getInnerSize() {
  return contraction.getInnerLoop() ? getSize(contraction.reduced.back())
                                    : builder.index(1);
}

Value Reduction::getInnerPairs() {
  return builder.ceilDiv(getInnerSize(), builder.index(2));
}

Value Reduction::getPairs() {
  Value pairs = getInnerPairs();
  for (const LoopGroup &group :
       ArrayRef(contraction.reduced).take_front(contraction.getOuterLevels()))
    pairs = builder.mul(pairs, getSize(group));
  return pairs;
}

/// The number of elements in a cache line.
int64_t Reduction::getLine() const {
  return 8 * builder.getTarget().lineBytes /
         contraction.getSumType().getIntOrFloatBitWidth();
}

/// The number of iterations of the innermost loop that are unrolled. Each round
/// prefetches one line: so few that urgent loads need not wait for prefetches.
int64_t Reduction::getUnroll(const LoopGroup &group) {
  std::optional<int64_t> size = getConstantIntValue(getSize(group));
  return size && *size >= 8 ? 4 : 1;
}

int64_t Reduction::getTilesThatFetch() {
  int64_t unroll = getUnroll(contraction.reduced.back());
  int64_t width = std::max(tiling.panel, tiling.getStrip());
  return std::max<int64_t>(1, width * unroll / getLine());
}

Values Reduction::write(ArrayRef<LeftRow> rows, const RightStrip &strip,
                        unsigned vectors, Values sums, Iterations block,
                        Value ahead) {
  Job job{rows,
          strip,
          vectors,
          block,
          ahead,
          contraction.reduced,
          contraction.taps};
  if (tiling.pairs)
    return reducePairs(job, std::move(sums));
  State state{builder.index(0), Values(bordered.size(), builder.index(0)),
              strip.offset};
  if (!tiling.hasInside)
    return reduce(job, 0, state, std::move(sums));
  Job insideJob = job;
  insideJob.groups = contraction.reducedInside;
  insideJob.taps = 0;
  insideJob.isInside = true;
  Value inside = areInside(rows);
  Value outside = arith::XOrIOp::create(
      builder, inside,
      arith::ConstantIntOp::create(builder, builder.getI1Type(), 1));
  sums = builder.ifThen(
      inside, [&] { return reduce(insideJob, 0, state, sums); }, sums);
  return builder.ifThen(
      outside, [&] { return reduce(job, 0, state, sums); }, sums);
}

//===----------------------------------------------------------------------===//
// Borders
//===----------------------------------------------------------------------===//

/// Whether all taps of all rows are inside.
Value Reduction::areInside(ArrayRef<LeftRow> rows) {
  ArrayRef<Access::Axis> axes = contraction.left.access.getAxes();
  Value all;
  for (auto [index, axis] : llvm::enumerate(bordered)) {
    Value reach = builder.index(0);
    for (const LoopGroup &group :
         ArrayRef(contraction.reduced).take_front(contraction.taps)) {
      Value last = builder.sub(getSize(group), builder.index(1));
      Value step = builder.index(axes[axis.axis].steps[group.back()]);
      reach = builder.add(reach, builder.mul(last, step));
    }
    for (const LeftRow &row : rows)
      for (Value position :
           {row.positions[index], builder.add(row.positions[index], reach)})
        all = makeAnd(builder, all, isOnAxis(builder, position, axis.size));
  }
  return all;
}

/// Skips iterations in which no row is inside.
Iterations Reduction::clipTaps(const Job &job, unsigned loop,
                               const State &state, Iterations range) {
  ArrayRef<Access::Axis> axes = contraction.left.access.getAxes();
  Value zero = builder.index(0);
  for (auto [index, axis] : llvm::enumerate(bordered)) {
    int64_t step = axes[axis.axis].steps[loop];
    if (step <= 0 || !axis.isOrdered)
      continue;
    Value first =
        builder.add(job.rows.front().positions[index], state.positions[index]);
    Value last =
        builder.add(job.rows.back().positions[index], state.positions[index]);
    // If a tile reaches into another image, rows in between may be anywhere.
    Value isOrdered =
        makeAnd(builder, axis.isOrdered,
                compare(builder, arith::CmpIPredicate::sle, first, last));
    Value by = builder.index(step);
    Value before = builder.max(zero, builder.sub(zero, last));
    Value until = builder.max(zero, builder.sub(axis.size, first));
    auto clip = [&](Value bound, Value otherwise) {
      return arith::SelectOp::create(builder, isOrdered,
                                     builder.ceilDiv(bound, by), otherwise);
    };
    range.begin = builder.max(range.begin, clip(before, range.begin));
    range.end = builder.min(range.end, clip(until, range.end));
  }
  return range;
}

/// The source of each row: the left operand, or the memory with the border's value.
SmallVector<Reduction::Source> Reduction::getSources(const Job &job,
                                                     const State &state) {
  SmallVector<Source> sources;
  for (const LeftRow &row : job.rows) {
    Source source{left.buffer, builder.add(row.offset, state.left)};
    Value isInside;
    for (auto [index, axis] : llvm::enumerate(bordered)) {
      if (job.isInside)
        break;
      Value position =
          builder.add(row.positions[index], state.positions[index]);
      isInside =
          makeAnd(builder, isInside, isOnAxis(builder, position, axis.size));
    }
    if (isInside) {
      source.buffer =
          arith::SelectOp::create(builder, isInside, source.buffer, border);
      source.offset = arith::SelectOp::create(builder, isInside, source.offset,
                                              builder.index(0));
    }
    sources.push_back(source);
  }
  return sources;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The `state` in an iteration of a loop.
Reduction::State Reduction::advance(const State &state, const RightStrip &strip,
                                    unsigned loop, Value iteration) {
  ArrayRef<Access::Axis> axes = contraction.left.access.getAxes();
  auto move = [&](Value from, Value step) {
    return builder.add(from, builder.mul(iteration, step));
  };
  State next{move(state.left, left.steps[loop]),
             {},
             move(state.right, strip.steps[loop])};
  for (auto [position, axis] : llvm::zip_equal(state.positions, bordered))
    next.positions.push_back(
        move(position, builder.index(axes[axis.axis].steps[loop])));
  return next;
}

Values Reduction::reduce(const Job &job, unsigned level, const State &state,
                         Values sums) {
  unsigned levels = job.groups.size();
  if (level == levels)
    return addProducts(job, getSources(job, state), builder.index(0),
                       state.right, std::move(sums));
  unsigned loop = job.groups[level].back();
  Iterations range{builder.index(0), getSize(job.groups[level])};
  if (level == 0 && job.block.begin)
    range = job.block;
  if (level < job.taps && contraction.hasNeutralBorder)
    range = clipTaps(job, loop, state, range);
  if (level + 1 == levels && level >= job.taps)
    return reduceInnermost(job, getSources(job, state), state.right,
                           std::move(sums),
                           {range, left.steps[loop], job.strip.steps[loop],
                            getUnroll(job.groups[level])});
  return builder.loop(range.begin, range.end, 1, sums,
                      [&](Value iteration, ValueRange carried) {
                        return reduce(
                            job, level + 1,
                            advance(state, job.strip, loop, iteration),
                            Values(carried));
                      });
}

/// In both copies, all pairs follow each other.
Values Reduction::reducePairs(const Job &job, Values sums) {
  SmallVector<Source> sources;
  for (const LeftRow &row : job.rows)
    sources.push_back({leftCopy, row.offset});
  return reduceInnermost(job, sources, job.strip.offset, std::move(sums),
                         {{builder.index(0), getPairs()},
                          builder.index(1),
                          builder.index(tiling.getStrip()),
                          1});
}

Values Reduction::reduceInnermost(const Job &job, ArrayRef<Source> given,
                                  Value right, Values sums, Innermost loop) {
  SmallVector<Source> sources(given);
  for (Source &source : sources)
    source.offset = builder.hideOrigin(source.offset);
  right = builder.hideOrigin(right);
  auto [range, leftStep, rightStep, unroll] = loop;
  Value ahead = job.ahead;
  if (ahead) {
    Value done = builder.sub(right, job.strip.offset);
    ahead = builder.add(ahead,
                        builder.div(done, builder.index(getTilesThatFetch())));
  }
  auto addSteps = [&](int64_t count, Value leftShift, Value at, Values to) {
    for (int64_t each = 0; each < count; ++each) {
      Value number = builder.index(each);
      to = addProducts(
          job, sources, builder.add(leftShift, builder.mul(number, leftStep)),
          builder.add(at, builder.mul(number, rightStep)), std::move(to));
    }
    return to;
  };
  // The loop carries its positions in the operands, so that no iteration multiplies.
  auto iterate = [&](Value from, Value to, int64_t count) {
    Values carried = std::move(sums);
    carried.push_back(builder.mul(from, leftStep));
    carried.push_back(builder.add(right, builder.mul(from, rightStep)));
    if (ahead)
      carried.push_back(ahead);
    Value by = builder.index(count);
    carried =
        builder.loop(from, to, count, carried, [&](Value, ValueRange given) {
          Values next(given);
          Value fetched = ahead ? next.pop_back_val() : Value();
          Value at = next.pop_back_val(), leftShift = next.pop_back_val();
          if (fetched)
            memref::PrefetchOp::create(
                builder, job.strip.buffer, ValueRange{fetched},
                /*isWrite=*/false, /*localityHint=*/2, /*isDataCache=*/true);
          next = addSteps(count, leftShift, at, std::move(next));
          next.push_back(builder.add(leftShift, builder.mul(by, leftStep)));
          next.push_back(builder.add(at, builder.mul(by, rightStep)));
          if (fetched)
            next.push_back(builder.add(fetched, builder.index(getLine())));
          return next;
        });
    carried.pop_back_n(ahead ? 3 : 2);
    sums = std::move(carried);
  };
  Value by = builder.index(unroll);
  Value count = builder.div(builder.sub(range.end, range.begin), by);
  Value whole = builder.add(range.begin, builder.mul(count, by));
  iterate(range.begin, whole, unroll);
  if (unroll == 1)
    return sums;
  std::optional<int64_t> first = getConstantIntValue(whole);
  std::optional<int64_t> last = getConstantIntValue(range.end);
  if (first && last)
    return addSteps(*last - *first, builder.mul(whole, leftStep),
                    builder.add(right, builder.mul(whole, rightStep)),
                    std::move(sums));
  iterate(whole, range.end, 1);
  return sums;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

Value Reduction::multiplyAdd(Value lhs, Value rhs, Value sum) {
  if (tiling.pairs)
    return arith::AddIOp::create(builder, emitPairProduct(builder, lhs, rhs),
                                 sum);
  if (isa<IntegerType>(getElementTypeOrSelf(sum)))
    return arith::AddIOp::create(builder,
                                 arith::MulIOp::create(builder, lhs, rhs), sum);
  if (contraction.sumsSquares)
    lhs = rhs = arith::SubFOp::create(builder, lhs, rhs);
  return emitMultiplyAdd(builder, lhs, rhs, sum);
}

/// The factors of a step of the right operand, vector by vector.
Values Reduction::loadStrip(const Job &job, Value right) {
  const Factor &factor = contraction.right;
  Type element = tiling.pairs             ? builder.getI32Type()
                 : job.strip.holdsFactors ? factor.value.getType()
                                          : factor.element.getType();
  Values vectors;
  for (unsigned index = 0; index < job.vectors; ++index) {
    Value offset = builder.add(right, job.strip.vectors[index]);
    Value mask = job.strip.masks.empty() ? Value() : job.strip.masks[index];
    Value loaded = builder.loadVector(job.strip.buffer, offset, element,
                                      tiling.lanes, mask);
    vectors.push_back(job.strip.holdsFactors ? loaded
                                             : factor.emit(builder, loaded));
  }
  return vectors;
}

/// The factor of a step of the left operand, in all lanes.
Value Reduction::loadLeft(const Source &source, Value shift) {
  const Factor &factor = contraction.left;
  Value offset = builder.add(source.offset, shift);
  Value loaded = builder.load(source.buffer, offset,
                              tiling.pairs ? builder.getI32Type()
                                           : factor.element.getType());
  return builder.splat(tiling.pairs ? loaded : factor.emit(builder, loaded),
                       tiling.lanes);
}

/// Multiplies the elements of all rows with all vectors of the strip.
Values Reduction::addProducts(const Job &job, ArrayRef<Source> sources,
                              Value leftShift, Value right, Values sums) {
  Values vectors = loadStrip(job, right);
  Value *sum = sums.begin();
  for (const Source &source : sources) {
    Value element = loadLeft(source, leftShift);
    for (Value vector : vectors) {
      *sum = multiplyAdd(element, vector, *sum);
      ++sum;
    }
  }
  return sums;
}
