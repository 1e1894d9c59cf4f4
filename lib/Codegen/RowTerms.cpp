// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RowTerms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace invar;

using Values = KernelBuilder::Values;

unsigned RowTerms::add(Values steps) {
  assert(steps.size() == sizes.size() && "expected a step for each loop");
  terms.push_back(std::move(steps));
  return terms.size() - 1;
}

int64_t RowTerms::getTableSize() const {
  return sizes.size() < 2 ? 0 : int64_t(terms.size()) * unitRows;
}

/// The coordinates of the next row. They work like an odometer: a coordinate that reaches
/// its end restarts at 0 and increments the previous one.
Values RowTerms::advance(Values coordinates) {
  Value one = builder.index(1), zero = builder.index(0), carry = one;
  for (size_t loop = sizes.size(); --loop > 0;) {
    Value moved = builder.add(coordinates[loop], carry);
    Value isEnd = arith::CmpIOp::create(builder, arith::CmpIPredicate::eq,
                                        moved, sizes[loop]);
    coordinates[loop] = arith::SelectOp::create(builder, isEnd, zero, moved);
    carry = arith::SelectOp::create(builder, isEnd, one, zero);
  }
  coordinates[0] = builder.add(coordinates[0], carry);
  return coordinates;
}

void RowTerms::fill(Value first, Value end) {
  if (!getTableSize())
    return;
  builder.loop(builder.index(0), builder.sub(end, first), 1,
               builder.delinearize(first, sizes),
               [&](Value row, ValueRange coordinates) {
                 for (auto [number, steps] : llvm::enumerate(terms)) {
                   Value place =
                       builder.add(row, builder.index(number * unitRows));
                   builder.store(builder.offset(Values(coordinates), steps),
                                 table, place);
                 }
                 return advance(Values(coordinates));
               });
}

Value RowTerms::get(unsigned number, Value row, Value first) {
  const Values &steps = terms[number];
  if (llvm::all_of(steps,
                   [](Value step) { return isConstantIntValue(step, 0); }))
    return builder.index(0);
  if (sizes.size() == 1)
    return builder.mul(row, steps.front());
  Value place =
      builder.add(builder.sub(row, first), builder.index(number * unitRows));
  return builder.load(table, place, builder.getIndexType());
}
