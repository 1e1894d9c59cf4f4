// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LeftCopy.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace invar;

using Values = KernelBuilder::Values;

/// The factor of an element, or of a vector of elements, in 16 bits.
Value LeftCopy::makeFactor(Value element) {
  Values parameters;
  for (const Factor::Parameter &parameter : contraction.left.parameters) {
    Walk walk = parameter.access.getWalk(builder);
    parameters.push_back(
        builder.load(walk.buffer, walk.origin, parameter.argument.getType()));
  }
  Value factor = contraction.left.emit(builder, element, parameters);
  return arith::TruncIOp::create(
      builder, getRegisterType(builder.getI16Type(), getLanes(factor)), factor);
}

void LeftCopy::write(const LeftRow &row, Value pair) {
  unsigned levels = contraction.getOuterLevels();
  Value run = builder.mul(reduction.getInnerPairs(), builder.index(2));
  Values steps(levels);
  for (unsigned level = levels; level-- > 0;) {
    steps[level] = run;
    run = builder.mul(run, reduction.getSize(contraction.reduced[level]));
  }
  auto nest = [&](auto &self, unsigned level, Position at) -> void {
    if (level == levels) {
      Value isInside = reduction.isInside(at.from);
      if (!isInside)
        return writeRun(at);
      Value isOutside = arith::XOrIOp::create(
          builder, isInside,
          arith::ConstantIntOp::create(builder, builder.getI1Type(), 1));
      builder.ifThen(isInside, [&] { writeRun(at); });
      return builder.ifThen(isOutside, [&] { fillRun(at.to); });
    }
    const LoopGroup &group = contraction.reduced[level];
    builder.loop(
        builder.index(0), reduction.getSize(group), 1, [&](Value iteration) {
          Position next = at;
          reduction.move(next.from, group.back(), iteration);
          next.to = builder.add(at.to, builder.mul(iteration, steps[level]));
          self(self, level + 1, next);
        });
  };
  nest(nest, 0, {row, builder.mul(pair, builder.index(2))});
}

/// Copies the steps of the innermost loop. The step that completes the last pair is 0, so
/// that the other factor does not matter.
void LeftCopy::writeRun(const Position &at) {
  const Walk &left = reduction.getLeft();
  Type element = contraction.left.element.getType();
  Value size = reduction.getInnerSize();
  std::optional<unsigned> loop = contraction.getInnerLoop();
  bool isContiguous = loop && contraction.left.access.isContiguous(*loop);
  if (isContiguous) {
    builder.loopByVectors(size, tiling.lanes, {},
                          [&](Value step, Value mask, ValueRange) -> Values {
                            Value loaded = builder.loadVector(
                                left.buffer, builder.add(at.from.offset, step),
                                element, tiling.lanes, mask);
                            builder.storeVector(makeFactor(loaded), memory,
                                                builder.add(at.to, step), mask);
                            return {};
                          });
  } else {
    builder.loop(builder.index(0), size, 1, [&](Value step) {
      Value moved = loop ? builder.mul(step, left.steps[*loop]) : step;
      Value loaded = builder.load(left.buffer,
                                  builder.add(at.from.offset, moved), element);
      builder.store(makeFactor(loaded), memory, builder.add(at.to, step));
    });
  }
  Value isOdd = arith::CmpIOp::create(builder, arith::CmpIPredicate::ne,
                                      builder.rem(size, builder.index(2)),
                                      builder.index(0));
  builder.ifThen(isOdd, [&] {
    builder.store(builder.zero(builder.getI16Type()), memory,
                  builder.add(at.to, size));
  });
}

/// Fills the steps of the innermost loop with the border's value.
void LeftCopy::fillRun(Value to) {
  Value border =
      makeFactor(builder.getScalar(contraction.left.access.getBorder()));
  Value size = reduction.getInnerSize(), pairs = reduction.getInnerPairs();
  Value zero = builder.zero(builder.getI16Type());
  builder.loop(
      builder.index(0), builder.mul(pairs, builder.index(2)), 1,
      [&](Value step) {
        Value exists = arith::CmpIOp::create(builder, arith::CmpIPredicate::slt,
                                             step, size);
        builder.store(arith::SelectOp::create(builder, exists, border, zero),
                      memory, builder.add(to, step));
      });
}
