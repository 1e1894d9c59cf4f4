// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Value.h"

#include "Type.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>
#include <numeric>
#include <ranges>

using namespace invar::runtime;

static void *allocateMemory(Arena *arena, size_t size) {
  if (arena)
    return arena->allocate(size);
  // More than the address space.
  if (size >> 47)
    return nullptr;
  size_t whole = (size + Arena::alignment - 1) / Arena::alignment;
  return std::aligned_alloc(Arena::alignment, whole * Arena::alignment);
}

static void freeMemory(Value *value, Arena *running) {
  if (!value->arena)
    std::free(value);
  else if (value->arena == running)
    running->free(value);
  else
    value->arena->freeFromOutside(value);
}

// Strings

namespace {
/// The bytes of a tensor's strings. They are allocated one by one and freed together.
class StringBytes {
public:
  ~StringBytes() {
    while (Piece *piece = newest) {
      newest = piece->before;
      std::free(piece);
    }
  }

  /// Returns room for `size` bytes; null if there is not enough memory.
  char *allocate(size_t size) {
    if (size > left) {
      size_t room = std::max(size, leastPiece);
      auto *piece =
          room <= PTRDIFF_MAX - sizeof(Piece)
              ? static_cast<Piece *>(std::malloc(sizeof(Piece) + room))
              : nullptr;
      if (!piece)
        return nullptr;
      piece->before = newest;
      newest = piece;
      next = reinterpret_cast<char *>(piece + 1);
      left = room;
    }
    left -= size;
    return std::exchange(next, next + size);
  }

  static void letGo(void *bytes) { delete static_cast<StringBytes *>(bytes); }

private:
  static constexpr size_t leastPiece = 1000;
  struct Piece {
    Piece *before;
  };
  Piece *newest = nullptr;
  char *next = nullptr;
  size_t left = 0;
};
} // namespace

bool Tensor::setString(int64_t index, std::string_view string) {
  assert(ownsStrings());
  // An empty string needs no memory.
  if (string.empty()) {
    getData<InvarString>()[index] = {"", 0};
    return true;
  }
  char *bytes = static_cast<StringBytes *>(kept)->allocate(string.size());
  if (!bytes)
    return false;
  std::copy(string.begin(), string.end(), bytes);
  getData<InvarString>()[index] = {bytes, string.size()};
  return true;
}

bool Tensor::ownsStrings() const { return letGo == &StringBytes::letGo; }

bool invar::runtime::copyElements(const Tensor &from, int64_t fromIndex,
                                  Tensor &to, int64_t toIndex, int64_t count) {
  // Tensors without elements may have any address.
  if (count == 0)
    return true;
  if (from.getType() != INVAR_STRING) {
    size_t size = getElementSize(from.dataType);
    std::memmove(to.getData<char>() + size_t(toIndex) * size,
                 from.getData<char>() + size_t(fromIndex) * size,
                 size_t(count) * size);
    return true;
  }
  for (int64_t i = 0; i < count; ++i)
    if (!to.setString(toIndex + i, from.getString(fromIndex + i)))
      return false;
  return true;
}

Status invar::runtime::explainNoStrings() {
  return fail(INVAR_OUT_OF_MEMORY,
              "expected memory for strings, but there is not as much");
}

// Tensors

static void releaseBase(void *) {
  assert(false && "destroy() lets go of what a view is of");
}

Tensor::Tensor(Arena *arena, InvarDataType type, Sizes sizes, int64_t count)
    : Value(INVAR_TYPE_TENSOR, arena), count(count) {
  dataType = uint8_t(type);
  rank = uint8_t(sizes.size());
  for (size_t axis = 0; axis < sizes.size(); ++axis)
    this->sizes[axis] = sizes[axis];
}

/// Bytes of the header of a tensor with elements after it: a multiple of their
/// alignment.
size_t Tensor::headerBytes(size_t rank) {
  size_t size = sizeof(Tensor) + rank * sizeof(int64_t);
  return (size + Arena::alignment - 1) / Arena::alignment * Arena::alignment;
}

Tensor *Tensor::createHeader(Arena *arena, InvarDataType type, Sizes sizes,
                             int64_t count, size_t elementBytes) {
  void *memory =
      allocateMemory(arena, headerBytes(sizes.size()) + elementBytes);
  return memory ? new (memory) Tensor(arena, type, sizes, count) : nullptr;
}

