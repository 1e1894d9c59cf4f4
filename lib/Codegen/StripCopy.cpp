// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "StripCopy.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace invar;

using Values = KernelBuilder::Values;

StripCopy::StripCopy(KernelBuilder &builder, const Contraction &contraction,
                     const Tiling &tiling, Reduction &reduction, Value columns)
    : builder(builder), contraction(contraction), tiling(tiling),
      reduction(reduction), columns(columns) {
  steps.resize(contraction.reduced.size());
  Value step = builder.index(tiling.getStrip());
  for (size_t level = steps.size(); level-- > 0;) {
    steps[level] = step;
    bool isPaired = tiling.pairs && level == contraction.getOuterLevels();
    step = builder.mul(
        step, isPaired ? reduction.getInnerPairs()
                       : reduction.getSize(contraction.reduced[level]));
  }
}

Value StripCopy::getCount() {
  Value rows = builder.index(1);
  for (const LoopGroup &group : contraction.reduced)
    rows = builder.mul(rows, reduction.getSize(group));
  if (tiling.pairs)
    rows = reduction.getPairs();
  // A transposing copy works in squares, the last of which may reach too far.
  if (tiling.transposes)
    rows = builder.add(rows, builder.index(tiling.lanes));
  return builder.mul(rows, builder.index(tiling.getStrip()));
}

Type StripCopy::getElementType() {
  return tiling.pairs ? Type(builder.getI32Type())
                      : contraction.right.value.getType();
}

RightStrip StripCopy::getStrip(Value copy) {
  RightStrip strip{copy, builder.index(0), {}, {}, {}, true};
  auto root = contraction.root;
  strip.steps.resize(root.getNumLoops());
  for (auto [group, step] : llvm::zip_equal(contraction.reduced, steps))
    strip.steps[group.back()] = step;
  for (unsigned vector = 0; vector < tiling.vectors; ++vector)
    strip.vectors.push_back(builder.index(vector * tiling.lanes));
  return strip;
}

void StripCopy::write(const Source &source, Value copy) {
  unsigned levels = tiling.transposes ? contraction.reduced.size() - 1
                    : tiling.pairs    ? contraction.getOuterLevels()
                                      : contraction.reduced.size();
  auto nest = [&](auto &self, unsigned level, Position at) -> void {
    if (level < levels) {
      const LoopGroup &group = contraction.reduced[level];
      Value step = source.walk.steps[group.back()];
      builder.loop(
          builder.index(0), reduction.getSize(group), 1, [&](Value iteration) {
            self(self, level + 1,
                 {builder.add(at.from, builder.mul(iteration, step)),
                  builder.add(at.to, builder.mul(iteration, steps[level]))});
          });
    } else if (tiling.transposes) {
      copyAcross(source, at, copy);
    } else if (tiling.pairs) {
      builder.loop(builder.index(0), reduction.getInnerPairs(), 1,
                   [&](Value pair) { copyPair(source, at, pair, copy); });
    } else {
      copyStep(source, at, copy);
    }
  };
  nest(nest, 0, {source.offset, builder.index(0)});
}

/// The factors of a vector of columns, for the step that begins at `offset`.
Value StripCopy::loadFactor(const Source &source, Value offset,
                            unsigned vector) {
  const Factor &factor = contraction.right;
  Value lanes = builder.index(tiling.lanes), mask;
  // A packed operand is padded to whole vectors; other operands need masks.
  if (!tiling.panel &&
      !isConstantIntValue(
          builder.rem(columns, builder.index(tiling.getStrip())), 0)) {
    Value first =
        builder.add(source.column, builder.index(vector * tiling.lanes));
    mask = builder.mask(builder.min(builder.sub(columns, first), lanes),
                        tiling.lanes);
  }
  Value loaded = builder.loadVector(
      source.walk.buffer, builder.add(offset, source.vectors[vector]),
      factor.element.getType(), tiling.lanes, mask);
  return factor.emit(builder, loaded, source.parameters[vector]);
}

/// Copies the columns of one step.
void StripCopy::copyStep(const Source &source, Position at, Value copy) {
  for (unsigned vector = 0; vector < tiling.vectors; ++vector)
    builder.storeVector(
        loadFactor(source, at.from, vector), copy,
        builder.add(at.to, builder.index(vector * tiling.lanes)));
}

