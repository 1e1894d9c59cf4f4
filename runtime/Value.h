// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The content of an object register, and the InvarValue of the C API: a tensor, a
// sequence, an optional or a map. A value is one block of memory, with header and
// content together:
//
//   Tensor   | header | sizes | to 64 bytes | elements …
//   view     | header | sizes |              elements lie in another value, or elsewhere
//   Sequence | header | items …
//   Map      | header | keys, values: tensors of rank 1, which maps may share
//
// Its memory comes from the arena of the run that made it, or from the system. The
// header records which.
//
// Invariant: values are reference-counted, from any thread. Releasing the last
// reference frees the value. A view never refers to another view: it refers to the
// owner of that view's elements.
#ifndef INVAR_RUNTIME_VALUE_H
#define INVAR_RUNTIME_VALUE_H

#include "Arena.h"
#include "DataType.h"
#include "Status.h"
#include "invar-c/Tensor.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

struct InvarValue {
  std::atomic<int32_t> references{1};
  uint8_t kind; ///< InvarTypeKind

  /// For tensors.
  uint8_t dataType = 0;
  bool isConstant = false; ///< its elements must not be written
  /// The rank of a tensor, or the nesting depth of another value.
  uint8_t rank = 0;
  /// The arena of its memory; null for the system.
  invar::runtime::Arena *arena;

  InvarValue(InvarTypeKind kind, invar::runtime::Arena *arena)
      : kind(uint8_t(kind)), arena(arena) {}
};

namespace invar::runtime {

using Value = ::InvarValue;
using Sizes = std::span<const int64_t>;

/// The maximum number of axes of a tensor.
inline constexpr size_t maxRank = INVAR_MAX_RANK;
/// More levels than any ONNX type has of nested sequences, optionals and maps.
inline constexpr unsigned maxDepth = 16;

inline void retain(Value *value) {
  value->references.fetch_add(1, std::memory_order_relaxed);
}
void destroy(Value *value, Arena *running);
/// `running` is the arena of the calling run, or null outside of runs.
inline void release(Value *value, Arena *running) {
  // With the only reference, no atomic decrement is needed.
  if (value->references.load(std::memory_order_acquire) == 1 ||
      value->references.fetch_sub(1, std::memory_order_acq_rel) == 1)
    destroy(value, running);
}

class Tensor : public Value {
public:
  /// Creates a tensor that owns its elements; strings are empty. Returns null if there
  /// is not enough memory, if a size is negative, or if there are too many axes or too
  /// many bytes.
  static Tensor *create(Arena *arena, InvarDataType type, Sizes sizes);
  /// Creates a view of elements of `base`, from `offset` on; the caller has checked the
  /// range. Returns null if there is not enough memory.
  static Tensor *createView(Arena *arena, Tensor *base, Sizes sizes,
                            int64_t count, int64_t offset);
  /// Creates a tensor of `type` in the memory of another, `offset` bytes into it.
  /// Returns null if it does not fit there, if `type` is strings, or for the reasons of
  /// create().
  static Tensor *createWithin(Arena *arena, Tensor *block, InvarDataType type,
                              Sizes sizes, uint64_t offset);
  /// Refers to elements that someone else owns and that `letGo(kept)` frees; null as
  /// for create().
  static Tensor *createBorrowed(Arena *arena, InvarDataType type, Sizes sizes,
                                void *data, void (*letGo)(void *), void *kept);

  InvarDataType getType() const { return InvarDataType(dataType); }
  Sizes getSizes() const { return {sizes, rank}; }
  int64_t getSize(size_t axis) const { return sizes[axis]; }
  int64_t getCount() const { return count; }
  size_t getBytes() const { return size_t(count) * getElementSize(dataType); }
  void *getData() const { return data; }
  /// The address that kernels get (Abi.h). It is not null, even if the caller passed
  /// null for a tensor without elements.
  void *getAddress() const { return getAddress(data); }
  /// The same for a copy of the elements.
  void *getAddress(void *elements) const {
    return count ? elements : const_cast<char *>(noElements);
  }
  template <typename T> T *getData() const { return static_cast<T *>(data); }
  template <typename T> std::span<T> getElements() const {
    return {getData<T>(), size_t(count)};
  }

  std::string_view getString(int64_t index) const {
    const InvarString &string = getData<InvarString>()[index];
    return {string.data, string.size};
  }
  /// Copies a string to an element of a tensor that create() made. Returns false if
  /// there is not enough memory.
  bool setString(int64_t index, std::string_view string);