Tensor *Tensor::create(Arena *arena, InvarDataType type, Sizes sizes) {
  size_t elementSize = getElementSize(type);
  if (sizes.size() > maxRank || elementSize == 0)
    return nullptr;
  std::optional<int64_t> count = countElements(sizes.data(), sizes.size());
  constexpr size_t mostBytes = PTRDIFF_MAX / 2;
  if (!count || size_t(*count) > mostBytes / elementSize)
    return nullptr;
  Tensor *tensor =
      createHeader(arena, type, sizes, *count, size_t(*count) * elementSize);
  if (!tensor)
    return nullptr;
  tensor->data = reinterpret_cast<char *>(tensor) + headerBytes(sizes.size());
  if (type == INVAR_STRING) {
    for (InvarString &string : tensor->getElements<InvarString>())
      string = {"", 0};
    tensor->kept = new StringBytes;
    tensor->letGo = &StringBytes::letGo;
  }
  return tensor;
}

/// Makes the tensor a view of the owner of `base`'s elements.
void Tensor::keepOwnerOf(Tensor *base) {
  isConstant = base->isConstant;
  Value *owner =
      base->letGo == &releaseBase ? static_cast<Value *>(base->kept) : base;
  retain(owner);
  kept = owner;
  letGo = &releaseBase;
}

Tensor *Tensor::createView(Arena *arena, Tensor *base, Sizes sizes,
                           int64_t count, int64_t offset) {
  Tensor *view = createHeader(arena, base->getType(), sizes, count, 0);
  if (!view)
    return nullptr;
  view->data =
      base->getData<char>() + size_t(offset) * getElementSize(base->dataType);
  view->keepOwnerOf(base);
  return view;
}

Tensor *Tensor::createWithin(Arena *arena, Tensor *block, InvarDataType type,
                             Sizes sizes, uint64_t offset) {
  if (sizes.size() > maxRank || type == INVAR_STRING)
    return nullptr;
  std::optional<int64_t> bytes = countBytes(type, sizes.data(), sizes.size());
  if (!bytes || offset % Arena::alignment || offset > block->getBytes() ||
      uint64_t(*bytes) > block->getBytes() - offset)
    return nullptr;
  int64_t count = *countElements(sizes.data(), sizes.size());
  Tensor *tensor = createHeader(arena, type, sizes, count, 0);
  if (!tensor)
    return nullptr;
  tensor->data = block->getData<char>() + offset;
  tensor->keepOwnerOf(block);
  return tensor;
}

Tensor *Tensor::createBorrowed(Arena *arena, InvarDataType type, Sizes sizes,
                               void *data, void (*letGo)(void *), void *kept) {
  if (sizes.size() > maxRank || !countBytes(type, sizes.data(), sizes.size()))
    return nullptr;
  int64_t count = *countElements(sizes.data(), sizes.size());
  Tensor *tensor = createHeader(arena, type, sizes, count, 0);
  if (!tensor)
    return nullptr;
  tensor->data = data;
  tensor->letGo = letGo;
  tensor->kept = kept;
  return tensor;
}

const Value *Tensor::getOwner() const {
  return letGo == &releaseBase ? static_cast<const Value *>(kept) : this;
}

Status invar::runtime::explainNoTensor(InvarDataType type, Sizes sizes) {
  std::string text = describeTensor(type, sizes);
  if (sizes.size() > maxRank)
    return fail(INVAR_RUN_FAILED, "expected at most ", maxRank,
                " axes, but got ", sizes.size());
  for (int64_t size : sizes)
    if (size < 0)
      return fail(INVAR_RUN_FAILED, "expected sizes of at least 0, but got ",
                  text);
  std::optional<int64_t> bytes = countBytes(type, sizes.data(), sizes.size());
  if (!bytes)
    return fail(INVAR_RUN_FAILED, "expected less than 2^63 bytes, but got ",
                text);
  return fail(INVAR_OUT_OF_MEMORY, "expected ", *bytes, " bytes of memory for ",
              text, ", but there are not as many");
}

// Sequences, optionals and maps

/// The nesting depth of a container of `value`.
static unsigned depthWith(const Value *value) {
  return value && value->kind != INVAR_TYPE_TENSOR ? value->rank + 1u : 1u;
}

Sequence *Sequence::create(Arena *arena, std::span<Value *const> items,
                           size_t spare) {
  size_t capacity = items.size() + spare;
  if (capacity > PTRDIFF_MAX / sizeof(Value *) - sizeof(Sequence))
    return nullptr;
  unsigned depth = 1;
  for (const Value *item : items)
    depth = std::max(depth, depthWith(item));
  if (depth > maxDepth)
    return nullptr;
  void *memory =
      allocateMemory(arena, sizeof(Sequence) + capacity * sizeof(Value *));
  if (!memory)
    return nullptr;
  auto *sequence = new (memory) Sequence(arena, capacity);
  sequence->rank = uint8_t(depth);
  for (Value *item : items) {
    retain(item);
    sequence->items[sequence->size++] = item;
  }
  return sequence;
}