/// Packs two vectors of 16-bit numbers into one of 32-bit numbers.
Value StripCopy::makePair(Value first, Value second) {
  auto constant = [&](int64_t value) {
    Value scalar =
        arith::ConstantIntOp::create(builder, builder.getI32Type(), value);
    return builder.splat(scalar, tiling.lanes);
  };
  Value low = arith::AndIOp::create(builder, first, constant(0xffff));
  Value high = arith::ShLIOp::create(builder, second, constant(16));
  return arith::OrIOp::create(builder, low, high);
}

/// Copies the columns of two steps of the innermost loop.
void StripCopy::copyPair(const Source &source, Position at, Value pair,
                         Value copy) {
  std::optional<unsigned> loop = contraction.getInnerLoop();
  Value step = loop ? source.walk.steps[*loop] : builder.index(0);
  Value last = builder.sub(reduction.getInnerSize(), builder.index(1));
  Value first = builder.mul(pair, builder.index(2));
  Value second = builder.min(builder.add(first, builder.index(1)), last);
  Value strip = builder.index(tiling.getStrip());
  for (unsigned vector = 0; vector < tiling.vectors; ++vector) {
    auto load = [&](Value number) {
      return loadFactor(source, builder.add(at.from, builder.mul(number, step)),
                        vector);
    };
    Value low = load(first), high = load(second);
    Value to = builder.add(at.to, builder.mul(pair, strip));
    builder.storeVector(makePair(low, high), copy,
                        builder.add(to, builder.index(vector * tiling.lanes)));
  }
}

/// Copies all steps of the innermost loop, which is contiguous, by squares of as many
/// steps as a vector has lanes.
void StripCopy::copyAcross(const Source &source, Position at, Value copy) {
  const Factor &factor = contraction.right;
  Value across = source.walk.steps[contraction.columns.back()];
  Value last =
      builder.sub(builder.sub(columns, builder.index(1)), source.column);
  Value strip = builder.index(tiling.getStrip());
  int64_t lanes = tiling.lanes;
  auto copySquare = [&](Value step, Value mask, unsigned vector, Value shift) {
    Values rows;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      // Past the last column, read the last column again: the result is not used.
      Value existing =
          builder.min(builder.add(shift, builder.index(lane)), last);
      Value from = builder.add(builder.add(at.from, step),
                               builder.mul(existing, across));
      rows.push_back(builder.loadVector(source.walk.buffer, from,
                                        factor.element.getType(), lanes, mask));
    }
    Values turned = transpose(rows);
    for (Value &row : turned)
      row = factor.emit(builder, row, source.parameters[vector]);
    int64_t together = tiling.pairs ? 2 : 1;
    Value to = builder.add(
        builder.mul(builder.div(step, builder.index(together)), strip), shift);
    to = builder.add(at.to, to);
    for (int64_t row = 0; row < lanes; row += together) {
      builder.storeVector(tiling.pairs ? makePair(turned[row], turned[row + 1])
                                       : turned[row],
                          copy, to);
      to = builder.add(to, strip);
    }
  };
  bool haveParameters = !factor.parameters.empty();
  builder.loopByVectors(
      reduction.getSize(contraction.reduced.back()), lanes, {},
      [&](Value step, Value mask, ValueRange) -> Values {
        // Parameters may differ from vector to vector.
        if (haveParameters)
          for (unsigned vector = 0; vector < tiling.vectors; ++vector)
            copySquare(step, mask, vector, builder.index(vector * lanes));
        else
          builder.loop(builder.index(0), strip, lanes,
                       [&](Value shift) { copySquare(step, mask, 0, shift); });
        return {};
      });
}

/// Transposes a square: interleaves its upper half with its lower half, log2(rows) times.
Values StripCopy::transpose(Values rows) {
  int64_t count = rows.size();
  SmallVector<int64_t> low, high;
  for (int64_t lane = 0; lane < count / 2; ++lane) {
    low.append({lane, lane + count});
    high.append({lane + count / 2, lane + count / 2 + count});
  }
  for (int64_t round = 1; round < count; round *= 2) {
    Values next;
    for (int64_t row = 0; row < count / 2; ++row)
      for (ArrayRef<int64_t> lanes : {ArrayRef(low), ArrayRef(high)})
        next.push_back(vector::ShuffleOp::create(builder, rows[row],
                                                 rows[row + count / 2], lanes));
    rows = std::move(next);
  }
  return rows;
}
