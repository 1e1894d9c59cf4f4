// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an object register holds and what an InvarValue of the C API is: a tensor, a
// sequence, an optional or a map. A value is one piece of memory, header and content
// together:
//
//   Tensor   | header | sizes | to 64 bytes | elements …
//   view     | header | sizes |              elements lie in another value, or elsewhere
//   Sequence | header | items …
//   Map      | header | keys, values: tensors of rank 1, which maps may share
//
// It comes from the arena of the run that made it, or from the system, and knows which.
//
// Invariant: values are counted, from any thread; the last to let go frees. A view never
// keeps another view: it keeps what that view keeps.
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

  /// Of tensors.
  uint8_t dataType = 0;
  bool isConstant = false; ///< its elements lie where they cannot be written
  /// Of tensors the rank, of others how deep they are nested.
  uint8_t rank = 0;
  /// Where its memory comes from; null for the system.
  invar::runtime::Arena *arena;

  InvarValue(InvarTypeKind kind, invar::runtime::Arena *arena)
      : kind(uint8_t(kind)), arena(arena) {}
};

namespace invar::runtime {

using Value = ::InvarValue;
using Sizes = std::span<const int64_t>;

/// More axes than any tensor has.
inline constexpr size_t maxRank = INVAR_MAX_RANK;
/// Deeper than any type of ONNX nests sequences, optionals and maps.
inline constexpr unsigned maxDepth = 16;

inline void retain(Value *value) {
  value->references.fetch_add(1, std::memory_order_relaxed);
}
void destroy(Value *value, Arena *running);
/// `running` is the arena of the run that lets go, or null outside of runs.
inline void release(Value *value, Arena *running) {
  // Who has the only reference need not tell anybody.
  if (value->references.load(std::memory_order_acquire) == 1 ||
      value->references.fetch_sub(1, std::memory_order_acq_rel) == 1)
    destroy(value, running);
}

class Tensor : public Value {
public:
  /// A tensor with memory of its own; strings are empty. Null where there is not enough
  /// memory, a size is negative, there are too many axes or too many bytes.
  static Tensor *create(Arena *arena, InvarDataType type, Sizes sizes);
  /// The same elements, or some of them, from `offset` on; the caller has checked that they
  /// are there. Null where there is not enough memory.
  static Tensor *createView(Arena *arena, Tensor *base, Sizes sizes,
                            int64_t count, int64_t offset);
  /// A tensor whose elements lie in those of another, `offset` bytes into them. Null where
  /// they do not fit there, as they cannot where they are strings, or as above.
  static Tensor *createWithin(Arena *arena, Tensor *block, InvarDataType type,
                              Sizes sizes, uint64_t offset);
  /// Elements that somebody else owns and `letGo(kept)` frees; null as above.
  static Tensor *createBorrowed(Arena *arena, InvarDataType type, Sizes sizes,
                                void *data, void (*letGo)(void *), void *kept);

  InvarDataType getType() const { return InvarDataType(dataType); }
  Sizes getSizes() const { return {sizes, rank}; }
  int64_t getSize(size_t axis) const { return sizes[axis]; }
  int64_t getCount() const { return count; }
  size_t getBytes() const { return size_t(count) * getElementSize(dataType); }
  void *getData() const { return data; }
  /// Where a kernel finds the elements (Abi.h). The caller's address may be null where there
  /// are none.
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
  /// Copies a string to an element of a tensor that create() made. False where there is not
  /// enough memory.
  bool setString(int64_t index, std::string_view string);

  /// What owns the elements: the tensor itself or what it is a view of.
  const Value *getOwner() const;
  /// Whether its strings can be set: whether it is as create() made it.
  bool ownsStrings() const;

private:
  friend void destroy(Value *value, Arena *running);
  Tensor(Arena *arena, InvarDataType type, Sizes sizes, int64_t count);
  static Tensor *createHeader(Arena *arena, InvarDataType type, Sizes sizes,
                              int64_t count, size_t elementBytes);
  static size_t headerBytes(size_t rank);
  void keepOwnerOf(Tensor *base);

  /// What is read of a tensor without elements; nothing is ever written there.
  alignas(64) static constexpr char noElements[64] = {};

  void *data = nullptr;
  int64_t count;
  /// What is kept as long as the tensor, and how it is let go of; null for nothing.
  void (*letGo)(void *kept) = nullptr;
  void *kept = nullptr;
  int64_t sizes[]; // NOLINT: as long as the rank
};

class Sequence : public Value {
public:
  /// Takes references of the items. Null where there is not enough memory, or an item is
  /// too deep. Has room for `spare` more.
  static Sequence *create(Arena *arena, std::span<Value *const> items,
                          size_t spare = 0);
  std::span<Value *const> getItems() const { return {items, size}; }
  bool hasRoom(size_t count) const { return capacity - size >= count; }

  /// Insertion and removal, only by who has the only reference. Insertion takes one of the
  /// item; it fails where there is no room left.
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
  /// Takes a reference of the item, which may be null. Null as for sequences.
  static Optional *create(Arena *arena, Value *item);
  Value *getItem() const { return item; }

private:
  Optional(Arena *arena, Value *item)
      : Value(INVAR_TYPE_OPTIONAL, arena), item(item) {}
  Value *item;
};

/// Keys in ascending order, each once, and a number or string for each. What operators of
/// the standard make and take are maps to scalars, so their values are one tensor.
class Map : public Value {
public:
  /// Whether tensors can be the keys and values of a map, but for the order of keys.
  static bool canHold(const Tensor &keys, const Tensor &values);
  /// Takes references of both, of which canHold() is true and isAscending() of the keys.
  /// Null where there is not enough memory.
  static Map *create(Arena *arena, Tensor *keys, Tensor *values);
  const Tensor &getKeys() const { return *keys; }
  const Tensor &getValues() const { return *values; }

  /// The place of a key; none where the map does not have it.
  std::optional<int64_t> find(int64_t key) const;
  std::optional<int64_t> find(std::string_view key) const;

private:
  friend void destroy(Value *value, Arena *running);
  Map(Arena *arena, Tensor *keys, Tensor *values)
      : Value(INVAR_TYPE_MAP, arena), keys(keys), values(values) {}
  Tensor *keys, *values;
};

/// Whether each key of a tensor that can be one of keys is less than the next.
bool isAscending(const Tensor &keys);
/// The places of the keys in ascending order.
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

/// Copies elements of one tensor to another of its type; the caller has checked that they
/// are there. False where there is not enough memory for strings.
bool copyElements(const Tensor &from, int64_t fromIndex, Tensor &to,
                  int64_t toIndex, int64_t count);

/// Why create() of a tensor, or of a sequence or optional of items, gave nothing.
Status explainNoTensor(InvarDataType type, Sizes sizes);
Status explainNoContainer(std::span<Value *const> items);
Status explainNoStrings();

} // namespace invar::runtime

#endif // INVAR_RUNTIME_VALUE_H
