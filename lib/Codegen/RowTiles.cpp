// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RowTiles.h"

using namespace mlir;
using namespace invar;

RowTiles::RowTiles(KernelBuilder &builder, Value rows, unsigned most)
    : builder(builder), rows(rows),
      count(builder.ceilDiv(rows, builder.index(most))), most(most) {
  auto all = getConstantIntValue(rows), tiles = getConstantIntValue(count);
  if (all && tiles && *tiles)
    known = Known{*all / *tiles, *all % *tiles};
}

Value RowTiles::getFirst(Value tile) {
  if (!known)
    return builder.min(rows, builder.mul(tile, builder.index(most)));
  return builder.add(builder.mul(tile, builder.index(known->size)),
                     builder.min(tile, builder.index(known->tall)));
}

void RowTiles::forEach(
    Value begin, Value end,
    llvm::function_ref<void(unsigned size, Value first)> body) {
  if (known) {
    Value tall = builder.index(known->tall);
    auto write = [&](int64_t size, Value from, Value to) {
      builder.loop(from, to, 1,
                   [&](Value tile) { body(size, getFirst(tile)); });
    };
    if (known->tall)
      write(known->size + 1, builder.min(begin, tall), builder.min(end, tall));
    return write(known->size, builder.max(begin, tall), builder.max(end, tall));
  }
  Value first = getFirst(begin), last = getFirst(end);
  int64_t size = most;
  while (true) {
    Value by = builder.index(size);
    Value fitting = builder.div(builder.sub(last, first), by);
    Value next = builder.add(first, builder.mul(fitting, by));
    builder.loop(first, next, size, [&](Value row) { body(size, row); });
    if (size == 1)
      return;
    first = next;
    size = std::max<int64_t>(1, size / 3);
  }
}
