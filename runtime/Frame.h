// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one run of a program needs: registers, memory, and room for the operands of a
// kernel. A session keeps frames between runs, so that a run allocates nothing from the
// system that a run before it has had.
#ifndef INVAR_RUNTIME_FRAME_H
#define INVAR_RUNTIME_FRAME_H

#include "Bounds.h"
#include "Profile.h"
#include "Program.h"
#include "Value.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <vector>

namespace invar::runtime {

/// An object register. It has a reference of what the run has made, and borrows inputs and
/// constants, which outlive the run: so that threads which run one model at once do not all
/// count the references of its constants.
class Register {
public:
  Value *get() const { return reinterpret_cast<Value *>(bits & ~isBorrowed); }
  /// Whether nobody else knows what it holds.
  bool hasOnlyReference() const {
    return bits && !(bits & isBorrowed) &&
           get()->references.load(std::memory_order_acquire) == 1;
  }

  /// Takes over the caller's reference.
  void own(Value *value, Arena *running) {
    drop(running);
    bits = reinterpret_cast<uintptr_t>(value);
  }
  void borrow(Value *value, Arena *running) {
    drop(running);
    bits = reinterpret_cast<uintptr_t>(value) | isBorrowed;
  }
  void share(const Register &other, Arena *running) {
    uintptr_t shared = other.bits;
    if (shared && !(shared & isBorrowed))
      retain(other.get());
    drop(running);
    bits = shared;
  }
  void drop(Arena *running) {
    if (bits && !(bits & isBorrowed))
      release(get(), running);
    bits = 0;
  }

private:
  static constexpr uintptr_t isBorrowed = 1;
  uintptr_t bits = 0;
};

/// Memory that keeps its size until more is asked for.
class Scratch {
public:
  /// 64-byte aligned; null where there is not enough, in the arena's limit or at all.
  char *get(size_t size, Arena &arena) {
    if (size > capacity) {
      if (!arena.charge(size - capacity))
        return nullptr;
      clear();
      size_t whole = (size + Arena::alignment - 1) / Arena::alignment;
      memory.reset(static_cast<char *>(
          std::aligned_alloc(Arena::alignment, whole * Arena::alignment)));
      if (memory)
        capacity = size;
    }
    return memory.get();
  }
  void clear() {
    memory.reset();
    capacity = 0;
  }

private:
  struct Free {
    void operator()(char *memory) const { std::free(memory); }
  };
  std::unique_ptr<char, Free> memory;
  size_t capacity = 0;
};

struct Frame {
  Frame(const Program &program, Arena::Owner owner)
      : arena(std::move(owner)), numbers(program.numNumbers),
        objects(program.numObjects), blocks(program.numBlocks),
        addresses(program.mostTensors), kernelNumbers(program.mostNumbers) {}
  ~Frame() {
    dropAll();
    dropBlocks();
  }
  Frame(const Frame &) = delete;
  Frame &operator=(const Frame &) = delete;

  void dropAll() {
    for (Register &object : objects)
      object.drop(arena.get());
  }

  void dropBlocks() {
    for (Tensor *&block : blocks)
      if (block)
        release(std::exchange(block, nullptr), arena.get());
  }

  /// Bounds what a run may take, before it begins. Memory that runs before have left behind
  /// counts for nothing: whether a limit is enough is up to the run alone.
  void bound(const Bounds &bounds) {
    stop = bounds.stop;
    if (bounds.limitsMemory()) {
      dropBlocks();
      scratch.clear();
    }
    arena->setLimit(bounds.memory);
  }

  /// Makes a block of at least so many bytes, or none where there is not enough memory.
  void reserve(uint32_t number, uint64_t bytes) {
    Tensor *&block = blocks[number];
    // What a run before has given away may lie in it.
    bool isOurs =
        block && block->references.load(std::memory_order_acquire) == 1;
    if (isOurs && block->getBytes() >= bytes)
      return;
    if (block)
      release(block, arena.get());
    block = nullptr;
    // The sanitizer sees where tensors end only if they lie apart.
    if (arena->liesTogether() && bytes <= PTRDIFF_MAX) {
      auto size = int64_t(bytes);
      block = Tensor::create(arena.get(), INVAR_UINT8, {&size, 1});
    }
  }
  /// Whether a tensor lies in a block.
  bool isInBlock(const Tensor &tensor) const {
    return std::ranges::find(blocks, tensor.getOwner()) != blocks.end();
  }

  Arena::Owner arena;
  std::vector<int64_t> numbers;
  std::vector<Register> objects;
  /// Memory that is planned beforehand; null for what no run has needed yet.
  std::vector<Tensor *> blocks;
  std::vector<void *> addresses;
  std::vector<int64_t> kernelNumbers;
  /// Of a call, its results so far, and what is let go of when it ends.
  std::vector<Value *> results, temporaries;
  /// Where the caller wants outputs, or null for those that are made elsewhere first. Empty
  /// where it wants none.
  std::vector<Tensor *> places;
  Scratch scratch;
  /// What may end the run early, or null.
  Stop *stop = nullptr;
  std::vector<Event> events;
};

} // namespace invar::runtime

#endif // INVAR_RUNTIME_FRAME_H
