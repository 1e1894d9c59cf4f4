// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A constant sequence is a list of constants, so these operators only move constants.
#include "invar/Dialect/ONNX/Folding.h"
#include "invar/Dialect/ONNX/Ops/Sequence.h"
#include "invar/Dialect/ONNX/Verify.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Longer sequences are left to run time: a loop that appends to a sequence copies it
/// each time.
static constexpr size_t maxItems = 4096;

/// Returns `position`, counted from the end if negative, in a list of `count` positions.
static llvm::Expected<size_t> getPlace(Folding &fold, Value position,
                                       size_t length, size_t count) {
  llvm::Expected<int64_t> place = fold.readScalar<int64_t>(position);
  if (!place)
    return place.takeError();
  int64_t items = int64_t(length);
  if (*place < -items || *place >= int64_t(count))
    return notFolded("expected a position in [" + Twine(-items) + ", " +
                     Twine(count) + "), but got " + Twine(*place));
  return size_t(*place < 0 ? *place + items : *place);
}

/// Returns a copy of a sequence's items, to be modified.
static llvm::Expected<std::vector<FoldValue>> copyItems(Folding &fold,
                                                        Value sequence) {
  ArrayRef<FoldValue> items = fold.getValue(sequence).getItems();
  if (items.size() >= maxItems)
    return notFolded("expected fewer than " + Twine(maxItems) +
                     " items, but got " + Twine(items.size()));
  return items.vec();
}

/// Returns `x` with an axis of size one inserted.
static llvm::Expected<Elements> unsqueeze(Folding &fold, const Elements &x,
                                          int64_t axis) {
  Shape shape(x.getShape());
  shape.insert(shape.begin() + axis, 1);
  return fold.getBuilder().reshape(x, shape);
}

FoldResult ConcatFromSequenceOp::computeValues(Folding &fold) {
  ArrayRef<FoldValue> items = fold.getValue(getInputSequence()).getItems();
  if (items.empty())
    return notFolded("expected a tensor in the sequence, but got none");
  int64_t rank = items.front().getTensor().getRank();
  // concat() detects items of other ranks.
  std::optional<int64_t> axis = normalizeAxis(getAxis(), rank + getNewAxis());
  if (!axis)
    return notFolded("expected an axis of a tensor of rank " + Twine(rank) +
                     ", but got " + Twine(getAxis()));
  SmallVector<Elements> parts;
  for (const FoldValue &item : items) {
    Elements part = item.getTensor();
    if (part.getRank() != rank)
      return notFolded("expected tensors of rank " + Twine(rank) +
                       ", but got one of rank " + Twine(part.getRank()));
    if (getNewAxis())
      if (llvm::Error error = unsqueeze(fold, part, *axis).moveInto(part))
        return error;
    parts.push_back(std::move(part));
  }
  return fold.getBuilder().concat(parts, *axis);
}

FoldResult OptionalOp::computeValues(Folding &fold) {
  return getInput() ? fold.getValue(getInput()) : FoldValue::none();
}

FoldResult OptionalGetElementOp::computeValues(Folding &fold) {
  const FoldValue &value = fold.getValue(getInput());
  if (value.isNone())
    return notFolded("expected an optional that holds a value, but got none");
  return value;
}

FoldResult OptionalHasElementOp::computeValues(Folding &fold) {
  bool has = getInput() && !fold.getValue(getInput()).isNone();
  return fold.getBuilder().fromArray<DataType::Bool>({}, has);
}

FoldResult SequenceAtOp::computeValues(Folding &fold) {
  ArrayRef<FoldValue> items = fold.getValue(getInputSequence()).getItems();
  llvm::Expected<size_t> place =
      getPlace(fold, getPosition(), items.size(), items.size());
  if (!place)
    return place.takeError();
  return items[*place];
}

FoldResult SequenceConstructOp::computeValues(Folding &fold) {
  std::vector<FoldValue> items;
  for (Value input : getInputs())
    items.push_back(fold.getValue(input));
  return FoldValue::sequence(std::move(items));
}