bool Sequence::insert(size_t index, Value *item) {
  assert(references.load(std::memory_order_relaxed) == 1 && index <= size);
  if (size == capacity || depthWith(item) > maxDepth)
    return false;
  std::copy_backward(items + index, items + size, items + size + 1);
  items[index] = item;
  ++size;
  retain(item);
  rank = std::max<uint8_t>(rank, uint8_t(depthWith(item)));
  return true;
}

void Sequence::erase(size_t index, Arena *running) {
  assert(references.load(std::memory_order_relaxed) == 1 && index < size);
  Value *item = items[index];
  std::copy(items + index + 1, items + size, items + index);
  --size;
  release(item, running);
}

Optional *Optional::create(Arena *arena, Value *item) {
  if (depthWith(item) > maxDepth)
    return nullptr;
  void *memory = allocateMemory(arena, sizeof(Optional));
  if (!memory)
    return nullptr;
  auto *optional = new (memory) Optional(arena, item);
  optional->rank = uint8_t(depthWith(item));
  if (item)
    retain(item);
  return optional;
}

bool Map::canHold(const Tensor &keys, const Tensor &values) {
  return (keys.getType() == INVAR_INT64 || keys.getType() == INVAR_STRING) &&
         keys.rank == 1 && values.rank == 1 &&
         keys.getCount() == values.getCount();
}

Map *Map::create(Arena *arena, Tensor *keys, Tensor *values) {
  assert(canHold(*keys, *values) && isAscending(*keys));
  void *memory = allocateMemory(arena, sizeof(Map));
  if (!memory)
    return nullptr;
  auto *map = new (memory) Map(arena, keys, values);
  map->rank = 1;
  retain(keys);
  retain(values);
  return map;
}

/// Calls `use` with a function that returns the key at a position, in its comparable
/// form.
template <typename Use> static auto withKeys(const Tensor &keys, Use use) {
  if (keys.getType() == INVAR_STRING)
    return use([&](int64_t i) { return keys.getString(i); });
  return use([&](int64_t i) { return keys.getData<int64_t>()[i]; });
}

bool invar::runtime::isAscending(const Tensor &keys) {
  return withKeys(keys, [&](auto at) {
    for (int64_t i = 1; i < keys.getCount(); ++i)
      if (!(at(i - 1) < at(i)))
        return false;
    return true;
  });
}

std::vector<int64_t> invar::runtime::sortKeys(const Tensor &keys) {
  std::vector<int64_t> places(size_t(keys.getCount()));
  std::iota(places.begin(), places.end(), int64_t(0));
  withKeys(keys, [&](auto at) {
    std::ranges::stable_sort(places, std::less<>(), at);
  });
  return places;
}

template <typename Key>
static std::optional<int64_t> findKey(int64_t count, Key wanted, auto at) {
  auto places = std::views::iota(int64_t(0), count);
  auto found = std::ranges::lower_bound(places, wanted, std::less<>(), at);
  if (found == places.end() || at(*found) != wanted)
    return std::nullopt;
  return *found;
}

std::optional<int64_t> Map::find(int64_t key) const {
  return findKey(keys->getCount(), key,
                 [&](int64_t i) { return keys->getData<int64_t>()[i]; });
}

std::optional<int64_t> Map::find(std::string_view key) const {
  return findKey(keys->getCount(), key,
                 [&](int64_t i) { return keys->getString(i); });
}

Status invar::runtime::explainNoContainer(std::span<Value *const> items) {
  for (const Value *item : items)
    if (depthWith(item) > maxDepth)
      return fail(INVAR_RUN_FAILED,
                  "expected sequences and optionals to be nested at most ",
                  maxDepth, " deep, but got ", describe(item));
  return fail(INVAR_OUT_OF_MEMORY, "expected memory for a sequence of ",
              items.size(), ", but there is not as much");
}

void invar::runtime::destroy(Value *value, Arena *running) {
  if (Tensor *tensor = asTensor(value)) {
    if (tensor->letGo == &releaseBase)
      release(static_cast<Value *>(tensor->kept), running);
    else if (tensor->letGo)
      tensor->letGo(tensor->kept);
  } else if (Sequence *sequence = asSequence(value)) {
    for (Value *item : sequence->getItems())
      release(item, running);
  } else if (Map *map = asMap(value)) {
    release(map->keys, running);
    release(map->values, running);
  } else if (Value *item = static_cast<Optional *>(value)->getItem()) {
    release(item, running);
  }
  freeMemory(value, running);
}
