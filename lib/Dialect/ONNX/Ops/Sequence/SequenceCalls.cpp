// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sequences and optionals. Items are shared, never copied. A sequence that has no other
// use is changed in place, so that a loop which fills a sequence takes linear time.
#include "runtime/Calls/BoxCopy.h"
#include "runtime/Calls/Calls.h"

#include <algorithm>

using namespace invar::runtime;

/// Reads an operand that is a position. A negative position counts from the end of the
/// sequence. Positions must be below `places`.
static Status readPlace(CallContext &call, size_t operand, size_t length,
                        size_t places, size_t &place) {
  int64_t position = 0;
  if (Status status = call.readInteger(operand, position))
    return status;
  auto items = int64_t(length);
  if (position < -items || position >= int64_t(places))
    return call.fail("expected a position from ", -items, " to ",
                     int64_t(places) - 1, ", but got ", position);
  place = size_t(position < 0 ? position + items : position);
  return Status::success();
}

/// Makes a sequence of the items the result.
static Status giveSequence(CallContext &call, std::span<Value *const> items) {
  Sequence *sequence = Sequence::create(call.getArena(), items);
  if (!sequence)
    return explainNoContainer(items);
  call.adoptResult(0, sequence);
  return Status::success();
}

/// Makes operand 0, a sequence, the result after `change`: the operand itself if it has
/// no other use, or a copy with room for `spare` items and some more.
template <typename Change>
static Status giveChanged(CallContext &call, size_t spare, Change change) {
  Sequence *own = asSequence(call.getOperandToChange(0));
  if (own && own->hasRoom(spare)) {
    Status status = change(*own);
    call.setResult(0, own);
    return status;
  }
  auto items = call.getSequence(0).getItems();
  Sequence *copy = Sequence::create(call.getArena(), items,
                                    spare ? spare + items.size() / 2 : 0);
  if (!copy)
    return explainNoContainer(items);
  call.adoptResult(0, copy);
  return change(*copy);
}

Status invar::runtime::callSequenceEmpty(CallContext &call) {
  return giveSequence(call, {});
}

Status invar::runtime::callSequenceConstruct(CallContext &call) {
  std::vector<Value *> items(call.getNumOperands());
  for (size_t i = 0; i < items.size(); ++i)
    items[i] = call.getOperand(i);
  return giveSequence(call, items);
}

Status invar::runtime::callSequenceInsert(CallContext &call) {
  size_t length = call.getSequence(0).getItems().size();
  size_t place = length;
  if (call.getOptionalTensor(2))
    if (Status status = readPlace(call, 2, length, length + 1, place))
      return status;
  Value *item = call.getOperand(1);
  return giveChanged(call, 1, [&](Sequence &sequence) {
    return sequence.insert(place, item) ? Status::success()
                                        : explainNoContainer({&item, 1});
  });
}

Status invar::runtime::callSequenceErase(CallContext &call) {
  size_t length = call.getSequence(0).getItems().size();
  if (length == 0)
    return call.fail("expected an item in the sequence, but got none");
  size_t place = length - 1;
  if (call.getOptionalTensor(1))
    if (Status status = readPlace(call, 1, length, length, place))
      return status;
  return giveChanged(call, 0, [&](Sequence &sequence) {
    sequence.erase(place, call.getArena());
    return Status::success();
  });
}

Status invar::runtime::callSequenceAt(CallContext &call) {
  auto items = call.getSequence(0).getItems();
  size_t place = 0;
  if (Status status = readPlace(call, 1, items.size(), items.size(), place))
    return status;
  call.setResult(0, items[place]);
  return Status::success();
}

Status invar::runtime::callSequenceLength(CallContext &call) {
  Tensor *length = nullptr;
  if (Status status = call.allocate(0, INVAR_INT64, {}, length))
    return status;
  *length->getData<int64_t>() = int64_t(call.getSequence(0).getItems().size());
  return Status::success();
}

// Concatenating and splitting

/// Computes the sizes of a sequence's tensors joined along an axis. A new axis is
/// inserted first.
static Status joinSizes(CallContext &call, std::span<Value *const> items,
                        std::vector<int64_t> &sizes, int64_t &axis) {
  const Tensor *first = asTensor(items.front());
  if (!first)
    return call.fail("expected a sequence of tensors, but got ",
                     describe(items.front()));
  bool isNew = call.getInt("is_new") != 0;
  sizes.assign(first->getSizes().begin(), first->getSizes().end());
  axis = call.getInt("axis");
  if (Status status = call.normalizeAxis(axis, int64_t(sizes.size()) + isNew))
    return status;

  int64_t sum = 0;
  for (Value *item : items) {
    const Tensor *tensor = asTensor(item);
    bool fits = tensor && tensor->getType() == first->getType() &&
                tensor->rank == first->rank;
    for (size_t i = 0; fits && i < first->rank; ++i)
      fits = (!isNew && i == size_t(axis)) ||
             tensor->getSize(i) == first->getSize(i);
    if (!fits)
      return call.fail("expected tensors to join along axis ", axis, " with ",
                       describe(items.front()), ", but got ", describe(item));
    if (__builtin_add_overflow(sum, isNew ? 1 : tensor->getSize(size_t(axis)),
                               &sum))
      return call.fail("expected a size below 2^63, but got more");
  }
  if (isNew)
    sizes.insert(sizes.begin() + axis, sum);
  else
    sizes[size_t(axis)] = sum;
  return Status::success();
}

