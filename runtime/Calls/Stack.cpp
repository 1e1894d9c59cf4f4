// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stacks: slices that a loop adds one by one, and that become one tensor in the end. No
// slice is kept by itself, so ending a run early takes no longer after many iterations
// than after few.
//
// A stack is a sequence of a counter and, from the first slice on, the tensor with all
// slices so far, [room, sizes of a slice …]. If the number of slices is known, the room
// is that number, and the tensor is the result. Otherwise it is doubled when necessary.
#include "BoxCopy.h"
#include "Calls.h"

#include <algorithm>

using namespace invar::runtime;

namespace {
struct Counter {
  int64_t added, expected; ///< -1: any number
};

/// The parts of a stack. `counter` and `slices` belong to `sequence`.
struct Stack {
  Sequence *sequence = nullptr;
  Tensor *counter = nullptr, *slices = nullptr;

  Counter &count() const { return *counter->getData<Counter>(); }
  int64_t room() const { return slices->getSize(0); }
  Sizes sizesOfSlice() const { return slices->getSizes().subspan(1); }
};
} // namespace

static constexpr int64_t countOfCounter = sizeof(Counter) / sizeof(int64_t);

/// Programs may pass any sequence, so everything is checked.
static Status readStack(CallContext &call, Stack &stack) {
  stack.sequence = static_cast<Sequence *>(call.getOperand(0));
  auto items = stack.sequence->getItems();
  stack.counter = items.empty() ? nullptr : asTensor(items[0]);
  stack.slices = items.size() < 2 ? nullptr : asTensor(items[1]);
  bool isStack = stack.counter && stack.counter->getType() == INVAR_INT64 &&
                 stack.counter->getCount() == countOfCounter;
  if (isStack) {
    auto [added, expected] = stack.count();
    int64_t room = stack.slices && stack.slices->rank ? stack.room() : -1;
    isStack = added >= 0 && (stack.slices ? added <= room : added == 0) &&
              (!stack.slices || expected < 0 || expected == room);
  }
  return isStack ? Status::success()
                 : call.fail("expected a stack of slices, but got ",
                             describe(stack.sequence));
}

/// Whether a run may write into a tensor: it made the tensor, and nothing else uses it.
static bool isOwn(CallContext &call, const Tensor &tensor) {
  return tensor.arena == call.getArena() && tensor.getOwner() == &tensor &&
         tensor.references.load(std::memory_order_acquire) == 1;
}

static Status makeCounter(CallContext &call, Counter count, Tensor *&counter) {
  counter = Tensor::create(call.getArena(), INVAR_INT64, {&countOfCounter, 1});
  if (!counter)
    return explainNoTensor(INVAR_INT64, {&countOfCounter, 1});
  *counter->getData<Counter>() = count;
  return Status::success();
}

/// Makes a stack of these parts the result. Takes over the caller's references.
static Status giveStack(CallContext &call, Tensor *counter, Tensor *slices) {
  Value *items[] = {counter, slices};
  std::span<Value *const> used(items, slices ? 2 : 1);
  Sequence *made = Sequence::create(call.getArena(), used, 2 - used.size());
  for (Value *item : used)
    release(item, call.getArena());
  if (!made)
    return explainNoContainer(used);
  call.adoptResult(0, made);
  return Status::success();
}

Status invar::runtime::callStackStart(CallContext &call) {
  Counter count = {.added = 0, .expected = -1};
  if (call.getOptionalTensor(0))
    if (Status status = call.readInteger(0, count.expected))
      return status;
  Tensor *counter = nullptr;
  if (Status status = makeCounter(call, count, counter))
    return status;
  return giveStack(call, counter, nullptr);
}

/// Copies `count` consecutive slices.
static Status copySlices(CallContext &call, const Tensor &from, int64_t first,
                         Tensor &to, int64_t place, int64_t count,
                         int64_t ofSlice) {
  BoxCopy copy(from, first * ofSlice, to, place * ofSlice);
  copy.addAxis(count * ofSlice, 1, 1);
  return copy.run(call);
}

