// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Places.h"

#include "mlir/IR/Block.h"

using namespace mlir;
using namespace invar;

/// The initial distance between the numbers of two operators.
static constexpr uint64_t stride = uint64_t(1) << 32;

/// The known place of an operator; null if it has left its block since.
const Places::Place *Places::find(Operation *op) const {
  auto found = places.find(op);
  return found != places.end() && found->second.block == op->getBlock()
             ? &found->second
             : nullptr;
}

void Places::number(Operation *begin, Operation *end, uint64_t first,
                    uint64_t step) {
  for (Operation *op = begin; op != end; op = op->getNextNode(), first += step)
    places[op] = {op->getBlock(), first};
}

uint64_t Places::getNumber(Operation *op) {
  if (const Place *place = find(op))
    return place->number;
  // Number all new operators around `op` together.
  uint64_t count = 1;
  Operation *begin = op, *end = op->getNextNode();
  for (Operation *before = op->getPrevNode(); before && !find(before);
       before = before->getPrevNode(), ++count)
    begin = before;
  for (; end && !find(end); end = end->getNextNode())
    ++count;
  Operation *before = begin->getPrevNode();
  uint64_t low = before ? find(before)->number : 0;
  uint64_t high = end ? find(end)->number : low + (count + 1) * stride;
  uint64_t step = (high - low) / (count + 1);
  if (step != 0)
    number(begin, end, low + step, step);
  else
    number(&op->getBlock()->front(), nullptr, stride, stride);
  return find(op)->number;
}