Status invar::runtime::callConcatFromSequence(CallContext &call) {
  auto items = call.getSequence(0).getItems();
  if (items.empty())
    return call.fail("expected a tensor in the sequence, but got none");
  std::vector<int64_t> sizes;
  int64_t axis = 0;
  if (Status status = joinSizes(call, items, sizes, axis))
    return status;
  Tensor *result = nullptr;
  InvarDataType type = asTensor(items.front())->getType();
  if (Status status = call.allocate(0, type, sizes, result))
    return status;

  std::vector<const Tensor *> parts;
  for (Value *item : items)
    parts.push_back(asTensor(item));
  return joinAlong(call, parts, size_t(axis), *result);
}

/// Reads the sizes of the parts of an axis of `size`.
static Status readParts(CallContext &call, int64_t size,
                        std::vector<int64_t> &parts) {
  const Tensor *split = call.getOptionalTensor(1);
  int64_t each = 1;
  if (split && split->rank == 1) {
    int64_t rest = size;
    for (int64_t i = 0; i < split->getCount(); ++i) {
      auto part = loadNumber(split->getType(), split->getData(), i);
      if (!part || *part < 0 || *part > rest)
        return call.fail("expected parts of ", size, " in sum, but got ",
                         part ? *part : 0, " where ", rest, " are left");
      parts.push_back(*part);
      rest -= *part;
    }
    if (rest != 0)
      return call.fail("expected parts of ", size, " in sum, but got ",
                       size - rest);
    return Status::success();
  }
  if (split)
    if (Status status = call.readInteger(1, each))
      return status;
  if (each < 1)
    return call.fail("expected parts of at least 1, but got ", each);
  for (int64_t from = 0; from < size; from += std::min(each, size - from))
    parts.push_back(std::min(each, size - from));
  return Status::success();
}

/// Takes a part of a tensor along an axis; as a view if the part is contiguous.
static Status takePart(CallContext &call, const Tensor &tensor, size_t axis,
                       int64_t from, int64_t count, Sizes sizes,
                       Tensor *&part) {
  AxisView whole(tensor.getSizes(), axis);
  bool isOnePiece = whole.outer == 1;
  part =
      isOnePiece
          ? Tensor::createView(call.getArena(), const_cast<Tensor *>(&tensor),
                               sizes, count * whole.inner, from * whole.inner)
          : Tensor::create(call.getArena(), tensor.getType(), sizes);
  if (!part)
    return explainNoTensor(tensor.getType(), sizes);
  return isOnePiece ? Status::success()
                    : cutAlong(call, tensor, axis, from, *part);
}

Status invar::runtime::callSplitToSequence(CallContext &call) {
  const Tensor &tensor = call.getTensor(0);
  int64_t axis = call.getInt("axis");
  if (Status status = call.normalizeAxis(axis, tensor.rank))
    return status;
  std::vector<int64_t> parts;
  if (Status status = readParts(call, tensor.getSize(size_t(axis)), parts))
    return status;
  // Only parts of size one lose their axis, and only if `split` is not given.
  bool keepAxis = call.getOptionalTensor(1) || !call.getInt("drops_axis");

  std::vector<int64_t> sizes(tensor.getSizes().begin(),
                             tensor.getSizes().end());
  std::vector<Value *> items;
  Status status;
  int64_t from = 0;
  for (int64_t part : parts) {
    sizes[size_t(axis)] = part;
    std::vector<int64_t> resultSizes = sizes;
    if (!keepAxis)
      resultSizes.erase(resultSizes.begin() + axis);
    Tensor *item = nullptr;
    status =
        takePart(call, tensor, size_t(axis), from, part, resultSizes, item);
    if (item)
      items.push_back(item);
    if (status)
      break;
    from += part;
  }
  if (!status)
    status = giveSequence(call, items);
  for (Value *item : items)
    release(item, call.getArena());
  return status;
}

// Optionals

Status invar::runtime::callOptional(CallContext &call) {
  Value *item = call.getOperand(0);
  Optional *optional = Optional::create(call.getArena(), item);
  if (!optional)
    return explainNoContainer({&item, 1});
  call.adoptResult(0, optional);
  return Status::success();
}

/// The element of an optional; any other value is its own element.
static Value *getElement(CallContext &call) {
  Value *value = call.getOperand(0);
  Optional *optional = asOptional(value);
  return optional ? optional->getItem() : value;
}

Status invar::runtime::callOptionalGetElement(CallContext &call) {
  Value *element = getElement(call);
  if (!element)
    return call.fail("expected an optional that has a value, but got none");
  call.setResult(0, element);
  return Status::success();
}

Status invar::runtime::callOptionalHasElement(CallContext &call) {
  Tensor *has = nullptr;
  if (Status status = call.allocate(0, INVAR_BOOL, {}, has))
    return status;
  *has->getData<uint8_t>() = getElement(call) != nullptr;
  return Status::success();
}
