// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Reduction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace invar;

using Values = KernelBuilder::Values;

Reduction::Reduction(KernelBuilder &builder, const Contraction &contraction,
                     const Tiling &tiling, ArrayRef<Value> loopSizes)
    : builder(builder), contraction(contraction), tiling(tiling),
      sizes(loopSizes) {
  const Access &access = contraction.left.access;
  left = access.getWalk(builder);
  for (auto [index, axis] : llvm::enumerate(access.getAxes()))
    if (axis.isBordered)
      bordered.push_back(
          {unsigned(index), builder.getSize(access.getTensor(), index)});
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

LeftRow
Reduction::makeRow(Value offset,
                   llvm::function_ref<Value(const Access::Axis &)> along) {
  LeftRow row{left.buffer, builder.add(left.origin, offset), {}};
  const Access &access = contraction.left.access;
  for (auto [axis, size] : bordered)
    row.positions.push_back(builder.add(access.getBegin(builder, axis),
                                        along(access.getAxes()[axis])));
  return row;
}

/// Elements of a line of the cache.
int64_t Reduction::getLine() const {
  return 512 / contraction.getSumType().getIntOrFloatBitWidth();
}

/// Iterations of the innermost loop that are written one after the other.
int64_t Reduction::getUnroll(const LoopGroup &group) {
  std::optional<int64_t> size = getConstantIntValue(getSize(group));
  return size && *size >= 8 ? 4 : 1;
}

int64_t Reduction::getTilesThatFetch() {
  int64_t unroll = getUnroll(contraction.reduced.back());
  return std::max<int64_t>(1, tiling.getStrip() * unroll / getLine());
}

Values Reduction::write(ArrayRef<LeftRow> rows, const RightStrip &strip,
                        unsigned vectors, Values sums, Value begin, Value end,
                        Value ahead) {
  State state{llvm::to_vector(rows), strip.offset};
  Job job{strip,           vectors, begin, end, ahead, contraction.reduced,
          contraction.taps};
  if (!tiling.hasInside)
    return reduce(job, 0, state, std::move(sums));
  Job insideJob = job;
  insideJob.groups = contraction.reducedInside;
  insideJob.taps = 0;
  Value inside = isInside(rows);
  Value outside = arith::XOrIOp::create(
      builder, inside,
      arith::ConstantIntOp::create(builder, builder.getI1Type(), 1));
  sums = builder.ifThen(
      inside, [&] { return reduce(insideJob, 0, state, sums); }, sums);
  return builder.ifThen(
      outside, [&] { return reduce(job, 0, state, sums); }, sums);
}

static Value makeAnd(KernelBuilder &builder, Value lhs, Value rhs) {
  return lhs ? Value(arith::AndIOp::create(builder, lhs, rhs)) : rhs;
}

/// Whether a position is on an axis; one before it is a large number without a sign.
static Value isOnAxis(KernelBuilder &builder, Value position, Value size) {
  return arith::CmpIOp::create(builder, arith::CmpIPredicate::ult, position,
                               size);
}

/// Whether all taps of all rows are inside.
Value Reduction::isInside(ArrayRef<LeftRow> rows) {
  ArrayRef<Access::Axis> axes = contraction.left.access.getAxes();
  Value all;
  for (auto [index, axis] : llvm::enumerate(bordered)) {
    Value reach = builder.index(0);
    for (const LoopGroup &group :
         ArrayRef(contraction.reduced).take_front(contraction.taps)) {
      Value last = builder.sub(getSize(group), builder.index(1));
      Value step = builder.index(axes[axis.first].steps[group.back()]);
      reach = builder.add(reach, builder.mul(last, step));
    }
    for (const LeftRow &row : rows)
      for (Value position :
           {row.positions[index], builder.add(row.positions[index], reach)})
        all = makeAnd(builder, all, isOnAxis(builder, position, axis.second));
  }
  return all;
}

/// What `state` is in an iteration of a loop.
Reduction::State Reduction::advance(const State &state, const RightStrip &strip,
                                    unsigned loop, Value iteration) {
  ArrayRef<Access::Axis> axes = contraction.left.access.getAxes();
  State next = state;
  next.right =
      builder.add(state.right, builder.mul(iteration, strip.steps[loop]));
  Value moved = builder.mul(iteration, left.steps[loop]);
  for (LeftRow &row : next.rows) {
    row.offset = builder.add(row.offset, moved);
    for (auto [position, axis] : llvm::zip_equal(row.positions, bordered))
      position = builder.add(
          position,
          builder.mul(iteration, builder.index(axes[axis.first].steps[loop])));
  }
  return next;
}

/// Leaves out iterations in which no row is inside.
std::pair<Value, Value> Reduction::clipTaps(unsigned loop, const State &state,
                                            Value begin, Value end) {
  ArrayRef<Access::Axis> axes = contraction.left.access.getAxes();
  Value zero = builder.index(0);
  for (auto [index, axis] : llvm::enumerate(bordered)) {
    int64_t step = axes[axis.first].steps[loop];
    if (step <= 0)
      continue;
    Value least = state.rows.front().positions[index], most = least;
    for (const LeftRow &row : ArrayRef(state.rows).drop_front()) {
      least = builder.min(least, row.positions[index]);
      most = builder.max(most, row.positions[index]);
    }
    Value by = builder.index(step);
    Value before = builder.max(zero, builder.sub(zero, most));
    Value until = builder.max(zero, builder.sub(axis.second, least));
    begin = builder.max(begin, builder.ceilDiv(before, by));
    end = builder.min(end, builder.ceilDiv(until, by));
  }
  return {begin, end};
}

/// Lets the rows that are outside read what stands in the border.
Reduction::State Reduction::resolveBorder(const State &state) {
  State inside = state;
  for (LeftRow &row : inside.rows) {
    Value isInside;
    for (auto [position, axis] : llvm::zip_equal(row.positions, bordered))
      isInside =
          makeAnd(builder, isInside, isOnAxis(builder, position, axis.second));
    row.buffer = arith::SelectOp::create(builder, isInside, row.buffer, border);
    row.offset = arith::SelectOp::create(builder, isInside, row.offset,
                                         builder.index(0));
  }
  return inside;
}

Values Reduction::reduce(const Job &job, unsigned level, const State &given,
                         Values sums) {
  bool isPastTaps = job.taps && level == job.taps;
  State state = isPastTaps ? resolveBorder(given) : given;
  unsigned levels = job.groups.size();
  if (level == levels)
    return addProducts(job, state.rows, builder.index(0), state.right,
                       std::move(sums));

  bool isOutermost = level == 0 && job.begin;
  Value begin = isOutermost ? job.begin : builder.index(0);
  Value end = isOutermost ? job.end : getSize(job.groups[level]);
  unsigned loop = job.groups[level].back();
  if (level < job.taps && contraction.hasNeutralBorder)
    std::tie(begin, end) = clipTaps(loop, state, begin, end);
  if (level + 1 == levels && level >= job.taps)
    return reduceInnermost(job, state, std::move(sums), begin, end);
  return builder.loop(
      begin, end, 1, sums, [&](Value iteration, ValueRange carried) {
        return reduce(job, level + 1,
                      advance(state, job.strip, loop, iteration),
                      Values(carried));
      });
}

/// The same value, of which LLVM does not know where it comes from. It would compute in
/// each iteration of a loop, anew, what is behind an address.
static Value hideOrigin(KernelBuilder &builder, Value index) {
  Value word = arith::IndexCastOp::create(builder, builder.getI64Type(), index);
  Value frozen = LLVM::FreezeOp::create(builder, word);
  return arith::IndexCastOp::create(builder, builder.getIndexType(), frozen);
}

Values Reduction::reduceInnermost(const Job &job, const State &given,
                                  Values sums, Value begin, Value end) {
  State state = given;
  state.right = hideOrigin(builder, state.right);
  for (LeftRow &row : state.rows)
    row.offset = hideOrigin(builder, row.offset);
  unsigned loop = job.groups.back().back();
  int64_t unroll = getUnroll(job.groups.back());
  Value leftStep = left.steps[loop], rightStep = job.strip.steps[loop];
  Value ahead = job.ahead;
  if (ahead) {
    Value done = builder.sub(state.right, job.strip.offset);
    ahead = builder.add(ahead,
                        builder.div(done, builder.index(getTilesThatFetch())));
  }
  auto addSteps = [&](int64_t count, Value leftShift, Value right, Values to) {
    for (int64_t each = 0; each < count; ++each) {
      Value number = builder.index(each);
      to = addProducts(job, state.rows,
                       builder.add(leftShift, builder.mul(number, leftStep)),
                       builder.add(right, builder.mul(number, rightStep)),
                       std::move(to));
    }
    return to;
  };
  // Where the loop stands in the operands is carried on, so that no iteration multiplies.
  auto iterate = [&](Value from, Value to, int64_t count) {
    Values carried = std::move(sums);
    carried.push_back(builder.mul(from, leftStep));
    carried.push_back(builder.add(state.right, builder.mul(from, rightStep)));
    if (ahead)
      carried.push_back(ahead);
    Value by = builder.index(count);
    carried =
        builder.loop(from, to, count, carried, [&](Value, ValueRange given) {
          Values next(given);
          Value fetched = ahead ? next.pop_back_val() : Value();
          Value right = next.pop_back_val(), leftShift = next.pop_back_val();
          if (fetched)
            memref::PrefetchOp::create(builder, job.strip.buffer,
                                       ValueRange{fetched}, /*isWrite=*/false,
                                       /*localityHint=*/2,
                                       /*isDataCache=*/true);
          next = addSteps(count, leftShift, right, std::move(next));
          next.push_back(builder.add(leftShift, builder.mul(by, leftStep)));
          next.push_back(builder.add(right, builder.mul(by, rightStep)));
          if (fetched)
            next.push_back(builder.add(fetched, builder.index(getLine())));
          return next;
        });
    carried.pop_back_n(ahead ? 3 : 2);
    sums = std::move(carried);
  };
  Value count = builder.sub(end, begin), by = builder.index(unroll);
  Value whole = builder.add(begin, builder.mul(builder.div(count, by), by));
  iterate(begin, whole, unroll);
  if (unroll == 1)
    return sums;
  std::optional<int64_t> first = getConstantIntValue(whole);
  std::optional<int64_t> last = getConstantIntValue(end);
  if (first && last)
    return addSteps(*last - *first, builder.mul(whole, leftStep),
                    builder.add(state.right, builder.mul(whole, rightStep)),
                    std::move(sums));
  iterate(whole, end, 1);
  return sums;
}

Value Reduction::multiplyAdd(Value lhs, Value rhs, Value sum) {
  if (isa<IntegerType>(getElementTypeOrSelf(sum)))
    return arith::AddIOp::create(builder,
                                 arith::MulIOp::create(builder, lhs, rhs), sum);
  // Without an instruction for it, the fused operation is a call.
  if (builder.getTarget().vectorBits >= 256)
    return vector::FMAOp::create(builder, lhs, rhs, sum);
  return arith::AddFOp::create(builder,
                               arith::MulFOp::create(builder, lhs, rhs), sum);
}

/// Multiplies the elements of all rows with all vectors of the strip.
Values Reduction::addProducts(const Job &job, ArrayRef<LeftRow> rows,
                              Value leftShift, Value right, Values sums) {
  const Factor &leftFactor = contraction.left;
  const Factor &rightFactor = contraction.right;
  unsigned lanes = tiling.lanes;
  Values vectors;
  for (unsigned index = 0; index < job.vectors; ++index) {
    Value offset = builder.add(right, job.strip.vectors[index]);
    Type element = job.strip.holdsFactors ? rightFactor.value.getType()
                                          : rightFactor.element.getType();
    Value mask = job.strip.masks.empty() ? Value() : job.strip.masks[index];
    Value loaded =
        builder.loadVector(job.strip.buffer, offset, element, lanes, mask);
    vectors.push_back(
        job.strip.holdsFactors ? loaded : rightFactor.emit(builder, loaded));
  }
  Value *sum = sums.begin();
  for (const LeftRow &row : rows) {
    Value element = builder.load(row.buffer, builder.add(row.offset, leftShift),
                                 leftFactor.element.getType());
    Value all = builder.splat(leftFactor.emit(builder, element), lanes);
    for (Value vector : vectors) {
      *sum = multiplyAdd(all, vector, *sum);
      ++sum;
    }
  }
  return sums;
}
