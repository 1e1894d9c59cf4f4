// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "StripCopy.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace invar;

using Values = KernelBuilder::Values;

StripCopy::StripCopy(KernelBuilder &builder, const Contraction &contraction,
                     const Tiling &tiling, ArrayRef<Value> groupSizes,
                     Value columns)
    : builder(builder), contraction(contraction), tiling(tiling),
      sizes(groupSizes), columns(columns) {
  steps.resize(sizes.size());
  Value step = builder.index(tiling.getStrip());
  for (size_t level = sizes.size(); level-- > 0;) {
    steps[level] = step;
    step = builder.mul(step, sizes[level]);
  }
}

Value StripCopy::getCount() {
  // What is copied across comes in squares, the last of which may reach too far.
  Value rows = builder.product(sizes);
  if (tiling.transposes)
    rows = builder.add(rows, builder.index(tiling.lanes));
  return builder.mul(rows, builder.index(tiling.getStrip()));
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

/// Goes over the outermost `levels` groups of reduced loops.
void StripCopy::forEachStep(const Walk &right, unsigned levels,
                            Position position,
                            llvm::function_ref<void(Position)> body) {
  auto nest = [&](auto &self, unsigned level, Position at) -> void {
    if (level == levels)
      return body(at);
    Value from = right.steps[contraction.reduced[level].back()];
    builder.loop(builder.index(0), sizes[level], 1, [&](Value iteration) {
      self(self, level + 1,
           {builder.add(at.from, builder.mul(iteration, from)),
            builder.add(at.to, builder.mul(iteration, steps[level]))});
    });
  };
  nest(nest, 0, position);
}

void StripCopy::write(const Walk &right, Value offset, Value column,
                      Value copy) {
  Position begin{offset, builder.index(0)};
  if (!tiling.transposes)
    return forEachStep(right, sizes.size(), begin, [&](Position at) {
      copyAlong(right, at, column, copy);
    });
  forEachStep(right, sizes.size() - 1, begin,
              [&](Position at) { copyAcross(right, at, column, copy); });
}

/// Copies the columns of one step.
void StripCopy::copyAlong(const Walk &right, Position at, Value column,
                          Value copy) {
  const Factor &factor = contraction.right;
  bool isWhole = isConstantIntValue(
      builder.rem(columns, builder.index(tiling.getStrip())), 0);
  for (unsigned vector = 0; vector < tiling.vectors; ++vector) {
    Value shift = builder.index(vector * tiling.lanes);
    Value mask;
    if (!isWhole)
      mask = builder.mask(builder.sub(columns, builder.add(column, shift)),
                          tiling.lanes);
    Value loaded =
        builder.loadVector(right.buffer, builder.add(at.from, shift),
                           factor.element.getType(), tiling.lanes, mask);
    builder.storeVector(factor.emit(builder, loaded), copy,
                        builder.add(at.to, shift));
  }
}

/// Copies all steps of the innermost loop, which is the one that is contiguous, by squares
/// of so many steps as a vector has lanes.
void StripCopy::copyAcross(const Walk &right, Position at, Value column,
                           Value copy) {
  const Factor &factor = contraction.right;
  Value across = right.steps[contraction.columns.back()];
  Value last = builder.sub(builder.sub(columns, builder.index(1)), column);
  int64_t lanes = tiling.lanes;
  auto copySquare = [&](Value step, Value mask, Value shift) {
    Values rows;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      // Past the last column, the last one serves: nobody looks at it.
      Value existing =
          builder.min(builder.add(shift, builder.index(lane)), last);
      Value from = builder.add(builder.add(at.from, step),
                               builder.mul(existing, across));
      rows.push_back(builder.loadVector(right.buffer, from,
                                        factor.element.getType(), lanes, mask));
    }
    Value to =
        builder.add(builder.add(at.to, builder.mul(step, steps.back())), shift);
    for (Value row : transpose(rows)) {
      builder.storeVector(factor.emit(builder, row), copy, to);
      to = builder.add(to, steps.back());
    }
  };
  builder.loopByVectors(
      sizes.back(), lanes, {},
      [&](Value step, Value mask, ValueRange) -> Values {
        builder.loop(builder.index(0), builder.index(tiling.getStrip()), lanes,
                     [&](Value shift) { copySquare(step, mask, shift); });
        return {};
      });
}

/// Swaps rows and lanes of a square, by interleaving its upper half with its lower one as
/// often as that halves it.
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
