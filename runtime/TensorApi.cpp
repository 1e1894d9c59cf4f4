// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of invar-c/Tensor.h.
#include "Type.h"
#include "Value.h"

#include <algorithm>

using namespace invar::runtime;

static const Tensor *tensorOf(const InvarValue *value) {
  return static_cast<const Tensor *>(value);
}

const char *invar_data_type_name(InvarDataType type) {
  return getElementSize(type) ? getName(type) : nullptr;
}

size_t invar_data_type_size(InvarDataType type) { return getElementSize(type); }

InvarTypeKind invar_value_kind(const InvarValue *value) {
  return InvarTypeKind(value->kind);
}

void invar_value_retain(InvarValue *value) {
  if (value)
    retain(value);
}

void invar_value_release(InvarValue *value) {
  if (value)
    release(value, nullptr);
}

/// Checks the caller's arguments for a new tensor.
static Status checkTensor(InvarDataType type, Sizes sizes) {
  if (getElementSize(type) == 0)
    return fail(INVAR_BAD_ARGUMENT, "expected a data type of ONNX, but got ",
                int(type));
  if (sizes.size() > maxRank)
    return fail(INVAR_BAD_ARGUMENT, "expected at most ", maxRank,
                " axes, but got ", sizes.size());
  if (std::any_of(sizes.begin(), sizes.end(), [](int64_t n) { return n < 0; }))
    return fail(INVAR_BAD_ARGUMENT, "expected sizes of at least 0, but got ",
                describeTensor(type, sizes));
  if (!countBytes(type, sizes.data(), sizes.size()))
    return fail(INVAR_BAD_ARGUMENT, "expected less than 2^63 bytes, but got ",
                describeTensor(type, sizes));
  return Status::success();
}

InvarStatus *invar_tensor_create(InvarDataType type, const int64_t *sizes,
                                 size_t rank, InvarValue **tensor) {
  if (Status status = checkTensor(type, {sizes, rank}))
    return std::move(status).release();
  *tensor = Tensor::create(nullptr, type, {sizes, rank});
  if (!*tensor)
    return explainNoTensor(type, {sizes, rank}).release();
  return nullptr;
}

InvarStatus *invar_tensor_borrow(InvarDataType type, const int64_t *sizes,
                                 size_t rank, void *data,
                                 void (*release)(void *), void *context,
                                 InvarValue **tensor) {
  if (Status status = checkTensor(type, {sizes, rank}))
    return std::move(status).release();
  if (type == INVAR_STRING)
    return fail(INVAR_BAD_ARGUMENT,
                "expected a tensor of anything but strings to be borrowed")
        .release();
  // Complex numbers are aligned like their parts.
  size_t alignment = std::min<size_t>(getElementSize(type), 8);
  if (type == INVAR_COMPLEX64)
    alignment = 4;
  if (reinterpret_cast<uintptr_t>(data) % alignment != 0)
    return fail(INVAR_BAD_ARGUMENT, "expected elements aligned to ", alignment,
                " bytes, but got an address that is ",
                reinterpret_cast<uintptr_t>(data) % alignment, " behind")
        .release();
  *tensor = Tensor::createBorrowed(nullptr, type, {sizes, rank}, data, release,
                                   context);
  if (!*tensor)
    return explainNoTensor(type, {sizes, rank}).release();
  return nullptr;
}

InvarDataType invar_tensor_data_type(const InvarValue *tensor) {
  return tensorOf(tensor)->getType();
}
size_t invar_tensor_rank(const InvarValue *tensor) { return tensor->rank; }
const int64_t *invar_tensor_sizes(const InvarValue *tensor) {
  return tensorOf(tensor)->getSizes().data();
}
int64_t invar_tensor_count(const InvarValue *tensor) {
  return tensorOf(tensor)->getCount();
}
size_t invar_tensor_bytes(const InvarValue *tensor) {
  return tensorOf(tensor)->getBytes();
}
void *invar_tensor_data(const InvarValue *tensor) {
  return tensorOf(tensor)->getData();
}
int32_t invar_tensor_is_constant(const InvarValue *tensor) {
  return tensor->isConstant;
}