FoldResult SequenceEmptyOp::computeValues(Folding &) {
  return FoldValue::sequence({});
}

FoldResult SequenceEraseOp::computeValues(Folding &fold) {
  auto items = copyItems(fold, getInputSequence());
  if (!items)
    return items.takeError();
  if (items->empty())
    return notFolded("expected an item in the sequence, but got none");
  llvm::Expected<size_t> place = items->size() - 1;
  if (getPosition())
    place = getPlace(fold, getPosition(), items->size(), items->size());
  if (!place)
    return place.takeError();
  items->erase(items->begin() + *place);
  return FoldValue::sequence(std::move(*items));
}

FoldResult SequenceInsertOp::computeValues(Folding &fold) {
  auto items = copyItems(fold, getInputSequence());
  if (!items)
    return items.takeError();
  llvm::Expected<size_t> place = items->size();
  if (getPosition())
    place = getPlace(fold, getPosition(), items->size(), items->size() + 1);
  if (!place)
    return place.takeError();
  items->insert(items->begin() + *place, fold.getValue(getTensor()));
  return FoldValue::sequence(std::move(*items));
}

FoldResult SequenceLengthOp::computeValues(Folding &fold) {
  auto length = fold.getValue(getInputSequence()).getItems().size();
  return fold.getBuilder().fromArray<DataType::Int64>({}, int64_t(length));
}

/// Returns the sizes of the parts of an axis of `size`.
static llvm::Expected<SmallVector<int64_t>>
getParts(Folding &fold, SplitToSequenceOp op, int64_t size) {
  SmallVector<int64_t> parts;
  int64_t each = 1;
  if (op.getSplit()) {
    auto sizes = fold.read<int64_t>(op.getSplit());
    if (!sizes)
      return sizes.takeError();
    if (rankOf(op.getSplit()) == 1)
      return SmallVector<int64_t>(sizes->get());
    each = (*sizes)[0];
  }
  if (each < 1 || size / each >= int64_t(maxItems))
    return notFolded("expected fewer than " + Twine(maxItems) +
                     " parts, but got parts of " + Twine(each) + " of " +
                     Twine(size));
  for (int64_t from = 0; from < size; from += each)
    parts.push_back(std::min(each, size - from));
  return parts;
}

FoldResult SplitToSequenceOp::computeValues(Folding &fold) {
  const ElementsBuilder &builder = fold.getBuilder();
  const Elements &x = fold.get(getInput());
  std::optional<int64_t> axis = normalizeAxis(getAxis(), x.getRank());
  if (!axis)
    return notFolded("expected a tensor with axes, but got a scalar");
  if (getSplit() && rankOf(getSplit()) == 0 && !getKeepdims())
    return notFolded("runtimes differ on 'keepdims' beside a scalar 'split'");
  auto parts = getParts(fold, *this, x.getShape()[*axis]);
  if (!parts)
    return parts.takeError();
  Shape starts(x.getRank(), 0), sizes(x.getShape()), steps(x.getRank(), 1);
  std::vector<FoldValue> items;
  int64_t from = 0;
  for (int64_t part : *parts) {
    starts[*axis] = part ? from : 0;
    sizes[*axis] = part;
    llvm::Expected<Elements> item = builder.slice(x, starts, sizes, steps);
    if (item && !getSplit() && !getKeepdims()) {
      Shape squeezed(sizes);
      squeezed.erase(squeezed.begin() + *axis);
      item = builder.reshape(*item, squeezed);
    }
    if (!item)
      return item.takeError();
    items.push_back(std::move(*item));
    from += part;
  }
  if (from != x.getShape()[*axis])
    return notFolded("expected parts of " + Twine(x.getShape()[*axis]) +
                     " in sum, but got " + Twine(from));
  return FoldValue::sequence(std::move(items));
}