  /// The owner of the elements: the tensor itself, or the value that it is a view of.
  const Value *getOwner() const;
  /// Whether its strings can be set, that is, whether create() made it.
  bool ownsStrings() const;

private:
  friend void destroy(Value *value, Arena *running);
  Tensor(Arena *arena, InvarDataType type, Sizes sizes, int64_t count);
  static Tensor *createHeader(Arena *arena, InvarDataType type, Sizes sizes,
                              int64_t count, size_t elementBytes);
  static size_t headerBytes(size_t rank);
  void keepOwnerOf(Tensor *base);

  /// The address of a tensor without elements; nothing is ever written there.
  alignas(64) static constexpr char noElements[64] = {};

  void *data = nullptr;
  int64_t count;
  /// The object that the tensor keeps alive, and the function that releases it; null
  /// for none.
  void (*letGo)(void *kept) = nullptr;
  void *kept = nullptr;
  int64_t sizes[]; // NOLINT: as long as the rank
};

class Sequence : public Value {
public:
  /// Adds a reference to each item. Returns null if there is not enough memory, or if
  /// an item is nested too deeply. The sequence has room for `spare` more items.
  static Sequence *create(Arena *arena, std::span<Value *const> items,
                          size_t spare = 0);
  std::span<Value *const> getItems() const { return {items, size}; }
  bool hasRoom(size_t count) const { return capacity - size >= count; }

  /// Insertion and removal; the caller must have the only reference. insert() adds a
  /// reference to the item; it fails if there is no room left.
  bool insert(size_t index, Value *item);
  void erase(size_t index, Arena *running);

private:
  friend void destroy(Value *value, Arena *running);
  Sequence(Arena *arena, size_t capacity)
      : Value(INVAR_TYPE_SEQUENCE, arena), capacity(capacity) {}

  size_t size = 0, capacity;
  Value *items[]; // NOLINT: as long as the capacity
};

class Optional : public Value {
public:
  /// Adds a reference to the item, which may be null. Returns null as for sequences.
  static Optional *create(Arena *arena, Value *item);
  Value *getItem() const { return item; }

private:
  Optional(Arena *arena, Value *item)
      : Value(INVAR_TYPE_OPTIONAL, arena), item(item) {}
  Value *item;
};

/// Unique keys in ascending order, and a number or string for each. The standard's
/// operators use only maps to scalars, so the values are one tensor.
class Map : public Value {
public:
  /// Whether tensors can be the keys and values of a map, apart from the order of keys.
  static bool canHold(const Tensor &keys, const Tensor &values);
  /// Adds references to both. canHold() must be true for them and isAscending() for the
  /// keys. Returns null if there is not enough memory.
  static Map *create(Arena *arena, Tensor *keys, Tensor *values);
  const Tensor &getKeys() const { return *keys; }
  const Tensor &getValues() const { return *values; }

  /// The position of a key; none if the map does not have it.
  std::optional<int64_t> find(int64_t key) const;
  std::optional<int64_t> find(std::string_view key) const;

private:
  friend void destroy(Value *value, Arena *running);
  Map(Arena *arena, Tensor *keys, Tensor *values)
      : Value(INVAR_TYPE_MAP, arena), keys(keys), values(values) {}
  Tensor *keys, *values;
};

/// Whether each key is less than the next. The tensor must be valid as keys of a map.
bool isAscending(const Tensor &keys);
/// The positions of the keys in ascending order of the keys.
std::vector<int64_t> sortKeys(const Tensor &keys);

inline Tensor *asTensor(Value *value) {
  return value && value->kind == INVAR_TYPE_TENSOR
             ? static_cast<Tensor *>(value)
             : nullptr;
}
inline Sequence *asSequence(Value *value) {
  return value && value->kind == INVAR_TYPE_SEQUENCE
             ? static_cast<Sequence *>(value)
             : nullptr;
}
inline Optional *asOptional(Value *value) {
  return value && value->kind == INVAR_TYPE_OPTIONAL
             ? static_cast<Optional *>(value)
             : nullptr;
}

inline Map *asMap(Value *value) {
  return value && value->kind == INVAR_TYPE_MAP ? static_cast<Map *>(value)
                                                : nullptr;
}

/// Copies elements from one tensor to another of the same type; the caller has checked
/// the ranges. Returns false if there is not enough memory for strings.
bool copyElements(const Tensor &from, int64_t fromIndex, Tensor &to,
                  int64_t toIndex, int64_t count);

/// Explains why create() of a tensor, or of a sequence or optional of items, returned
/// null.
Status explainNoTensor(InvarDataType type, Sizes sizes);
Status explainNoContainer(std::span<Value *const> items);
Status explainNoStrings();

} // namespace invar::runtime

#endif // INVAR_RUNTIME_VALUE_H