/// Makes the tensor of a stack's slices with more room, with the slices so far.
static Status makeRoom(CallContext &call, const Stack &stack,
                       const Tensor &slice, bool isReversed, Tensor *&slices) {
  auto [added, expected] = stack.count();
  // This many bytes, or one slice, until more are necessary.
  constexpr size_t leastBytes = 4096;
  int64_t room = expected;
  if (expected < 0)
    room =
        added ? 2 * added
              : int64_t(leastBytes / std::max<size_t>(slice.getBytes(), 1)) + 1;
  std::vector<int64_t> sizes(slice.getSizes().begin(), slice.getSizes().end());
  sizes.insert(sizes.begin(), room);
  slices = Tensor::create(call.getArena(), slice.getType(), sizes);
  if (!slices)
    return explainNoTensor(slice.getType(), sizes);
  Status status;
  int64_t first = isReversed ? room - added : 0;
  if (added)
    status = copySlices(call, *stack.slices, first, *slices, first, added,
                        slice.getCount());
  if (status)
    release(slices, call.getArena());
  return status;
}

Status invar::runtime::callStackAdd(CallContext &call) {
  Stack stack;
  if (Status status = readStack(call, stack))
    return status;
  const Tensor &slice = call.getTensor(1);
  if (stack.slices &&
      (slice.getType() != stack.slices->getType() ||
       !std::ranges::equal(slice.getSizes(), stack.sizesOfSlice())))
    return call.fail(
        "expected slices like the first, ",
        describeTensor(stack.slices->getType(), stack.sizesOfSlice()),
        ", but got ", describe(&slice));
  Counter count = stack.count();
  if (count.expected >= 0 && count.added >= count.expected)
    return call.fail("expected at most ", count.expected,
                     " slices, but got more");
  bool isReversed = call.getInt("is_reversed") != 0;
  if (isReversed && count.expected < 0)
    return call.fail("expected a known number of slices to add in reverse");

  // Change the operand if nothing else uses it.
  bool isOurs = call.getOperandToChange(0) && isOwn(call, *stack.counter);
  Tensor *slices = stack.slices;
  if (!slices || !isOurs || !isOwn(call, *slices) ||
      count.added == stack.room())
    if (Status status = makeRoom(call, stack, slice, isReversed, slices))
      return status;
  if (slices == stack.slices)
    retain(slices);
  int64_t place = isReversed ? count.expected - 1 - count.added : count.added;
  Status status =
      copySlices(call, slice, 0, *slices, place, 1, slice.getCount());
  ++count.added;
  if (status || !isOurs) {
    Tensor *counter = nullptr;
    if (!status)
      status = makeCounter(call, count, counter);
    if (!status)
      return giveStack(call, counter, slices);
    release(slices, call.getArena());
    return status;
  }
  if (slices != stack.slices) {
    if (stack.slices)
      stack.sequence->erase(1, call.getArena());
    stack.sequence->insert(1, slices);
  }
  release(slices, call.getArena());
  stack.count() = count;
  call.setResult(0, stack.sequence);
  return Status::success();
}

Status invar::runtime::callStackFinish(CallContext &call) {
  Stack stack;
  if (Status status = readStack(call, stack))
    return status;
  auto [added, expected] = stack.count();
  if (!added || (expected >= 0 && added != expected))
    return call.fail("expected ", std::max<int64_t>(expected, 1),
                     " slices, but got ", added);
  Sizes slice = stack.sizesOfSlice();
  int64_t axis = call.getInt("axis");
  if (Status status = call.normalizeAxis(axis, int64_t(slice.size()) + 1))
    return status;
  if (axis == 0 && added == stack.room()) {
    call.setResult(0, stack.slices);
    return Status::success();
  }
  std::vector<int64_t> sizes(slice.begin(), slice.end());
  sizes.insert(sizes.begin() + axis, added);
  Tensor *result = nullptr;
  if (Status status = call.allocate(0, stack.slices->getType(), sizes, result))
    return status;
  AxisView view(result->getSizes(), size_t(axis));
  BoxCopy copy(*stack.slices, 0, *result, 0);
  copy.addAxis(view.outer, view.inner, view.size * view.inner);
  copy.addAxis(view.size, view.outer * view.inner, view.inner);
  copy.addAxis(view.inner, 1, 1);
  return copy.run(call);
}