InvarStatus *invar_tensor_set_string(InvarValue *tensor, int64_t index,
                                     const char *data, size_t size) {
  auto *strings = static_cast<Tensor *>(tensor);
  if (strings->getType() != INVAR_STRING || strings->getOwner() != tensor)
    return fail(INVAR_BAD_ARGUMENT,
                "expected a tensor of strings with memory of its own, but got ",
                describe(tensor))
        .release();
  if (index < 0 || index >= strings->getCount())
    return fail(INVAR_BAD_ARGUMENT, "expected an index below ",
                strings->getCount(), ", but got ", index)
        .release();
  if (!strings->setString(index, {data, size}))
    return fail(INVAR_OUT_OF_MEMORY, "expected ", size,
                " bytes of memory for a string, but there are not as many")
        .release();
  return nullptr;
}

InvarStatus *invar_sequence_create(InvarValue *const *values, size_t count,
                                   InvarValue **sequence) {
  if (std::find(values, values + count, nullptr) != values + count)
    return fail(INVAR_BAD_ARGUMENT, "expected values, but got a null pointer")
        .release();
  *sequence = Sequence::create(nullptr, {values, count});
  if (!*sequence)
    return explainNoContainer({values, count}).release();
  return nullptr;
}

size_t invar_sequence_size(const InvarValue *sequence) {
  return static_cast<const Sequence *>(sequence)->getItems().size();
}
InvarValue *invar_sequence_at(const InvarValue *sequence, size_t index) {
  return static_cast<const Sequence *>(sequence)->getItems()[index];
}

InvarStatus *invar_optional_create(InvarValue *value, InvarValue **optional) {
  *optional = Optional::create(nullptr, value);
  if (!*optional)
    return explainNoContainer({&value, 1}).release();
  return nullptr;
}

InvarValue *invar_optional_get(const InvarValue *optional) {
  return static_cast<const Optional *>(optional)->getItem();
}

// Maps

/// Checks the caller's arguments for a map.
static Status checkMap(const InvarValue *keys, const InvarValue *values) {
  auto *first = asTensor(const_cast<InvarValue *>(keys)),
       *second = asTensor(const_cast<InvarValue *>(values));
  if (first && second && Map::canHold(*first, *second))
    return Status::success();
  return fail(INVAR_BAD_ARGUMENT,
              "expected int64 or strings as keys of a map, and as many values, "
              "but got ",
              describe(keys), " and ", describe(values));
}

/// Copies the elements of a tensor of rank 1 in another order; null if there is not
/// enough memory.
static Tensor *copyInOrder(const Tensor &tensor,
                           const std::vector<int64_t> &order) {
  Tensor *copy = Tensor::create(nullptr, tensor.getType(), tensor.getSizes());
  for (size_t i = 0; copy && i < order.size(); ++i)
    if (!copyElements(tensor, order[i], *copy, int64_t(i), 1)) {
      release(copy, nullptr);
      copy = nullptr;
    }
  return copy;
}

InvarStatus *invar_map_create(const InvarValue *keys, const InvarValue *values,
                              InvarValue **map) {
  if (Status status = checkMap(keys, values))
    return std::move(status).release();
  std::vector<int64_t> order = sortKeys(*tensorOf(keys));
  Tensor *ownKeys = copyInOrder(*tensorOf(keys), order),
         *ownValues = copyInOrder(*tensorOf(values), order);
  bool isMade = ownKeys && ownValues, isMap = isMade && isAscending(*ownKeys);
  *map = isMap ? Map::create(nullptr, ownKeys, ownValues) : nullptr;
  invar_value_release(ownKeys);
  invar_value_release(ownValues);
  if (isMade && !isMap)
    return fail(INVAR_BAD_ARGUMENT,
                "expected each key of a map once, but got one twice")
        .release();
  if (!*map)
    return fail(INVAR_OUT_OF_MEMORY, "expected memory for a map of ",
                order.size(), ", but there is not as much")
        .release();
  return nullptr;
}

InvarValue *invar_map_keys(const InvarValue *map) {
  return const_cast<Tensor *>(&static_cast<const Map *>(map)->getKeys());
}
InvarValue *invar_map_values(const InvarValue *map) {
  return const_cast<Tensor *>(&static_cast<const Map *>(map)->getValues());
}
